import type { Writable } from 'node:stream';
import { Deferred } from '../base/deferred.ts';
import { TransportError } from '../protocol/transport.ts';

/**
 * The one writer of a child's stdin. Whole lines in the order of the calls; each write resolves when the pipe has
 * taken it, and every write that cannot be taken any more rejects exactly once.
 */
export class LineWriter {
  readonly #stream: Writable;
  readonly #pending = new Set<Deferred<void>>();
  readonly #broken = new Deferred<Error>();
  #closed: TransportError | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    stream.on('error', error => {
      this.close(new TransportError('writeFailed', `The agent no longer reads: ${error.message}`, { cause: error }));
      this.#broken.resolve(error);
    });
  }

  /** Resolves if the other end stops reading while it still runs. */
  get broken(): Promise<Error> {
    return this.#broken.promise;
  }

  write(line: string): Promise<void> {
    if (this.#closed) {
      const { message } = this.#closed;
      return Promise.reject(new TransportError('closed', message, { cause: this.#closed }));
    }
    const written = new Deferred<void>();
    this.#pending.add(written);
    // One call per line, so the stream's own queue keeps lines whole and in order, however large they are.
    this.#stream.write(`${line}\n`, 'utf8', error => {
      this.#pending.delete(written);
      if (error) {
        written.reject(
          new TransportError('writeFailed', `The line could not be written: ${error.message}`, { cause: error }),
        );
      } else written.resolve();
    });
    return written.promise;
  }

  /** After the lines that are already written; later ones are refused. */
  end(reason: string): void {
    this.#closed ??= new TransportError('closed', reason);
    this.#stream.end();
  }

  /** Now: whatever is still under way rejects. */
  close(reason: TransportError): void {
    this.#closed ??= reason;
    const pending = [...this.#pending];
    this.#pending.clear();
    for (const one of pending) one.reject(reason);
  }
}
