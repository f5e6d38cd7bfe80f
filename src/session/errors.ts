/**
 * `closed`: the line to the CLI ended (or was never opened). `timedOut`: no answer in time. `cancelled`: withdrawn by us.
 * `refused`: the CLI answered with an error. `unsupported`: the CLI does not know the request, so the feature behind it
 * should switch itself off. `sendFailed`: the frame could not be written. `invalidDecision`: an answer that must not reach
 * the CLI. `invalidState`: called at the wrong moment, a mistake of ours.
 */
export type SessionErrorCode =
  'closed' | 'timedOut' | 'cancelled' | 'refused' | 'unsupported' | 'sendFailed' | 'invalidDecision' | 'invalidState';

/** What goes wrong in this room, by code. The message is for the log; words for people are made by the host. */
export class SessionError extends Error {
  override readonly name = 'SessionError';
  readonly code: SessionErrorCode;
  /** The CLI's own `error_code`, when it gave one. */
  readonly wireCode: string | undefined;

  constructor(code: SessionErrorCode, message: string, options?: ErrorOptions & { readonly wireCode?: string }) {
    super(message, options);
    this.code = code;
    this.wireCode = options?.wireCode;
  }
}

/** Whatever was thrown, as an Error: foreign code may throw anything. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown), { cause: thrown });
}
