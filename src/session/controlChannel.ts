import { assertNever } from '../base/assertNever.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { CliAnswerMap } from '../protocol/cliAnswers.ts';
import { answerFrame } from '../protocol/cliAnswers.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { CliControlRequest, CliRequestOf, CliRequestSubtype } from '../protocol/cliRequests.ts';
import type { HostResponseOf } from '../protocol/controlRequests.ts';
import { readHostResponse } from '../protocol/controlRequests.ts';
import type { ControlFailure, ControlSuccess } from '../protocol/controlResponse.ts';
import type { HostFrame, HostRequest } from '../protocol/hostFrame.ts';
import { TransportError } from '../protocol/transport.ts';
import { asError, SessionError } from './errors.ts';

/** One question of the CLI, open until it is answered, failed, withdrawn or closed: one of these, once. */
export interface OpenRequest<Subtype extends CliRequestSubtype> {
  readonly requestId: string;
  readonly request: CliRequestOf<Subtype>;
  /** Aborted with a `SessionError`: `cancelled` when the CLI withdrew it, `closed` when the line ended. */
  readonly signal: AbortSignal;
  /**
   * Writes the answer. False, and nothing written, when the question is no longer open. Throws, and leaves it open, when
   * the answer does not have the form the CLI would understand.
   */
  answer(answer: CliAnswerMap[Subtype]): boolean;
  /** Writes an error frame: neither yes nor no. */
  fail(error: Error): boolean;
}

/**
 * Takes a question. It may answer now, later, or leave it to lie (a question nobody may answer for the user). Throwing
 * or rejecting answers with an error frame.
 */
export type CliHandler<Subtype extends CliRequestSubtype> = (open: OpenRequest<Subtype>) => void | Promise<void>;
export type CliHandlers = { readonly [Subtype in CliRequestSubtype]?: CliHandler<Subtype> };

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

interface Served {
  readonly controller: AbortController;
}

const DEFAULT_TIMEOUT_MS = 60_000;
const UNSUPPORTED = 'Unsupported control request subtype';
/** How many answered ids are remembered: a list of pending questions may name one we have just answered. */
const REMEMBERED = 1024;

/**
 * Questions and answers in both directions over one line. Ours are matched by id, time out and can be withdrawn; the
 * CLI's are served side by side, also while one of ours is open. What belongs to nobody (echoes of our own answers,
 * late answers, cancels for unknown ids) is ignored.
 */
export class ControlChannel {
  readonly #send: (frame: HostFrame) => Promise<void>;
  readonly #handlers: CliHandlers;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #newId: () => string;
  readonly #timeoutMs: number;
  #pending = new Map<string, Pending>();
  #serving = new Map<string, Served>();
  readonly #settled = new Set<string>();
  #closed: SessionError | undefined;

  constructor(options: ControlChannelOptions) {
    this.#send = options.send;
    this.#handlers = options.handlers ?? {};
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#newId = options.newId;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
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
        this.#serve(frame);
        return true;
      case 'control_cancel_request':
        this.#withdraw(frame.request_id);
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
    const serving = this.#serving;
    this.#pending = new Map();
    this.#serving = new Map();
    try {
      for (const entry of pending.values()) {
        endAll(entry.ends);
        entry.reject(reason);
      }
    } finally {
      for (const entry of serving.values()) entry.controller.abort(reason);
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
    for (const request of pending) this.#serve(request);
  }

  #withdraw(id: string): void {
    const entry = this.#serving.get(id);
    if (entry === undefined) return;
    this.#serving.delete(id);
    this.#remember(id);
    entry.controller.abort(new SessionError('cancelled', 'The CLI withdrew its question.'));
  }

  #serve(frame: CliControlRequest): void {
    const { request_id: id, request } = frame;
    if (this.#closed !== undefined || this.#serving.has(id) || this.#settled.has(id)) return;
    const controller = new AbortController();
    this.#serving.set(id, { controller });
    switch (request.subtype) {
      case 'can_use_tool':
        this.#hand(id, controller, request, this.#handlers.can_use_tool);
        break;
      case 'hook_callback':
        this.#hand(id, controller, request, this.#handlers.hook_callback);
        break;
      case 'mcp_message':
        this.#hand(id, controller, request, this.#handlers.mcp_message);
        break;
      case 'elicitation':
        this.#hand(id, controller, request, this.#handlers.elicitation);
        break;
      case 'request_user_dialog':
        // Without a handler no kind was declared, and an undeclared kind is another client's to answer.
        this.#hand(id, controller, request, this.#handlers.request_user_dialog ?? leaveOpen);
        break;
      case 'unknown':
        this.#refuse(id, controller, request.rawSubtype ?? '');
        break;
      default:
        assertNever(request);
    }
  }

  #refuse(id: string, controller: AbortController, subtype: string): void {
    this.#logger.warn(`The CLI asked ${subtype}, which is not served here`);
    this.#answer(id, controller, errorFrame(id, `${UNSUPPORTED}: ${subtype}`));
  }

  #hand<Subtype extends CliRequestSubtype>(
    id: string,
    controller: AbortController,
    request: CliRequestOf<Subtype> & { readonly subtype: Subtype },
    handler: CliHandler<Subtype> | undefined,
  ): void {
    const { subtype } = request;
    if (handler === undefined) {
      this.#refuse(id, controller, subtype);
      return;
    }
    const fail = (error: Error): boolean => this.#answer(id, controller, errorFrame(id, error.message || error.name));
    const answer = (response: CliAnswerMap[Subtype]): boolean =>
      this.#isOpen(id, controller) && this.#answer(id, controller, answerFrame(subtype, id, response));
    const broke = (thrown: unknown): void => {
      const error = asError(thrown);
      this.#logger.error(`The handler of ${subtype} failed: ${error.message}`);
      fail(error);
    };
    try {
      Promise.resolve(handler({ requestId: id, request, signal: controller.signal, answer, fail })).catch(broke);
    } catch (error) {
      broke(error);
    }
  }

  #isOpen(id: string, controller: AbortController): boolean {
    return this.#serving.get(id)?.controller === controller;
  }

  #answer(id: string, controller: AbortController, frame: HostFrame): boolean {
    if (!this.#isOpen(id, controller)) return false;
    this.#serving.delete(id);
    this.#remember(id);
    this.#write(frame, (error: Error) => {
      // What was refused as malformed never reached the CLI, which would wait for ever: it gets an error instead.
      if (error instanceof TransportError && error.code === 'invalidFrame') this.#write(errorFrame(id, error.message));
      else this.#settled.delete(id);
    });
    return true;
  }

  #remember(id: string): void {
    this.#settled.add(id);
    if (this.#settled.size <= REMEMBERED) return;
    for (const oldest of this.#settled) {
      this.#settled.delete(oldest);
      break;
    }
  }

  #write(frame: HostFrame, onFailure?: (error: Error) => void): void {
    this.#send(frame).catch((thrown: unknown) => {
      const error = asError(thrown);
      this.#logger.warn(`${frame.type} could not be sent: ${error.message}`);
      onFailure?.(error);
    });
  }
}

function leaveOpen(): void {
  return undefined;
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

function errorFrame(id: string, error: string): HostFrame {
  return { type: 'control_response', response: { subtype: 'error', request_id: id, error } };
}

function endAll(ends: readonly Disposable[]): void {
  for (const end of ends) end.dispose();
}
