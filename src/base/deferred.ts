/** A promise that is settled from outside, at most once; later calls do nothing. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  #resolve!: (value: T | PromiseLike<T>) => void;
  #reject!: (reason: Error) => void;
  #settled = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get isSettled(): boolean {
    return this.#settled;
  }

  /** Returns whether this call was the one that settled it. */
  resolve(value: T): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#resolve(value);
    return true;
  }

  reject(reason: Error): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#reject(reason);
    return true;
  }
}
