import { Deferred } from '../../../src/base/deferred.ts';

/**
 * A door in the middle of an answer. The model stops in front of it until the test opens it, and the test can wait for
 * the model to arrive: so "while it streams" is a fact in a test, not a guess about time.
 */
export class Gate {
  readonly #reached = new Deferred<undefined>();
  readonly #opened = new Deferred<undefined>();

  /** Resolves when an answer stands in front of this gate: everything before it has been written to the socket. */
  get reached(): Promise<undefined> {
    return this.#reached.promise;
  }

  get isOpen(): boolean {
    return this.#opened.isSettled;
  }

  /** Lets the waiting answer, and every later one, go on. Opening twice is harmless. */
  open(): void {
    this.#opened.resolve(undefined);
  }

  /** For the player of the script: announces the arrival and resolves when the gate is open. */
  pass(): Promise<undefined> {
    this.#reached.resolve(undefined);
    return this.#opened.promise;
  }
}
