import { assertNever } from '../base/assertNever.ts';
import type { Logger } from '../base/logger.ts';
import type { CliAnswerMap } from '../protocol/cliAnswers.ts';
import { answerFrame } from '../protocol/cliAnswers.ts';
import type { CliControlRequest, CliRequestOf, CliRequestSubtype } from '../protocol/cliRequests.ts';
import type { HostFrame } from '../protocol/hostFrame.ts';
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

/** How the CLI itself refuses what it does not know; older ones give no code with it. */
export const UNSUPPORTED = 'Unsupported control request subtype';
/** How many answered ids are remembered: a list of pending questions may name one we have just answered. */
const REMEMBERED = 1024;

/** The questions of the CLI, served side by side, each settled once. */
export class CliQuestions {
  readonly #handlers: CliHandlers;
  readonly #write: (frame: HostFrame, onFailure?: (error: Error) => void) => void;
  readonly #logger: Logger;
  #open = new Map<string, AbortController>();
  readonly #settled = new Set<string>();
  #closed = false;

  constructor(
    handlers: CliHandlers,
    write: (frame: HostFrame, onFailure?: (error: Error) => void) => void,
    logger: Logger,
  ) {
    this.#handlers = handlers;
    this.#write = write;
    this.#logger = logger;
  }

  /** A question that is open or was settled before is not served again. */
  serve(frame: CliControlRequest): void {
    const { request_id: id, request } = frame;
    if (this.#closed || this.#open.has(id) || this.#settled.has(id)) return;
    const controller = new AbortController();
    this.#open.set(id, controller);
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

  /** The CLI takes a question back. */
  withdraw(id: string): void {
    const controller = this.#open.get(id);
    if (controller === undefined) return;
    this.#open.delete(id);
    this.#remember(id);
    controller.abort(new SessionError('cancelled', 'The CLI withdrew its question.'));
  }

  /** The line ended: every handler is told, nothing is written any more. */
  close(reason: SessionError): void {
    this.#closed = true;
    const open = this.#open;
    this.#open = new Map();
    for (const controller of open.values()) controller.abort(reason);
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
    return this.#open.get(id) === controller;
  }

  #answer(id: string, controller: AbortController, frame: HostFrame): boolean {
    if (!this.#isOpen(id, controller)) return false;
    this.#open.delete(id);
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
}

function leaveOpen(): void {
  return undefined;
}

function errorFrame(id: string, error: string): HostFrame {
  return { type: 'control_response', response: { subtype: 'error', request_id: id, error } };
}
