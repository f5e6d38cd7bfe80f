import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';

/** What can be put to rest: a chat, as far as this is concerned. */
export interface Sleeper {
  /** Nothing runs, nothing is asked and no task works in the background. */
  readonly isIdle: boolean;
  /** Ends the process; the next prompt starts it again where it was. */
  rest(): Promise<void>;
}

export interface IdleStopperOptions {
  readonly sleepers: () => readonly Sleeper[];
  /** Something about them changed. */
  readonly onDidChange: Event<unknown>;
  /** 0: never. Asked each time, so that a changed setting counts at once. */
  readonly timeoutMinutes: () => number;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Ends agents that nobody has talked to for a while: each of them holds some 200 MB. */
export class IdleStopper implements Disposable {
  readonly #options: IdleStopperOptions;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #since = new Map<Sleeper, number>();
  #timer: Disposable | undefined;

  constructor(options: IdleStopperOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  start(): void {
    this.#owned.add(this.#options.onDidChange(() => this.#look()));
    this.#look();
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#owned.dispose();
  }

  #look(): void {
    const now = this.#clock.now();
    const idle = new Set(this.#options.sleepers().filter(sleeper => sleeper.isIdle));
    for (const sleeper of [...this.#since.keys()]) if (!idle.has(sleeper)) this.#since.delete(sleeper);
    for (const sleeper of idle) if (!this.#since.has(sleeper)) this.#since.set(sleeper, now);
    const limit = this.#options.timeoutMinutes() * 60_000;
    this.#timer?.dispose();
    this.#timer = undefined;
    if (limit <= 0) return;
    for (const [sleeper, since] of [...this.#since]) {
      if (now - since < limit) continue;
      this.#since.delete(sleeper);
      this.#options.logger.info('An agent that was idle is stopped; the next prompt starts it again');
      sleeper.rest().catch((error: unknown) => this.#options.logger.error('An idle agent did not stop', error));
    }
    const oldest = Math.min(...this.#since.values());
    if (Number.isFinite(oldest)) this.#timer = this.#clock.after(Math.max(0, oldest + limit - now), () => this.#look());
  }
}
