import type { FormField } from './formField.ts';

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
