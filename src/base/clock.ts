import type { Disposable } from './disposable.ts';
import { toDisposable } from './disposable.ts';

/** Time as a parameter: the real one below, a hand-driven one in tests, so that no test has to sleep. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls once after the delay; disposing before that cancels. */
  after(delayMs: number, call: () => void): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, call) {
    const timer = setTimeout(call, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};
