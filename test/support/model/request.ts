import type { IncomingHttpHeaders } from 'node:http';

/**
 * One HTTP request the model received, read tolerantly: what is missing is empty, what is unknown stays in `body`.
 *
 * - `main`: a step of the conversation, `subagent`: a step of a subagent's conversation
 * - `title`: the CLI wants a name for the session, `compact`: a summary of it, `probe`: it tries whether a model exists,
 *   `countTokens`: it measures, `side`: any other question besides the conversation (for example `side_question`)
 * - `other`: anything that is not a POST to the Messages API
 */
export interface ModelRequest {
  readonly index: number;
  readonly kind: RequestKind;
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed JSON body; undefined if there was none or it was not JSON. */
  readonly body: unknown;
  readonly bodyBytes: number;
  readonly model: string;
  readonly stream: boolean;
  /** The system prompt as one text, including system messages inside the conversation. */
  readonly system: string;
  /** Names of the tools whose schema was sent. */
  readonly tools: readonly string[];
  readonly messages: readonly ModelMessage[];
  /** Resolves when the answer has ended, and how. */
  readonly ended: Promise<RequestEnd>;
}

export type RequestKind = 'main' | 'subagent' | 'title' | 'compact' | 'probe' | 'countTokens' | 'side' | 'other';

/** `answered`: all was sent. `cut`: the script broke the line. `aborted`: the client went away. `stopped`: the model was stopped. */
export type RequestEnd = 'answered' | 'cut' | 'aborted' | 'stopped';

export interface ModelMessage {
  readonly role: string;
  readonly blocks: readonly ModelBlock[];
}

export type ToolUseBlock = Extract<ModelBlock, { type: 'toolUse' }>;
export type ToolResultBlock = Extract<ModelBlock, { type: 'toolResult' }>;

export type ModelBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolUse'; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | { readonly type: 'toolResult'; readonly id: string; readonly text: string; readonly isError: boolean }
  | { readonly type: 'other'; readonly name: string };

/**
 * The newest text that a person wrote: the last text block of a user message that is not made by the CLI (reminders,
 * command output, interrupt marks). Blocks before it in the same message are older prompts or attached context.
 */
export function promptOf(request: ModelRequest): string {
  return (
    request.messages
      .findLast(message => ownText(message) !== '')
      ?.blocks.map(ownTextOfBlock)
      .findLast(isNotEmpty) ?? ''
  );
}

/** What the person wrote in this message, without what the CLI and the editor wrapped in tags. */
export function ownText(message: ModelMessage): string {
  if (message.role !== 'user') return '';
  return message.blocks.map(ownTextOfBlock).filter(isNotEmpty).join('\n');
}

function ownTextOfBlock(block: ModelBlock): string {
  if (block.type !== 'text') return '';
  return stripTagged(block.text)
    .replaceAll(/\[Request interrupted by user[^\]]*\]/g, '')
    .trim();
}

/** Removes `<some-tag>…</some-tag>` where they start a line: reminders, command output, editor context. */
export function stripTagged(text: string): string {
  return text.replaceAll(/^[ \t]*<([a-z][\w-]*)(?: [^>]*)?>[\s\S]*?<\/\1>/gm, '').trim();
}

function isNotEmpty(text: string): boolean {
  return text !== '';
}

/** Every tool result of the conversation, oldest first. */
export function toolResultsOf(request: ModelRequest): ToolResultBlock[] {
  return request.messages.flatMap(message => message.blocks.filter(block => block.type === 'toolResult'));
}
