import type { ToolCard } from './toolCard.ts';

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
