import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { HostResponseOf } from '../protocol/controlRequests.ts';
import { readHostResponse } from '../protocol/controlRequests.ts';
import type { ControlFailure, ControlSuccess } from '../protocol/controlResponse.ts';
import type { HostFrame, HostRequest } from '../protocol/hostFrame.ts';
import type { CliHandlers } from './cliQuestions.ts';
import { CliQuestions, UNSUPPORTED } from './cliQuestions.ts';
import { asError, SessionError } from './errors.ts';

export interface RequestOptions {
  /** 60 s unless told; 0 waits as long as the line lives. */
  readonly timeoutMs?: number;
  /** Withdraws the request. */
  readonly signal?: AbortSignal;
}

export interface ControlChannelOptions {
  readonly send: (frame: HostFrame) => Promise<void>;
  readonly handlers?: CliHandlers;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly newId: () => string;
  readonly timeoutMs?: number;
}

interface Pending {
  readonly resolve: (success: ControlSuccess) => void;
  readonly reject: (error: SessionError) => void;
  readonly ends: Disposable[];
}

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Questions and answers in both directions over one line. Ours are matched by id, time out and can be withdrawn; the
 * CLI's are served side by side, also while one of ours is open. What belongs to nobody (echoes of our own answers,
 * late answers, cancels for unknown ids) is ignored.
 */
export class ControlChannel {
  readonly #send: (frame: HostFrame) => Promise<void>;
  readonly #questions: CliQuestions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #newId: () => string;
  readonly #timeoutMs: number;
  #pending = new Map<string, Pending>();
  #closed: SessionError | undefined;

  constructor(options: ControlChannelOptions) {
    this.#send = options.send;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#newId = options.newId;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    const write = (frame: HostFrame, onFailure?: (error: Error) => void): void => this.#write(frame, onFailure);
    this.#questions = new CliQuestions(options.handlers ?? {}, write, this.#logger);
  }

  /** Asks the CLI. Rejects with a `SessionError`: refused, unsupported, timedOut, cancelled, sendFailed or closed. */
  request<Request extends HostRequest>(
    request: Request,
    options: RequestOptions = {},
  ): Promise<HostResponseOf<Request['subtype']>> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    if (options.signal?.aborted === true) return Promise.reject(withdrawn(request.subtype));
    const id = this.#newId();
    return new Promise((resolve, reject) => {
      const take = (success: ControlSuccess): void => {
        const note = (code: string, message: string) =>
          this.#logger.warn(`${request.subtype} answer: ${code}: ${message}`);
        const value = readHostResponse<Request['subtype']>(request.subtype, success.response, note);
        if (value !== undefined) resolve(value);
        else reject(new SessionError('refused', `The answer to ${request.subtype} cannot be read.`));
      };
      this.#pending.set(id, { resolve: take, reject, ends: this.#limits(id, request.subtype, options) });
      this.#send({ type: 'control_request', request_id: id, request }).catch((cause: unknown) => {
        const failure = `${request.subtype} could not be sent: ${asError(cause).message}`;
        this.#take(id)?.reject(new SessionError('sendFailed', failure, { cause }));
      });
    });
  }

  /** Takes control frames; false for every other frame. */
  receive(frame: CliFrame): boolean {
    switch (frame.type) {
      case 'control_response':
        this.#settle(frame.response);
        return true;
      case 'control_request':
        this.#questions.serve(frame);
        return true;
      case 'control_cancel_request':
        this.#questions.withdraw(frame.request_id);
        return true;
      default:
        return false;
    }
  }

  /** The line ended: everything pending is rejected, everything being served is aborted, nothing is written any more. */
  close(reason: SessionError): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    const pending = this.#pending;
    this.#pending = new Map();
    try {
      for (const entry of pending.values()) {
        endAll(entry.ends);
        entry.reject(reason);
      }
    } finally {
      this.#questions.close(reason);
    }
  }

  #limits(id: string, subtype: string, options: RequestOptions): Disposable[] {
    const ends: Disposable[] = [];
    const timeoutMs = options.timeoutMs ?? this.#timeoutMs;
    if (timeoutMs > 0) {
      const late = () => this.#giveUp(id, new SessionError('timedOut', `No answer to ${subtype} in ${timeoutMs} ms.`));
      ends.push(this.#clock.after(timeoutMs, late));
    }
    const { signal } = options;
    if (signal !== undefined) {
      const abort = () => this.#giveUp(id, withdrawn(subtype));
      signal.addEventListener('abort', abort, { once: true });
      ends.push({ dispose: () => signal.removeEventListener('abort', abort) });
    }
    return ends;
  }

  #take(id: string): Pending | undefined {
    const entry = this.#pending.get(id);
    this.#pending.delete(id);
    if (entry !== undefined) endAll(entry.ends);
    return entry;
  }

  #giveUp(id: string, error: SessionError): void {
    const entry = this.#take(id);
    if (entry === undefined) return;
    entry.reject(error);
    this.#write({ type: 'control_cancel_request', request_id: id });
  }

  #settle(response: ControlSuccess | ControlFailure): void {
    const entry = this.#take(response.request_id);
    if (entry === undefined) {
      this.#logger.trace(`control_response for ${response.request_id}, which is not open here`);
      return;
    }
    if (response.subtype === 'success') entry.resolve(response);
    else entry.reject(refusal(response));
    const pending = [
      ...(response.pending_permission_requests ?? []),
      ...(response.pending_user_dialog_requests ?? []),
      ...(response.pending_elicitation_requests ?? []),
    ];
    for (const request of pending) this.#questions.serve(request);
  }

  #write(frame: HostFrame, onFailure?: (error: Error) => void): void {
    this.#send(frame).catch((thrown: unknown) => {
      const error = asError(thrown);
      this.#logger.warn(`${frame.type} could not be sent: ${error.message}`);
      onFailure?.(error);
    });
  }
}

function withdrawn(subtype: string): SessionError {
  return new SessionError('cancelled', `${subtype} was withdrawn.`);
}

function refusal(response: ControlFailure): SessionError {
  // Older CLIs give no code, only the sentence.
  const unknown = response.error_code === undefined && response.error.startsWith(UNSUPPORTED);
  const code = unknown || response.error_code === 'unsupported_request' ? 'unsupported' : 'refused';
  const wire = response.error_code === undefined ? {} : { wireCode: response.error_code };
  return new SessionError(code, response.error, wire);
}

function endAll(ends: readonly Disposable[]): void {
  for (const end of ends) end.dispose();
}
