import type { CliControlRequest } from './cliRequests.ts';
import { readCliControlRequest } from './cliRequests.ts';
import type { TakeNote } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import { isFields } from './schemaKit.ts';

/** Questions still open when the CLI answered; full frames, which may repeat ones that came live. */
export interface PendingRequests {
  pending_permission_requests?: CliControlRequest[];
  pending_user_dialog_requests?: CliControlRequest[];
  pending_elicitation_requests?: CliControlRequest[];
}

export interface ControlSuccess extends PendingRequests {
  subtype: 'success';
  request_id: string;
  /** Absent on a bare acknowledgement. Read it with `readHostResponse`, by the subtype of the request. */
  response?: unknown;
}

export interface ControlFailure extends PendingRequests {
  subtype: 'error';
  request_id: string;
  error: string;
  error_code?: string;
  /** On a refused `set_model`: the one still active. */
  model?: string;
}

/** The CLI's answer to one of our requests, or, under replay, the echo of an answer of ours. */
export interface CliControlResponse {
  type: 'control_response';
  response: ControlSuccess | ControlFailure;
}

const PENDING = [
  'pending_permission_requests',
  'pending_user_dialog_requests',
  'pending_elicitation_requests',
] as const satisfies readonly (keyof PendingRequests)[];

/** `undefined` when it names no request. Any subtype but `error` counts as success, as it does for the CLI itself. */
export function readControlResponse(frame: Fields, note: TakeNote): CliControlResponse | undefined {
  const body = frame['response'];
  if (!isFields(body) || typeof body['request_id'] !== 'string' || body['request_id'] === '') {
    note('invalidField', 'control_response: no request_id');
    return undefined;
  }
  const request_id = body['request_id'];
  const pending = readPending(body, note);
  if (body['subtype'] === 'error') {
    return { ...frame, type: 'control_response', response: { ...failure(body, note), request_id, ...pending } };
  }
  if (body['subtype'] !== 'success') note('unknownValue', 'unknown value at response.subtype');
  return {
    ...frame,
    type: 'control_response',
    response: { ...body, subtype: 'success', request_id, ...pending },
  };
}

function failure(body: Fields, note: TakeNote): Omit<ControlFailure, 'request_id'> {
  const { error, error_code: code, ...rest } = body;
  if (typeof error !== 'string') note('invalidField', 'response.error: expected string');
  const told = typeof error === 'string' ? error : describe(error);
  const kept = { ...rest, subtype: 'error' as const, error: told };
  return typeof code === 'string' ? { ...kept, error_code: code } : kept;
}

function describe(error: unknown): string {
  if (isFields(error) && typeof error['message'] === 'string') return error['message'];
  return '';
}

function readPending(body: Fields, note: TakeNote): PendingRequests {
  const pending: PendingRequests = {};
  for (const key of PENDING) {
    const value = body[key];
    if (value === undefined) continue;
    const entries: readonly unknown[] = Array.isArray(value) ? value : [];
    pending[key] = entries.flatMap(entry => {
      const request = isFields(entry) ? readCliControlRequest(entry, note) : undefined;
      return request === undefined ? [] : [request];
    });
  }
  return pending;
}
