import type { ElicitationRequest } from '../protocol/cliRequests.ts';
import type { ContentBlock } from '../protocol/contentBlock.ts';

/**
 * What a conversation is made of once the wire is forgotten: an ordered list of items, one for each thing a reader can
 * point at. The reducer fills it from live frames or from a transcript file, with the same outcome.
 *
 * Items are replaced, never changed in place: whoever holds one may compare by identity to see whether it changed.
 */
export type TranscriptItem = PromptItem | TextItem | ThinkingItem | ToolItem | NoticeItem;

interface ItemBase {
  /** Stable for the life of the conversation, also over a reload from disk. */
  readonly id: string;
  /** Milliseconds since the epoch; 0 when nobody said. */
  readonly at: number;
  /** The tool use this belongs under (a subagent's doings). Absent at top level. */
  readonly parentToolUseId?: string;
}

/** Something the person (or the CLI in their name) said. The id is the prompt's uuid: the key of rewind and of the queue. */
export interface PromptItem extends ItemBase {
  readonly kind: 'prompt';
  readonly text: string;
  /** Everything beside the text: images and documents, as they were sent. */
  readonly attachments: readonly ContentBlock[];
  /**
   * `folded`: taken into a turn that was already running, hence no rewind point. `interrupted`: the agent had begun with
   * it when the turn was stopped, failed or lost its process. `cancelled`: it never got that far.
   */
  readonly state: 'queued' | 'started' | 'completed' | 'interrupted' | 'cancelled' | 'folded';
  /** Text the CLI made up (a resume note, a subagent's task): shown dimmed. */
  readonly synthetic: boolean;
}

export interface TextItem extends ItemBase {
  readonly kind: 'text';
  readonly text: string;
  /** Still growing; text is only ever appended while this is true, unless the draft is dropped whole. */
  readonly streaming: boolean;
  /** Cut by the user's stop; may end inside a word. */
  readonly aborted: boolean;
  readonly model?: string;
  /** uuid of the wire frame or file line that closed it: what fork and resume-at need. */
  readonly uuid?: string;
}

export interface ThinkingItem extends ItemBase {
  readonly kind: 'thinking';
  readonly text: string;
  readonly streaming: boolean;
  readonly redacted: boolean;
  readonly durationMs?: number;
  readonly estimatedTokens?: number;
}

export type ToolState = 'streaming' | 'pending' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'backgrounded';

export interface ToolItem extends ItemBase {
  readonly kind: 'tool';
  /** Equal to the id: the wire's tool_use id. */
  readonly toolUseId: string;
  readonly name: string;
  /** The final input once known; what could be read so far while it streams. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly state: ToolState;
  /** What the model was told: text and images. */
  readonly resultContent: readonly ContentBlock[];
  /** The CLI's structured result (`tool_use_result`), as it came; `readToolResult` reads it. */
  readonly structuredResult?: unknown;
  readonly elapsedSeconds?: number;
  readonly endedAt?: number;
  /** A subagent or shell that runs as a task. */
  readonly taskId?: string;
  /** No tool at all: what an MCP server asked the person, in a row of its own. */
  readonly elicitation?: ElicitationRequest;
  /** Whether a permission was given and by what, when the CLI said so. */
  readonly decision?: { readonly accepted: boolean; readonly source?: string; readonly reason?: string };
  readonly uuid?: string;
}

/** Everything that is neither speech nor a tool: one quiet row each. */
export interface NoticeItem extends ItemBase {
  readonly kind: 'notice';
  readonly notice: Notice;
}

export type Notice =
  | { readonly type: 'compacting' }
  | { readonly type: 'compacted'; readonly trigger: string; readonly preTokens?: number; readonly postTokens?: number }
  | { readonly type: 'compactFailed'; readonly message: string }
  | { readonly type: 'compactSummary'; readonly text: string }
  | { readonly type: 'modelChanged'; readonly model: string }
  | {
      readonly type: 'retrying';
      readonly attempt: number;
      readonly maxRetries: number;
      readonly retryAt: number;
      readonly status: number | null;
      readonly error: string;
    }
  | { readonly type: 'rateLimit'; readonly status: string; readonly limit?: string; readonly resetsAt?: number }
  | { readonly type: 'informational'; readonly level: string; readonly text: string }
  | { readonly type: 'localCommand'; readonly command?: string; readonly output: string }
  | { readonly type: 'refusal'; readonly text: string; readonly fallbackModel?: string }
  | { readonly type: 'permissionDenied'; readonly toolName: string; readonly message: string }
  | { readonly type: 'hook'; readonly name: string; readonly outcome: string; readonly output: string }
  | { readonly type: 'memory'; readonly paths: readonly string[] }
  | { readonly type: 'stopped' }
  | { readonly type: 'turnFailed'; readonly code: string; readonly message: string; readonly status?: number }
  | { readonly type: 'writesLost'; readonly code: string }
  /** Ours, not the CLI's: files were taken back (`rewind`, `revert`) or brought forward again (`undo`). */
  | {
      readonly type: 'rewound';
      readonly what: 'rewind' | 'undo' | 'revert';
      readonly files: readonly string[];
      readonly removed: readonly string[];
      readonly undone: boolean;
    }
  | { readonly type: 'unknown'; readonly rawType: string; readonly raw: unknown };

/** A background task, subagent or long shell as the CLI reports it. */
export interface TaskInfo {
  readonly taskId: string;
  readonly taskType: string;
  readonly description: string;
  readonly toolUseId?: string;
  readonly status: 'pending' | 'running' | 'completed' | 'failed' | 'killed' | 'stopped' | 'paused';
  readonly background: boolean;
  readonly ambient: boolean;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly usage?: { readonly totalTokens: number; readonly toolUses: number; readonly durationMs: number };
  readonly lastToolName?: string;
  readonly summary?: string;
  readonly error?: string;
}

/** Money and tokens, always from the newest result: totals are cumulative, never summed by us. */
export interface UsageInfo {
  readonly totalCostUsd: number;
  /** Tokens of the newest main-loop request: what is in the context now, as far as the wire tells. */
  readonly contextTokens?: number;
  readonly contextWindow?: number;
  readonly outputTokens?: number;
}

/**
 * One step of change, small enough to be gathered into one post per frame.
 * `added` with an index is the place among the siblings (same parent); `reset` means read everything again.
 */
export type TranscriptChange =
  | { readonly type: 'added'; readonly item: TranscriptItem; readonly index: number }
  | { readonly type: 'updated'; readonly item: TranscriptItem }
  /** A streaming text or thinking item grew at its end; `item` already has the whole text. */
  | { readonly type: 'grew'; readonly item: TextItem | ThinkingItem; readonly appended: string }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'tasks' }
  | { readonly type: 'usage' }
  | { readonly type: 'reset' };
