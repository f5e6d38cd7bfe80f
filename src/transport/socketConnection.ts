import type { IncomingMessage } from 'node:http';
import type { ClientOptions } from 'ws';
import { WebSocket } from 'ws';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { printable } from './printable.ts';

export interface SocketTimes {
  /** From dialling to an open connection. */
  readonly connectMs: number;
  /** Between two pings, */
  readonly pingMs: number;
  /** and how long any sign of life may take after one. */
  readonly pongMs: number;
  /** From our close to the other end's. */
  readonly closeMs: number;
}

export const defaultSocketTimes: SocketTimes = { connectMs: 15_000, pingMs: 15_000, pongMs: 10_000, closeMs: 5000 };

/**
 * How one connection ended. `done`: the agent is finished. `refused`: trying again would end the same way.
 * `lost`: it may work again.
 */
export interface ConnectionEnd {
  readonly kind: 'done' | 'refused' | 'lost';
  readonly detail: string;
  readonly exitCode?: number;
}

export interface ConnectionEvents {
  onOpen(): void;
  onMessage(data: Buffer): void;
  /** Exactly once. */
  onEnd(end: ConnectionEnd): void;
}

export type OpenSocket = (url: string, options: ClientOptions) => WebSocket;

const openSocket: OpenSocket = (url, options) => new WebSocket(url, options);

/** Closing codes after which the same attempt would be refused again; 4000 and up are the service's own. */
const permanentCodes = new Set([1002, 1003, 1007, 1008, 1009, 1010]);

/** One connection from dialling to its end, with a watch on whether the other end is still there. */
export class SocketConnection {
  readonly #socket: WebSocket;
  readonly #events: ConnectionEvents;
  readonly #clock: Clock;
  readonly #times: SocketTimes;
  #timer: Disposable | undefined;
  #heard = true;
  #refusal: ConnectionEnd | undefined;
  #failure = '';
  #ended = false;

  constructor(
    url: string,
    token: string,
    maxPayload: number,
    events: ConnectionEvents,
    options: { readonly clock: Clock; readonly times: SocketTimes; readonly openSocket?: OpenSocket },
  ) {
    this.#events = events;
    this.#clock = options.clock;
    this.#times = options.times;
    this.#socket = (options.openSocket ?? openSocket)(url, {
      headers: { authorization: `Bearer ${token}` },
      maxPayload,
      // Frames are many and small and the other end is often the same machine: compressing costs more than it saves.
      perMessageDeflate: false,
      // A redirect would carry the token to another host.
      followRedirects: false,
    });
    this.#attach();
  }

  send(line: string, done: (error?: Error | null) => void): void {
    this.#socket.send(line, { binary: false }, done);
  }

  /** Says good-bye: the agent behind is no longer wanted. */
  close(): void {
    this.#socket.close(1000, 'stop');
    this.#arm(this.#times.closeMs, () => this.#socket.terminate());
  }

  /** Drops the connection at once, as a broken network would. */
  drop(why: string): void {
    this.#failure ||= why;
    this.#socket.terminate();
  }

  #attach(): void {
    const socket = this.#socket;
    this.#arm(this.#times.connectMs, () => this.drop('no connection in time'));
    socket.on('open', () => {
      this.#schedulePing();
      this.#events.onOpen();
    });
    socket.on('message', data => {
      this.#heard = true;
      this.#events.onMessage(
        Array.isArray(data) ? Buffer.concat(data) : Buffer.isBuffer(data) ? data : Buffer.from(data),
      );
    });
    socket.on('pong', () => {
      this.#heard = true;
    });
    socket.on('unexpected-response', (_request, response) => {
      this.#refusal = refusalOf(response);
      response.resume();
      socket.terminate();
    });
    // Always followed by 'close'.
    socket.on('error', error => {
      this.#failure ||= error.message;
      if ('code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
        this.#refusal = { kind: 'refused', detail: 'A line from the agent was longer than allowed.' };
      }
    });
    socket.on('close', (code, reason) => this.#end(this.#refusal ?? this.#endOf(code, reason.toString('utf8'))));
  }

  #schedulePing(): void {
    this.#arm(this.#times.pingMs, () => {
      this.#heard = false;
      this.#socket.ping();
      this.#arm(this.#times.pongMs, () => {
        if (this.#heard) this.#schedulePing();
        else this.drop('the other end does not answer');
      });
    });
  }

  #endOf(code: number, reason: string): ConnectionEnd {
    const said = printable(reason);
    if (code === 1000) {
      const exit = /^exit (\d{1,3})$/.exec(said)?.[1];
      return { kind: 'done', detail: said, ...(exit === undefined ? {} : { exitCode: Number(exit) }) };
    }
    const detail = `${code}${said === '' ? '' : ` ${said}`}${this.#failure === '' ? '' : ` (${this.#failure})`}`;
    return { kind: permanentCodes.has(code) || code >= 4000 ? 'refused' : 'lost', detail };
  }

  #end(end: ConnectionEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#timer?.dispose();
    this.#events.onEnd(end);
  }

  #arm(ms: number, call: () => void): void {
    this.#timer?.dispose();
    this.#timer = this.#clock.after(ms, () => {
      if (!this.#ended) call();
    });
  }
}

/** An HTTP answer instead of a connection: what is the caller's fault stays so, the rest may pass. */
function refusalOf(response: IncomingMessage): ConnectionEnd {
  const status = response.statusCode ?? 0;
  const permanent = status >= 300 && status < 500 && status !== 408 && status !== 425 && status !== 429;
  return { kind: permanent ? 'refused' : 'lost', detail: `HTTP ${status}` };
}
