import { Deferred } from '../base/deferred.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { CliControlRequest } from '../protocol/cliRequests.ts';
import type { HostFrame } from '../protocol/hostFrame.ts';
import type { Transport, TransportClose, TransportListener, WireProblem } from '../protocol/transport.ts';
import { TransportError } from '../protocol/transport.ts';
import { SessionError } from './errors.ts';
import { routeOf, sessionIdOf } from './frameRoute.ts';

export interface SessionRouterOptions {
  readonly logger?: Logger;
  /** A frame of a conversation nobody here follows. */
  readonly onUnclaimed?: (frame: CliFrame) => void;
}

/**
 * Lets several conversations share one line. Each gets a line of its own, which looks like any other `Transport`:
 * conversation frames arrive by their `session_id`, answers where the question was asked, questions where they belong.
 * A conversation that is cleared takes its new id in mid-course. The shared line stops with the last of them.
 */
export class SessionRouter {
  readonly #transport: Transport;
  readonly #logger: Logger;
  readonly #onUnclaimed: (frame: CliFrame) => void;
  readonly #lines = new Set<SharedLine>();
  /** Who asked what, and who was asked what: by request id. */
  readonly #asked = new Map<string, SharedLine>();
  readonly #serving = new Map<string, SharedLine>();
  #opened = false;
  #closed: TransportClose | undefined;

  constructor(transport: Transport, options: SessionRouterOptions = {}) {
    this.#transport = transport;
    this.#logger = options.logger ?? silentLogger;
    this.#onUnclaimed = options.onUnclaimed ?? (() => undefined);
  }

  /** A line for one conversation. Without an id it takes the first one nobody else follows. */
  line(sessionId?: string): Transport {
    const owned = [...this.#lines].some(other => sessionId !== undefined && other.sessionId === sessionId);
    if (owned) throw new SessionError('invalidState', 'This conversation is followed already.');
    const line: SharedLine = new SharedLine(sessionId, {
      open: () => this.#open(line),
      send: frame => this.#send(line, frame),
      stop: () => this.#stop(line),
    });
    this.#lines.add(line);
    return line;
  }

  #open(line: SharedLine): void {
    if (this.#closed !== undefined) {
      line.close(this.#closed);
      return;
    }
    if (this.#opened) return;
    this.#opened = true;
    this.#transport.open({
      onFrame: frame => this.#route(frame),
      onProblem: problem => {
        for (const each of [...this.#lines]) each.problem(problem);
      },
      onClose: close => this.#close(close),
    });
  }

  #send(line: SharedLine, frame: HostFrame): Promise<void> {
    if (frame.type === 'control_request') this.#asked.set(frame.request_id, line);
    if (frame.type === 'control_cancel_request') this.#asked.delete(frame.request_id);
    if (frame.type === 'control_response') this.#serving.delete(frame.response.request_id);
    const id = line.sessionId;
    return this.#transport.send(frame.type === 'user' && id !== undefined ? { ...frame, session_id: id } : frame);
  }

  async #stop(line: SharedLine): Promise<TransportClose> {
    this.#forget(line);
    if (this.#closed !== undefined) return this.#closed;
    if (this.#lines.size === 0) return this.#transport.stop();
    return { reason: 'stopped', stderrTail: '' };
  }

  #forget(line: SharedLine): void {
    this.#lines.delete(line);
    for (const map of [this.#asked, this.#serving]) {
      for (const [id, owner] of [...map]) if (owner === line) map.delete(id);
    }
  }

  #route(frame: CliFrame): void {
    switch (routeOf(frame)) {
      case 'internal':
        return;
      case 'control':
        this.#routeControl(frame);
        return;
      case 'conversation':
        this.#routeConversation(frame);
        return;
    }
  }

  #routeControl(frame: CliFrame): void {
    if (frame.type === 'control_response') {
      const line = this.#asked.get(frame.response.request_id);
      this.#asked.delete(frame.response.request_id);
      line?.frame(frame);
    } else if (frame.type === 'control_cancel_request') {
      const line = this.#serving.get(frame.request_id);
      this.#serving.delete(frame.request_id);
      // A question that came inside an answer was never seen here: whoever has it knows its id.
      for (const each of line === undefined ? [...this.#lines] : [line]) each.frame(frame);
    } else if (frame.type === 'control_request') {
      const line = this.#lineFor(frame);
      if (line === undefined) {
        this.#logger.warn(`A question of the CLI has nobody to answer it: ${frame.request.subtype}`);
        return;
      }
      this.#serving.set(frame.request_id, line);
      line.frame(frame);
    }
  }

  /** Questions seldom say whose they are. What they do say is used; else the oldest line answers for all. */
  #lineFor(frame: CliControlRequest): SharedLine | undefined {
    const id = sessionIdOf(frame) ?? hintOf(frame);
    const lines = [...this.#lines];
    return lines.find(line => id !== undefined && line.sessionId === id) ?? lines[0];
  }

  #routeConversation(frame: CliFrame): void {
    const id = sessionIdOf(frame);
    const lines = [...this.#lines];
    if (id === undefined) {
      // It speaks of the line as a whole.
      for (const line of lines) line.frame(frame);
      return;
    }
    const owner =
      lines.find(line => line.sessionId === id) ??
      lines.find(line => line.moving) ??
      lines.find(line => line.sessionId === undefined);
    if (owner === undefined) {
      this.#logger.trace(`A ${frame.type} frame of a conversation nobody follows here`);
      this.#onUnclaimed(frame);
      return;
    }
    owner.claim(id);
    if (frame.type === 'conversation_reset') owner.moving = true;
    owner.frame(frame);
  }

  #close(close: TransportClose): void {
    this.#closed = close;
    const lines = [...this.#lines];
    this.#lines.clear();
    this.#asked.clear();
    this.#serving.clear();
    for (const line of lines) line.close(close);
  }
}

interface LineOwner {
  open(): void;
  send(frame: HostFrame): Promise<void>;
  stop(): Promise<TransportClose>;
}

class SharedLine implements Transport {
  /** Between the reset of its conversation and the first frame under the new id. */
  moving = false;
  readonly #owner: LineOwner;
  readonly #early: ((listener: TransportListener) => void)[] = [];
  readonly #ended = new Deferred<TransportClose>();
  #sessionId: string | undefined;
  #listener: TransportListener | undefined;
  #stopping: Promise<TransportClose> | undefined;

  constructor(sessionId: string | undefined, owner: LineOwner) {
    this.#sessionId = sessionId;
    this.#owner = owner;
  }

  get sessionId(): string | undefined {
    return this.#sessionId;
  }

  claim(id: string): void {
    if (this.#sessionId === id) return;
    this.#sessionId = id;
    this.moving = false;
  }

  open(listener: TransportListener): void {
    this.#listener = listener;
    this.#owner.open();
    for (const deliver of this.#early.splice(0)) deliver(listener);
  }

  send(frame: HostFrame): Promise<void> {
    if (this.#ended.isSettled) return Promise.reject(new TransportError('closed', 'The line is closed.'));
    return this.#owner.send(frame);
  }

  async stop(): Promise<TransportClose> {
    this.#stopping ??= this.#owner.stop();
    this.close(await this.#stopping);
    return this.#ended.promise;
  }

  frame(frame: CliFrame): void {
    this.#tell(listener => listener.onFrame(frame));
  }

  problem(problem: WireProblem): void {
    this.#tell(listener => listener.onProblem(problem));
  }

  close(close: TransportClose): void {
    if (this.#ended.resolve(close)) this.#tell(listener => listener.onClose(close));
  }

  #tell(deliver: (listener: TransportListener) => void): void {
    if (this.#listener === undefined) this.#early.push(deliver);
    else deliver(this.#listener);
  }
}

/** Hooks name their conversation; other questions do not. */
function hintOf(frame: CliControlRequest): string | undefined {
  return frame.request.subtype === 'hook_callback' ? frame.request.input.session_id : undefined;
}
