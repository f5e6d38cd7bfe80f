import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../../../src/base/clock.ts';
import type { Disposable } from '../../../src/base/disposable.ts';
import { toDisposable } from '../../../src/base/disposable.ts';

/** Time that passes only when told to. After each timer the event loop gets a turn, so that what it woke can go on. */
export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly call: () => void }>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, call: () => void): Disposable {
    const timer = { at: this.#now + delayMs, call };
    this.#timers.add(timer);
    return toDisposable(() => this.#timers.delete(timer));
  }

  get pending(): number {
    return this.#timers.size;
  }

  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await turn();
    for (;;) {
      const next = [...this.#timers].sort((a, b) => a.at - b.at)[0];
      if (!next || next.at > end) break;
      this.#timers.delete(next);
      this.#now = next.at;
      next.call();
      await turn();
    }
    this.#now = end;
    await turn();
  }
}
