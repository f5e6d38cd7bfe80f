import type { IncomingHttpHeaders } from 'node:http';

/**
 * One HTTP request the model received, read tolerantly: what is missing is empty, what is unknown stays in `body`.
 *
 * - `main`: a step of the conversation, `subagent`: a step of a subagent's conversation
 * - `title`: the CLI wants a name for the session, `probe`: it tries whether a model exists, `countTokens`: it measures,
 *   `side`: any other question besides the conversation (for example `side_question`)
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

export type RequestKind = 'main' | 'subagent' | 'title' | 'probe' | 'countTokens' | 'side' | 'other';

/** `answered`: all was sent. `cut`: the script broke the line. `aborted`: the client went away. `stopped`: the model was stopped. */
export type RequestEnd = 'answered' | 'cut' | 'aborted' | 'stopped';

export interface ModelMessage {
  readonly role: string;
  readonly blocks: readonly ModelBlock[];
}

export type ModelBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'toolUse'; readonly id: string; readonly name: string; readonly input: Record<string, unknown> }
  | { readonly type: 'toolResult'; readonly id: string; readonly text: string; readonly isError: boolean }
  | { readonly type: 'other'; readonly name: string };

/** The text of the newest user message that is the person's own: reminders the CLI adds are left out. */
export function promptOf(request: ModelRequest): string {
  for (const message of request.messages.toReversed()) {
    if (message.role !== 'user') continue;
    const own = ownText(message);
    if (own !== '') return own;
  }
  return '';
}

/** What the person wrote in this message, without the `<system-reminder>` blocks of the CLI. */
export function ownText(message: ModelMessage): string {
  return message.blocks
    .flatMap(block => (block.type === 'text' ? [stripReminders(block.text)] : []))
    .filter(text => text !== '')
    .join('\n');
}

export function stripReminders(text: string): string {
  return text.replaceAll(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '').trim();
}

/** Every tool result of the conversation, oldest first. */
export function toolResultsOf(request: ModelRequest): Extract<ModelBlock, { type: 'toolResult' }>[] {
  return request.messages.flatMap(message => message.blocks.filter(block => block.type === 'toolResult'));
}
