import type { Clock } from '../base/clock.ts';

export function delay(clock: Clock, ms: number): Promise<void> {
  return new Promise(resolve => {
    clock.after(ms, resolve);
  });
}

/** Whether the promise settled (either way) before the time was up. The timer is gone as soon as the answer is known. */
export function settledWithin(promise: Promise<unknown>, ms: number, clock: Clock): Promise<boolean> {
  return new Promise(resolve => {
    const timer = clock.after(ms, () => resolve(false));
    const settled = (): void => {
      timer.dispose();
      resolve(true);
    };
    promise.then(settled, settled);
  });
}
