import type { Clock } from '../base/clock.ts';
import { Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';

export interface TurnToEnd {
  readonly interrupt: () => Promise<unknown>;
  readonly isOver: () => boolean;
  /** Fires whenever `isOver` may have changed. */
  readonly onDidChange: (look: () => void) => Disposable;
  readonly onFailure: (error: unknown) => void;
}

/** Interrupts a turn and returns when it is over, when the interrupt failed, or when the time is up. */
export async function endTurn(turn: TurnToEnd, clock: Clock, withinMs: number): Promise<void> {
  const over = new Deferred<undefined>();
  const timer = clock.after(withinMs, () => over.resolve(undefined));
  let acknowledged = false;
  const look = (): void => {
    if (acknowledged && turn.isOver()) over.resolve(undefined);
  };
  const listener = turn.onDidChange(look);
  turn.interrupt().then(
    () => {
      acknowledged = true;
      look();
    },
    (error: unknown) => {
      turn.onFailure(error);
      over.resolve(undefined);
    },
  );
  await over.promise;
  timer.dispose();
  listener.dispose();
}
