import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { HostFrame } from '../protocol/hostFrame.ts';
import { encodeHostFrame } from '../protocol/hostFrame.ts';
import type { Transport, TransportClose, TransportListener } from '../protocol/transport.ts';
import { TransportError } from '../protocol/transport.ts';
import { FrameReader } from './frameReader.ts';
import { defaultMaxLineBytes } from './lineSplitter.ts';
import { ListenerGate } from './listenerGate.ts';
import type { OutboxLimits } from './outbox.ts';
import { Outbox } from './outbox.ts';
import type { SessionHistory } from './sessionHistory.ts';
import { readAllHistory } from './sessionHistory.ts';
import type { ConnectionEnd, OpenSocket, SocketTimes } from './socketConnection.ts';
import { defaultSocketTimes, SocketConnection } from './socketConnection.ts';

export interface BackOff {
  readonly firstMs: number;
  readonly factor: number;
  readonly maxMs: number;
  /** Attempts in a row without a connection before it is given up. */
  readonly attempts: number;
}

export const defaultBackOff: BackOff = { firstMs: 500, factor: 2, maxMs: 30_000, attempts: 10 };

export interface WebSocketTransportOptions {
  /** `wss://…`, or `ws://` on this machine only: the token must not travel in the open. */
  readonly url: string;
  /** A function if it may have to be renewed for a later connection. */
  readonly token: string | (() => Promise<string>);
  /** Where to read what was missed while the connection was down. Without it, only what comes after is seen. */
  readonly history?: { readonly source: SessionHistory; readonly sessionId: string; readonly after?: string };
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly times?: SocketTimes;
  readonly backOff?: BackOff;
  readonly maxLineBytes?: number;
  readonly outbox?: OutboxLimits;
  readonly openSocket?: OpenSocket;
  /** Between 0 and 1; spreads the attempts of many clients. */
  readonly random?: () => number;
}

export function startWebSocketTransport(options: WebSocketTransportOptions): WebSocketTransport {
  const transport = new WebSocketTransport(options);
  transport.connect();
  return transport;
}

const lineEnd = Buffer.from('\n');

/**
 * Frames over a socket; a message holds one or more whole lines. When the connection breaks it is made anew with growing
 * pauses. Then, in this order: what was missed is read from the history, prompts that the other end turns out to have are
 * struck off, the rest is sent again under its old id, and only then do live frames go on. So no frame is lost or
 * doubled where there is a history, and no prompt is ever run twice.
 */
export class WebSocketTransport implements Transport {
  readonly #options: WebSocketTransportOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #backOff: BackOff;
  readonly #gate: ListenerGate;
  readonly #outbox: Outbox;
  readonly #closed = new Deferred<TransportClose>();
  #connection: SocketConnection | undefined;
  #retry: Disposable | undefined;
  #attempts = 0;
  #everConnected = false;
  /** Connected, and nothing missed is still to be read: what is sent may go out. */
  #ready = false;
  #stopping = false;
  /** Live frames that wait for the history to be read. Undefined when there is nothing to wait for. */
  #heldFrames: CliFrame[] | undefined;
  #catchUp: AbortController | undefined;
  /** Ids that came from the history in this connection; their live copies may still arrive. */
  readonly #fromHistory = new Set<string>();
  #lastSeen: string | undefined;

  constructor(options: WebSocketTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#backOff = options.backOff ?? defaultBackOff;
    this.#gate = new ListenerGate(this.#logger);
    this.#outbox = new Outbox(options.outbox);
    this.#lastSeen = options.history?.after;
  }

  /** Called once, by `startWebSocketTransport`. */
  connect(): void {
    const refusal = refuseUrl(this.#options.url);
    if (refusal === undefined) void this.#dial();
    else this.#close({ reason: 'failedToStart', detail: refusal });
  }

  open(listener: TransportListener): void {
    this.#gate.open(listener);
  }

  async send(frame: HostFrame): Promise<void> {
    let line: string;
    try {
      line = encodeHostFrame(frame);
    } catch (error) {
      throw new TransportError('invalidFrame', 'The frame is not valid and was not sent.', { cause: error });
    }
    const sent = this.#outbox.put(frame, line);
    if (this.#ready && !this.#stopping) this.#flush();
    await sent;
  }

  stop(): Promise<TransportClose> {
    if (!this.#stopping && !this.#closed.isSettled) {
      this.#stopping = true;
      this.#retry?.dispose();
      if (this.#connection) this.#connection.close();
      else this.#close({ reason: 'stopped' });
    }
    return this.#closed.promise;
  }

  async #dial(): Promise<void> {
    const { token } = this.#options;
    this.#attempts += 1;
    let bearer: string;
    try {
      bearer = typeof token === 'string' ? token : await token();
    } catch (error) {
      this.#logger.warn('The token could not be obtained.', error);
      this.#ended({ kind: 'lost', detail: 'the token could not be obtained' });
      return;
    }
    if (this.#stopping || this.#closed.isSettled) return;
    try {
      this.#connection = this.#connectWith(bearer);
    } catch (error) {
      // A token that cannot stand in a header.
      this.#logger.error('The connection could not be attempted.', error);
      this.#ended({ kind: 'refused', detail: 'invalidToken' });
    }
  }

  #connectWith(bearer: string): SocketConnection {
    const { url, maxLineBytes = defaultMaxLineBytes, times = defaultSocketTimes, openSocket } = this.#options;
    const reader = new FrameReader(
      { onFrame: frame => this.#received(frame), onProblem: problem => this.#gate.problem(problem) },
      maxLineBytes,
    );
    return new SocketConnection(
      url,
      bearer,
      maxLineBytes,
      {
        onOpen: () => void this.#opened(),
        // The end of a message is the end of a line, whether or not it is written.
        onMessage: data => {
          reader.push(data);
          reader.push(lineEnd);
        },
        onEnd: end => this.#ended(end),
      },
      { clock: this.#clock, times, ...(openSocket === undefined ? {} : { openSocket }) },
    );
  }

  async #opened(): Promise<void> {
    const again = this.#everConnected;
    this.#everConnected = true;
    this.#fromHistory.clear();
    if (again && this.#options.history) {
      const connection = this.#connection;
      this.#heldFrames = [];
      if (!(await this.#readMissed())) {
        connection?.drop('the history could not be read');
        return;
      }
      const held = this.#heldFrames;
      this.#heldFrames = undefined;
      for (const frame of held) this.#received(frame);
    }
    this.#attempts = 0;
    this.#ready = true;
    this.#flush();
  }

  /** False if this connection is over, or cannot be used because a gap would remain. */
  async #readMissed(): Promise<boolean> {
    const { history } = this.#options;
    if (!history) return true;
    const catchUp = new AbortController();
    this.#catchUp = catchUp;
    try {
      const after = this.#lastSeen === undefined ? {} : { cursor: this.#lastSeen };
      const pages = readAllHistory(history.source, history.sessionId, { ...after, signal: catchUp.signal });
      for await (const page of pages) {
        if (catchUp.signal.aborted) return false;
        for (const frame of page.frames) {
          const id = frameId(frame);
          if (id !== undefined) this.#fromHistory.add(id);
          this.#deliver(frame, id);
        }
      }
      return !catchUp.signal.aborted;
    } catch (error) {
      if (!catchUp.signal.aborted) this.#logger.warn('What was missed could not be read.', error);
      return false;
    }
  }

  #received(frame: CliFrame): void {
    if (this.#heldFrames) {
      this.#heldFrames.push(frame);
      return;
    }
    const id = frameId(frame);
    if (id !== undefined && this.#fromHistory.size > 0 && this.#fromHistory.delete(id)) return;
    this.#deliver(frame, id);
  }

  #deliver(frame: CliFrame, id: string | undefined): void {
    if (id !== undefined) this.#lastSeen = id;
    this.#outbox.acknowledge(frame);
    this.#gate.frame(frame);
  }

  #flush(): void {
    const connection = this.#connection;
    if (connection) this.#outbox.flush((line, done) => connection.send(`${line}\n`, done));
  }

  #ended(end: ConnectionEnd): void {
    this.#connection = undefined;
    this.#ready = false;
    this.#heldFrames = undefined;
    this.#catchUp?.abort();
    this.#outbox.connectionLost();
    if (this.#stopping) {
      this.#close({ reason: 'stopped' });
      return;
    }
    if (end.kind === 'done') {
      this.#close({
        reason: 'exited',
        detail: end.detail,
        ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
      });
      return;
    }
    if (end.kind === 'refused' || this.#attempts >= this.#backOff.attempts) {
      this.#close({ reason: this.#everConnected ? 'broken' : 'failedToStart', detail: end.detail });
      return;
    }
    const pause = this.#pause();
    this.#logger.info(`Connection lost (${end.detail}); next attempt in ${Math.round(pause)} ms.`);
    this.#retry = this.#clock.after(pause, () => void this.#dial());
  }

  /** Between half and all of the growing pause. */
  #pause(): number {
    const { firstMs, factor, maxMs } = this.#backOff;
    const full = Math.min(maxMs, firstMs * factor ** Math.max(0, this.#attempts - 1));
    return full * (0.5 + (this.#options.random ?? Math.random)() / 2);
  }

  #close(close: Omit<TransportClose, 'stderrTail'>): void {
    if (this.#closed.isSettled) return;
    this.#retry?.dispose();
    this.#outbox.close(new TransportError('closed', 'The connection to the agent is closed.'));
    const full: TransportClose = { ...close, stderrTail: '' };
    this.#gate.close(full);
    this.#closed.resolve(full);
  }
}

function frameId(frame: CliFrame): string | undefined {
  return 'uuid' in frame && typeof frame.uuid === 'string' ? frame.uuid : undefined;
}

/** Why the token must not be sent to this address; undefined if it may. */
function refuseUrl(url: string): string | undefined {
  if (!URL.canParse(url)) return 'invalidUrl';
  const { protocol, hostname } = new URL(url);
  if (protocol === 'wss:') return undefined;
  const loopback = hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'ws:' && loopback ? undefined : 'insecureUrl';
}
