import type { Disposable } from './disposable.ts';
import { toDisposable } from './disposable.ts';

export type Listener<T> = (value: T) => void;

/** Subscribe; the disposable ends the subscription. Same shape as VS Code's own events, so either fits either. */
export type Event<T> = (listener: Listener<T>) => Disposable;

/**
 * A source of events. Listeners run in order of subscription, each isolated: one that throws does not keep the
 * value from the next, and its error goes to `onError` (by default it is rethrown after all listeners ran).
 */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<Listener<T>>();
  readonly #onError: ((error: unknown) => void) | undefined;

  constructor(onError?: (error: unknown) => void) {
    this.#onError = onError;
  }

  readonly event: Event<T> = listener => {
    // Wrapped, so that the same function subscribed twice is two subscriptions.
    const own: Listener<T> = value => listener(value);
    this.#listeners.add(own);
    return toDisposable(() => this.#listeners.delete(own));
  };

  fire(value: T): void {
    const failures: unknown[] = [];
    for (const listener of [...this.#listeners]) {
      if (!this.#listeners.has(listener)) continue;
      try {
        listener(value);
      } catch (error) {
        if (this.#onError) this.#onError(error);
        else failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
