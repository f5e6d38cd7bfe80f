/** Something with an end. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(end: () => void): Disposable {
  let ended = false;
  return {
    dispose() {
      if (ended) return;
      ended = true;
      end();
    },
  };
}

/**
 * Owns disposables and ends them newest first. What is added after the end is ended at once, so that a late arrival
 * cannot leak. One failing member never keeps the others from ending: the first error is thrown after all had their turn.
 */
export class DisposableStore implements Disposable {
  readonly #members = new Set<Disposable>();
  #disposed = false;

  get isDisposed(): boolean {
    return this.#disposed;
  }

  add<T extends Disposable>(member: T): T {
    if (this.#disposed) member.dispose();
    else this.#members.add(member);
    return member;
  }

  /** Ends and forgets one member before its time. */
  delete(member: Disposable): void {
    if (this.#members.delete(member)) member.dispose();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const members = [...this.#members].reverse();
    this.#members.clear();
    const failures: unknown[] = [];
    for (const member of members) {
      try {
        member.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures.length === 1 ? failures[0] : new AggregateError(failures);
  }
}
