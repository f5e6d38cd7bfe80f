import type { Fields } from './schemaKit.ts';
import { isFields } from './schemaKit.ts';

/**
 * What earlier CLIs and descriptions of the protocol do differently, brought into the present shape before validation.
 * Each function returns its argument when there is nothing to change, and never invents what neither shape says.
 */

/** `model` beside the message, `error` inside it. */
export function presentAssistant(raw: Fields): Fields {
  const frame = withMessage(raw);
  const message = frame['message'];
  if (!isFields(message)) return frame;
  const model = message['model'] ?? frame['model'];
  const error = frame['error'] ?? message['error'];
  if (model === message['model'] && error === frame['error']) return frame;
  return { ...frame, ...(error === undefined ? {} : { error }), message: { ...message, model } };
}

/** Content beside the message, or the message as bare content. */
export function presentUser(raw: Fields): Fields {
  return withMessage(raw);
}

function withMessage(raw: Fields): Fields {
  const message = raw['message'];
  if (isFields(message)) return raw;
  return { ...raw, message: { role: raw['type'], content: message ?? raw['content'] } };
}

/** Payload in a `data` envelope; fields beside it win. */
export function presentSystem(raw: Fields): Fields {
  const frame = isFields(raw['data']) ? merged(raw, raw['data']) : raw;
  if (frame['subtype'] !== 'hook_response' || frame['output'] !== undefined) return frame;
  return typeof frame['response'] === 'string' ? { ...frame, output: frame['response'] } : frame;
}

function merged(raw: Fields, data: Fields): Fields {
  const extra = Object.entries(data).filter(([key]) => raw[key] === undefined || raw[key] === null);
  return extra.length === 0 ? raw : { ...raw, ...Object.fromEntries(extra) };
}

/** `output` as one string, `error: null`, or nothing but a `status`. */
export function presentAuthStatus(raw: Fields): Fields {
  const { error, output, isAuthenticating, ...rest } = raw;
  const frame: Fields = {
    ...rest,
    isAuthenticating: isAuthenticating ?? raw['status'] === 'authenticating',
    output: output === undefined || output === null ? [] : typeof output === 'string' ? [output] : output,
  };
  return error === undefined || error === null ? frame : { ...frame, error };
}

/** Snake case in the usage per model; no word on whether it failed. */
export function presentResult(raw: Fields): Fields {
  const usage = raw['modelUsage'] ?? raw['model_usage'] ?? {};
  const modelUsage = isFields(usage) ? presentUsage(usage) : usage;
  const is_error = raw['is_error'] ?? raw['subtype'] !== 'success';
  return modelUsage === raw['modelUsage'] && is_error === raw['is_error'] ? raw : { ...raw, modelUsage, is_error };
}

const USAGE_NAMES: ReadonlyMap<string, string> = new Map([
  ['input_tokens', 'inputTokens'],
  ['output_tokens', 'outputTokens'],
  ['cache_read_input_tokens', 'cacheReadInputTokens'],
  ['cache_creation_input_tokens', 'cacheCreationInputTokens'],
  ['web_search_requests', 'webSearchRequests'],
  ['cost_usd', 'costUSD'],
  ['context_window', 'contextWindow'],
  ['max_output_tokens', 'maxOutputTokens'],
  ['thinking_tokens', 'thinkingTokens'],
]);

function presentUsage(usage: Fields): Fields {
  if (!Object.values(usage).some(isSnakeCase)) return usage;
  return Object.fromEntries(
    Object.entries(usage).map(([model, row]) => [model, isFields(row) && isSnakeCase(row) ? inCamelCase(row) : row]),
  );
}

function isSnakeCase(row: unknown): boolean {
  return isFields(row) && Object.keys(row).some(key => USAGE_NAMES.has(key));
}

/** Where a row has a value under both names, the present name wins: it comes last. */
function inCamelCase(row: Fields): Fields {
  const entries = Object.entries(row);
  const older = entries.flatMap(([key, value]) => {
    const name = USAGE_NAMES.get(key);
    return name === undefined ? [] : [[name, value] as const];
  });
  const present = entries.filter(([key]) => !USAGE_NAMES.has(key));
  return Object.fromEntries([...older, ...present]);
}
