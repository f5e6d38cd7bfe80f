import { Deferred } from '../base/deferred.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { HostFrame } from '../protocol/hostFrame.ts';
import { TransportError } from '../protocol/transport.ts';

interface Letter {
  readonly line: string;
  /** Set for a prompt: the id under which the other end knows it, and by which it drops a second copy. */
  readonly promptId: string | undefined;
  readonly sent: Deferred<void>;
}

export interface OutboxLimits {
  readonly letters: number;
  readonly bytes: number;
}

export const defaultOutboxLimits: OutboxLimits = { letters: 1000, bytes: 64 * 1024 * 1024 };

/**
 * What goes out over a connection that may break. Each line is in one of three places: waiting for a connection, on its
 * way, or, for a prompt alone, written but not yet acknowledged. Only such a prompt may ever be written again, with
 * the id it had, and only until the other end has shown that it knows it. Anything else whose fate is unknown when the
 * connection breaks is rejected, so that the one who asked can decide: a request that changes something must not run twice.
 */
export class Outbox {
  readonly #limits: OutboxLimits;
  #waiting: Letter[] = [];
  #onTheWay = new Set<Letter>();
  readonly #unacknowledged = new Map<string, Letter>();
  #bytes = 0;
  #closed: TransportError | undefined;

  constructor(limits: OutboxLimits = defaultOutboxLimits) {
    this.#limits = limits;
  }

  get unacknowledged(): readonly string[] {
    return [...this.#unacknowledged.keys()];
  }

  /** Takes a line in; `take` hands it out in order. */
  put(frame: HostFrame, line: string): Promise<void> {
    if (this.#closed)
      return Promise.reject(new TransportError('closed', this.#closed.message, { cause: this.#closed }));
    if (this.#waiting.length >= this.#limits.letters || this.#bytes + line.length > this.#limits.bytes) {
      return Promise.reject(new TransportError('writeFailed', 'Too much is waiting for the connection to come back.'));
    }
    const letter: Letter = { line, promptId: frame.type === 'user' ? frame.uuid : undefined, sent: new Deferred() };
    this.#waiting.push(letter);
    this.#bytes += line.length;
    return letter.sent.promise;
  }

  /** Hands every waiting line to the connection, in order. */
  flush(write: (line: string, done: (error?: Error | null) => void) => void): void {
    const letters = this.#waiting;
    this.#waiting = [];
    this.#bytes = 0;
    for (const letter of letters) {
      this.#onTheWay.add(letter);
      if (letter.promptId !== undefined) this.#unacknowledged.set(letter.promptId, letter);
      write(letter.line, error => {
        // A failed write means a broken connection: `connectionLost` decides about everything on the way at once.
        if (error || !this.#onTheWay.delete(letter)) return;
        letter.sent.resolve();
      });
    }
  }

  /** The other end knows this prompt: it will not be written again. */
  acknowledge(frame: CliFrame): void {
    if (this.#unacknowledged.size === 0 && this.#waiting.length === 0) return;
    if (frame.type === 'command_lifecycle') this.#settle(frame.command_uuid);
    else if (frame.type === 'user' && frame.uuid !== undefined) this.#settle(frame.uuid);
  }

  /** The connection is gone. Prompts line up again in front, in their order; the rest of what was on its way is rejected. */
  connectionLost(): void {
    const onTheWay = this.#onTheWay;
    this.#onTheWay = new Set();
    const again = [...this.#unacknowledged.values()];
    this.#unacknowledged.clear();
    this.#waiting = [...again, ...this.#waiting];
    this.#bytes = this.#waiting.reduce((sum, letter) => sum + letter.line.length, 0);
    for (const letter of onTheWay) {
      if (letter.promptId === undefined) {
        letter.sent.reject(new TransportError('writeFailed', 'The connection was lost while this was being written.'));
      }
    }
  }

  close(reason: TransportError): void {
    this.#closed ??= reason;
    const all = [...this.#waiting, ...this.#onTheWay, ...this.#unacknowledged.values()];
    this.#waiting = [];
    this.#onTheWay.clear();
    this.#unacknowledged.clear();
    // A prompt that was written has resolved long ago; rejecting it again does nothing.
    for (const letter of all) letter.sent.reject(reason);
  }

  #settle(promptId: string): void {
    this.#unacknowledged.get(promptId)?.sent.resolve();
    this.#unacknowledged.delete(promptId);
    // An acknowledgement read from the history after a break: the copy that waits must not go out.
    this.#waiting = this.#waiting.filter(letter => {
      if (letter.promptId !== promptId) return true;
      this.#bytes -= letter.line.length;
      letter.sent.resolve();
      return false;
    });
  }
}
