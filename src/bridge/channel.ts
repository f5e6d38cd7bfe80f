import type { Disposable } from '../base/disposable.ts';
import { Deferred } from '../base/deferred.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';

/** One end of a pipe of plain JSON values: `postMessage` on either side of the webview's wall. */
export interface Port {
  post(value: unknown): void;
  listen(listener: (value: unknown) => void): Disposable;
}

/** What one end does with what the other says. `parse*` throw on anything that does not belong. */
export interface ChannelHandlers<In, InRequest, Answers> {
  parseMessage(value: unknown): In;
  onMessage(message: In): void;
  parseRequest(value: unknown): InRequest;
  onRequest(request: InRequest): Promise<Answers>;
  /** Something came that we refuse, or a handler failed. The channel goes on. */
  onRefused(error: Error): void;
}

export class ChannelError extends Error {
  override readonly name = 'ChannelError';
  readonly code: 'closed' | 'timeout' | 'remote';

  constructor(code: ChannelError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

type Envelope =
  | { readonly kind: 'message'; readonly body: unknown }
  | { readonly kind: 'request'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly body: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string };

/**
 * The one way host and view talk, the same class on both ends: messages without an answer, requests with exactly one.
 * Closing rejects every request that waits; a late answer is dropped.
 */
export class Channel<Out, OutRequest, In, InRequest, InAnswer> implements Disposable {
  readonly #port: Port;
  readonly #handlers: ChannelHandlers<In, InRequest, InAnswer>;
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Deferred<unknown>>();
  readonly #subscription: Disposable;
  #nextId = 1;
  #closed = false;

  constructor(port: Port, handlers: ChannelHandlers<In, InRequest, InAnswer>, clock: Clock = systemClock) {
    this.#port = port;
    this.#handlers = handlers;
    this.#clock = clock;
    this.#subscription = port.listen(value => this.#receive(value));
  }

  post(message: Out): void {
    if (!this.#closed) this.#send({ kind: 'message', body: message });
  }

  /** The answer as it came; the caller names its type from the table both ends share. */
  async request(request: OutRequest, timeoutMs = 30_000): Promise<unknown> {
    if (this.#closed) throw new ChannelError('closed', 'The channel is closed');
    const id = this.#nextId++;
    const waiting = new Deferred<unknown>();
    this.#waiting.set(id, waiting);
    const timer = this.#clock.after(timeoutMs, () => {
      waiting.reject(new ChannelError('timeout', `No answer within ${timeoutMs} ms`));
    });
    try {
      this.#send({ kind: 'request', id, body: request });
      return await waiting.promise;
    } finally {
      timer.dispose();
      this.#waiting.delete(id);
    }
  }

  dispose(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#subscription.dispose();
    const waiting = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const one of waiting) one.reject(new ChannelError('closed', 'The channel was closed'));
  }

  #send(envelope: Envelope): void {
    this.#port.post(envelope);
  }

  #receive(value: unknown): void {
    if (this.#closed) return;
    const envelope = readEnvelope(value);
    if (envelope === undefined) {
      this.#handlers.onRefused(new Error('Not an envelope'));
      return;
    }
    switch (envelope.kind) {
      case 'message':
        this.#guard(() => this.#handlers.onMessage(this.#handlers.parseMessage(envelope.body)));
        return;
      case 'request':
        void this.#serve(envelope.id, envelope.body);
        return;
      case 'answer':
        this.#waiting.get(envelope.id)?.resolve(envelope.body);
        return;
      case 'failure':
        this.#waiting.get(envelope.id)?.reject(new ChannelError('remote', envelope.message));
        return;
    }
  }

  async #serve(id: number, body: unknown): Promise<void> {
    try {
      const answer = await this.#handlers.onRequest(this.#handlers.parseRequest(body));
      if (!this.#closed) this.#send({ kind: 'answer', id, body: answer });
    } catch (error) {
      const failure = asError(error);
      this.#handlers.onRefused(failure);
      if (!this.#closed) this.#send({ kind: 'failure', id, message: failure.message });
    }
  }

  #guard(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.#handlers.onRefused(asError(error));
    }
  }
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function readEnvelope(value: unknown): Envelope | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return undefined;
  const id = 'id' in value && typeof value.id === 'number' ? value.id : undefined;
  const body: unknown = 'body' in value ? value.body : undefined;
  switch (value.kind) {
    case 'message':
      return { kind: 'message', body };
    case 'request':
      return id === undefined ? undefined : { kind: 'request', id, body };
    case 'answer':
      return id === undefined ? undefined : { kind: 'answer', id, body };
    case 'failure':
      return id === undefined
        ? undefined
        : { kind: 'failure', id, message: 'message' in value ? String(value.message) : '' };
    default:
      return undefined;
  }
}
