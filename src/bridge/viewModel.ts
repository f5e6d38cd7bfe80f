import type { FormField } from './formField.ts';

/**
 * What the view draws. Plain JSON, made by the host's presenter from the session's items; the view never sees the wire.
 * Texts in here come from the conversation; the words of the interface itself are in `strings.ts`.
 */
export type ViewItem = PromptView | TextView | ThinkingView | ToolView | NoticeView;

interface ItemBase {
  readonly id: string;
  /** Milliseconds since the epoch, 0 when unknown. */
  readonly at: number;
  /** The tool item this is drawn inside of; absent at top level. */
  readonly parent?: string;
}

export interface AttachmentView {
  readonly id: string;
  readonly kind: 'image' | 'file' | 'selection' | 'problems';
  readonly name: string;
  /** Images only: a data URI for the preview. */
  readonly preview?: string;
  /** Pieces of the editor only: what the agent was given. */
  readonly text?: string;
}

export interface PromptView extends ItemBase {
  readonly kind: 'prompt';
  readonly text: string;
  readonly attachments: readonly AttachmentView[];
  readonly state: 'queued' | 'started' | 'completed' | 'interrupted' | 'cancelled' | 'folded';
  readonly synthetic: boolean;
  /** Whether files can be taken back to this message. */
  readonly rewindable: boolean;
}

export interface TextView extends ItemBase {
  readonly kind: 'text';
  readonly text: string;
  readonly streaming: boolean;
  readonly aborted: boolean;
}

export interface ThinkingView extends ItemBase {
  readonly kind: 'thinking';
  readonly text: string;
  readonly streaming: boolean;
  readonly redacted: boolean;
  readonly durationMs?: number;
  readonly tokens?: number;
}

export type ToolStatus =
  'streaming' | 'pending' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'backgrounded';

export interface ToolView extends ItemBase {
  readonly kind: 'tool';
  /** The tool's name as people know it; also the accessible name of its article. */
  readonly name: string;
  readonly status: ToolStatus;
  readonly card: ToolCard;
  readonly durationMs?: number;
  readonly startedAt?: number;
  /** What went wrong, in the CLI's words, without its tags. */
  readonly error?: string;
  /** Set while a question about this tool waits for the person. */
  readonly ask?: AskView;
  /** How the question was answered, once it was. */
  readonly answered?: {
    readonly decision: 'allowed' | 'allowedWithChanges' | 'denied' | 'submitted' | 'declined' | 'cancelled';
    readonly note?: string;
  };
}

export interface DiffLine {
  readonly type: 'context' | 'added' | 'removed';
  readonly oldLine?: number;
  readonly newLine?: number;
  readonly text: string;
}

export interface DiffHunk {
  /** First line of the hunk in the present file: the N of "Hunk at line N". */
  readonly line: number;
  readonly lines: readonly DiffLine[];
  /**
   * While a question about it is open: whether the right side of the diff holds its new lines, its old ones, or something
   * the person wrote there. `chooseHunk` changes it; absent where hunks cannot be chosen.
   */
  readonly state?: 'taken' | 'left' | 'changed';
}

export interface FileLink {
  /** As shown: relative to the session's folder where possible. */
  readonly label: string;
  readonly path: string;
  readonly line?: number;
  readonly endLine?: number;
}

/** Long text is cut by the host; `omitted` says how many characters are missing and `ref` fetches the whole. */
export interface CutText {
  readonly text: string;
  readonly omitted: number;
}

export type ToolCard =
  | {
      readonly type: 'edit';
      readonly file: FileLink;
      readonly created: boolean;
      readonly added: number;
      readonly removed: number;
      readonly hunks: readonly DiffHunk[];
      readonly omittedLines: number;
    }
  | {
      readonly type: 'shell';
      readonly command: string;
      readonly description?: string;
      readonly output?: CutText;
      readonly errorOutput?: CutText;
      readonly exitCode?: number;
      readonly background: boolean;
    }
  | { readonly type: 'read'; readonly file: FileLink; readonly lines?: number; readonly image?: string }
  | {
      readonly type: 'search';
      readonly query: string;
      readonly where?: string;
      readonly matches?: number;
      readonly files: readonly FileLink[];
      readonly output?: CutText;
    }
  | {
      /** A step of the agent's list was changed. The list itself, as it stands now, is `SessionView.checklist`. */
      readonly type: 'step';
      readonly change: 'written' | 'added' | 'begun' | 'done' | 'removed' | 'changed' | 'looked';
      /** What the step is called; absent for the whole list. */
      readonly text?: string;
      /** The whole list as this call left it, where the call says so. */
      readonly entries: readonly StepView[];
    }
  | {
      readonly type: 'agent';
      readonly description: string;
      readonly agentType?: string;
      readonly prompt: CutText;
      readonly result?: string;
      readonly taskId?: string;
      readonly toolUses?: number;
      readonly tokens?: number;
      readonly lastTool?: string;
      readonly background: boolean;
    }
  | {
      readonly type: 'web';
      readonly title: string;
      readonly url?: string;
      readonly links: readonly WebLink[];
      readonly output?: CutText;
    }
  | {
      readonly type: 'plan';
      readonly markdown: string;
      readonly edited: boolean;
      /** How many comments of the person go to the agent with their answer. */
      readonly comments?: number;
    }
  | {
      readonly type: 'question';
      readonly questions: readonly QuestionView[];
      readonly answers: Readonly<Record<string, string>>;
    }
  | {
      readonly type: 'mcp';
      readonly server: string;
      readonly tool: string;
      readonly input: CutText;
      readonly output?: CutText;
      readonly images: readonly string[];
    }
  | {
      /** What an MCP server asks the person: a form, or a page to open. */
      readonly type: 'elicitation';
      readonly server: string;
      readonly message: string;
      readonly fields: readonly FormField[];
      readonly page?: { readonly href: string; readonly host: string };
    }
  | { readonly type: 'other'; readonly summary?: string; readonly input: CutText; readonly output?: CutText };

export interface StepView {
  readonly text: string;
  readonly state: 'pending' | 'inProgress' | 'completed';
}

/** The agent's list of steps as it stands. Very long lists are cut; the counts are of all. */
export interface ChecklistView {
  readonly entries: readonly StepView[];
  readonly done: number;
  readonly total: number;
}

export interface WebLink {
  readonly title: string;
  readonly url: string;
}

export interface QuestionView {
  readonly question: string;
  readonly header: string;
  readonly multiSelect: boolean;
  readonly options: readonly { readonly label: string; readonly description: string; readonly preview?: string }[];
}

/** An open question of the CLI. */
export interface AskView {
  readonly askId: string;
  readonly kind: 'permission' | 'question' | 'plan' | 'elicitation';
  /** What will happen, in one line. */
  readonly title: string;
  readonly description?: string;
  /** Why it is asked. The usual one is said only to whoever wants to know. */
  readonly reason?: { readonly text: string; readonly usual: boolean };
  /** Whether the card may offer a one-click Allow. */
  readonly oneClick: boolean;
  /** Whether Allow may look like the main button. */
  readonly suggestAllow: boolean;
  readonly hasDiff: boolean;
  readonly always: readonly AlwaysView[];
  /** Text the person may change before allowing: a shell command, or the input as JSON. */
  readonly editable?: { readonly field: 'command' | 'json'; readonly value: string };
  readonly cwd?: string;
  readonly fromSubagent: boolean;
  /** What a person should know before they decide, most important first. */
  readonly notes?: readonly AskNote[];
}

export interface AskNote {
  readonly level: 'info' | 'warning';
  readonly text: string;
}

export interface AlwaysView {
  /** Which of the CLI's suggestions. */
  readonly index: number;
  readonly label: string;
  readonly where: string;
}

export interface NoticeView extends ItemBase {
  readonly kind: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  /** A codicon's name. */
  readonly icon: string;
  readonly text: string;
  /** More, shown on demand. */
  readonly detail?: string;
  /** A moment to count down to. */
  readonly until?: number;
  /** A link that undoes what the row tells of. */
  readonly undo?: string;
  readonly actions: readonly ActionView[];
}

export interface ActionView {
  readonly action: ActionId;
  readonly label: string;
}

export type ActionId =
  | 'restart'
  | 'retry'
  | 'stop'
  | 'showLog'
  | 'openSettings'
  | 'signIn'
  | 'newSession'
  /** Go on with a turn that was interrupted. */
  | 'continue'
  /** Take the card away. */
  | 'dismiss'
  /** Branch off the session that is shown. */
  | 'fork'
  | 'diagnose';

export interface ChoiceView {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface TaskView {
  readonly taskId: string;
  readonly description: string;
  readonly status: string;
  readonly startedAt: number;
  readonly stoppable: boolean;
}

export interface QueuedView {
  readonly id: string;
  readonly text: string;
}

export interface CommandView {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

/** Something that keeps the session from working, or that one should know before going on: a card above the composer. */
export interface ErrorCard {
  /** An error when absent. */
  readonly level?: 'warning' | 'info';
  readonly title: string;
  readonly message: string;
  /** One line for each thing that was tried. */
  readonly tried: readonly string[];
  readonly detail?: string;
  readonly actions: readonly ActionView[];
}

/** All of the session that is not an item. Replaced whole: it is small. */
export interface SessionView {
  readonly state: 'none' | 'starting' | 'idle' | 'working' | 'awaitingPermission' | 'stopped';
  readonly title: string;
  readonly turnStartedAt?: number;
  readonly model: { readonly value: string; readonly label: string };
  readonly models: readonly ChoiceView[];
  readonly mode: string;
  readonly modes: readonly ChoiceView[];
  readonly effort?: string;
  readonly efforts: readonly ChoiceView[];
  readonly context?: { readonly usedTokens: number; readonly maxTokens: number };
  readonly costUsd?: number;
  readonly queue: readonly QueuedView[];
  readonly tasks: readonly TaskView[];
  /** Absent when the agent keeps no list, or has finished one and gone on. */
  readonly checklist?: ChecklistView;
  readonly commands: readonly CommandView[];
  readonly error?: ErrorCard;
  /** Open questions, oldest first. */
  readonly openAsks: readonly string[];
  readonly recent: readonly { readonly sessionId: string; readonly title: string; readonly at: number }[];
  /** What to come back to after a restart of the window; the view keeps it and hands it back. */
  readonly resume?: ResumeView;
}

export interface ResumeView {
  readonly folder: string;
  /** Under what the host keeps the draft of a conversation that has not begun. */
  readonly draftKey?: string;
  /** Absent while nothing was said. */
  readonly sessionId?: string;
  /** The session is to be branched with the next prompt, not continued. */
  readonly fork?: boolean;
  /** Branched off after this message. */
  readonly at?: string;
  /** Chosen for this session by the person. */
  readonly model?: string;
}
