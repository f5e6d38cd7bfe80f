import type { Gate } from './gate.ts';

/**
 * The words of a model script. A turn is one answer of the Messages API: a step or a list of steps, played in order.
 *
 *     model.enqueue([think('Let me look.'), say('I will write it.'), tool('Write', { file_path, content })]);
 *     model.enqueue(fail(529), say('Better now.'));
 *     model.enqueue(say('one ', gate, 'two'));
 */
export type Turn = Step | readonly Step[];

export type Step =
  | TextStep
  | ThinkStep
  | RedactedStep
  | ToolStep
  | { readonly kind: 'wait'; readonly gate: Gate }
  | { readonly kind: 'stop'; readonly reason: StopReason }
  | { readonly kind: 'usage'; readonly usage: UsageNumbers }
  | { readonly kind: 'cut' }
  | { readonly kind: 'cutAfter'; readonly deltas: number }
  | { readonly kind: 'sseError'; readonly type: string; readonly message: string }
  | FailStep;

/** What a block is written of: text, with gates where the model has to wait in the middle of it. */
export type Part = string | Gate;

/** How text is cut into deltas. `chunk` counts characters (code points); `deltaMs` is the pause before each delta. */
export interface Pace {
  readonly chunk: number;
  readonly deltaMs: number;
}

export interface TextStep {
  readonly kind: 'text';
  readonly parts: readonly Part[];
  readonly pace: Pace;
}

export interface ThinkStep {
  readonly kind: 'think';
  readonly parts: readonly Part[];
  readonly pace: Pace;
}

export interface RedactedStep {
  readonly kind: 'redacted';
  readonly data: string;
}

export interface ToolStep {
  readonly kind: 'tool';
  readonly name: string;
  /** The input as it goes over the wire: JSON text, which `rawTool` may leave broken. */
  readonly json: string;
  readonly id: string | undefined;
  readonly pace: Pace;
}

export interface FailStep {
  readonly kind: 'fail';
  readonly status: FailStatus;
  readonly retryAfter: number | undefined;
  readonly message: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type StopReason =
  'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'pause_turn' | 'refusal' | 'model_context_window_exceeded';

export type FailStatus = 400 | 401 | 402 | 403 | 404 | 413 | 429 | 500 | 503 | 504 | 529;

export interface UsageNumbers {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

const plainPace: Pace = { chunk: 24, deltaMs: 0 };

/** A text block. Gates between the strings stop the stream inside the block. */
export function say(...parts: readonly Part[]): TextStep {
  return { kind: 'text', parts, pace: plainPace };
}

/** A text block that comes in small pieces with a pause before each. */
export function slowly(text: string, pace: Partial<Pace> = {}): TextStep {
  return { kind: 'text', parts: [text], pace: { chunk: pace.chunk ?? 4, deltaMs: pace.deltaMs ?? 25 } };
}

/** A text block of exactly so many bytes (ASCII, in lines of 64), sent in large pieces. */
export function big(bytes: number): TextStep {
  const line = 'All work and no play makes a very long line for the transcript.\n';
  const text = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  return { kind: 'text', parts: [text], pace: { chunk: 16_384, deltaMs: 0 } };
}

/** A thinking block with a signature, as the API sends it. */
export function think(...parts: readonly Part[]): ThinkStep {
  return { kind: 'think', parts, pace: plainPace };
}

export function thinkSlowly(text: string, pace: Partial<Pace> = {}): ThinkStep {
  return { kind: 'think', parts: [text], pace: { chunk: pace.chunk ?? 4, deltaMs: pace.deltaMs ?? 25 } };
}

export function redactedThinking(data = 'cmVkYWN0ZWQ='): RedactedStep {
  return { kind: 'redacted', data };
}

/** A tool call; the turn's stop reason becomes `tool_use`. The id is made up unless a test needs to know it. */
export function tool(name: string, input: Readonly<Record<string, unknown>>, id?: string): ToolStep {
  return { kind: 'tool', name, json: JSON.stringify(input), id, pace: { chunk: 64, deltaMs: 0 } };
}

/** A tool call whose input is the given text, valid JSON or not. */
export function rawTool(name: string, json: string, id?: string): ToolStep {
  return { kind: 'tool', name, json, id, pace: { chunk: 64, deltaMs: 0 } };
}

/** Waits between blocks until the gate is opened. */
export function wait(gate: Gate): Step {
  return { kind: 'wait', gate };
}

/** The stop reason; without it `tool_use` if a tool is called, else `end_turn`. */
export function stop(reason: StopReason): Step {
  return { kind: 'stop', reason };
}

/** The numbers of `usage`; those left out are estimated from the sizes. */
export function usage(numbers: UsageNumbers): Step {
  return { kind: 'usage', usage: numbers };
}

/** The connection breaks here, without a word. */
export function cut(): Step {
  return { kind: 'cut' };
}

/** The connection breaks after so many content deltas of the whole answer. Put it before the blocks it cuts. */
export function cutAfter(deltas: number): Step {
  return { kind: 'cutAfter', deltas };
}

/** An `error` event inside a stream that began well (a JSON request gets it as an HTTP error). */
export function sseError(type = 'overloaded_error', message = 'Overloaded'): Step {
  return { kind: 'sseError', type, message };
}

export interface FailOptions {
  /** Seconds, sent as the `retry-after` header. */
  readonly retryAfter?: number;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The whole answer is this HTTP error, with the API's error body. */
export function fail(status: FailStatus, options: FailOptions = {}): FailStep {
  return {
    kind: 'fail',
    status,
    retryAfter: options.retryAfter,
    message: options.message ?? failures[status].message,
    headers: options.headers ?? {},
  };
}

/** The same turn so many times: `model.enqueue(...times(3, fail(500)), say('back'))`. */
export function times(count: number, turn: Turn): Turn[] {
  return Array.from({ length: count }, () => turn);
}

/** The API's own names and words for its failures. */
export const failures: Readonly<Record<FailStatus, { readonly type: string; readonly message: string }>> = {
  400: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' },
  401: { type: 'authentication_error', message: 'invalid x-api-key' },
  402: { type: 'billing_error', message: 'Your credit balance is too low to access the API.' },
  403: { type: 'permission_error', message: 'Your account does not have permission to use this resource.' },
  404: { type: 'not_found_error', message: 'model: no such model' },
  413: { type: 'request_too_large', message: 'Request exceeds the maximum size' },
  429: { type: 'rate_limit_error', message: 'This request would exceed your rate limit.' },
  500: { type: 'api_error', message: 'Internal server error' },
  503: { type: 'api_error', message: 'Service unavailable' },
  504: { type: 'timeout_error', message: 'Request timed out' },
  529: { type: 'overloaded_error', message: 'Overloaded' },
};
