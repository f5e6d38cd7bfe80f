import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import { settledWithin } from './waiting.ts';

export interface StopTimes {
  /** From the end of stdin to SIGTERM: the CLI finishes a running turn and flushes. */
  readonly endInputMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly terminateMs: number;
  /** From SIGKILL to giving up waiting: a process in uninterruptible sleep must not hold up the editor. */
  readonly killMs: number;
}

export const defaultStopTimes: StopTimes = { endInputMs: 5000, terminateMs: 5000, killMs: 2000 };

/** The process at the top of the tree that is to end. */
export interface StopTarget {
  /** Settles when it is gone. */
  readonly exited: Promise<unknown>;
  endInput(): void;
  signal(signal: 'SIGTERM' | 'SIGKILL'): void | Promise<void>;
}

/** What it has started. */
export interface StopTree {
  collect(): Promise<void>;
  sweep(): Promise<number>;
}

export interface StopOptions {
  readonly clock?: Clock;
  readonly times?: StopTimes;
  readonly logger?: Logger;
}

/** The step at which it went; `survived` if not even SIGKILL was seen to end it in time. */
export type StopStep = 'inputEnded' | 'terminated' | 'killed' | 'survived';

/**
 * Ends a process and its tree, gently first: end of input, SIGTERM, SIGKILL, each with its time. The descendants are
 * noted before every step that may make orphans of them, and those that are left at the end are swept. Never rejects:
 * what cannot be listed or signalled is logged, and the ladder goes on.
 */
export async function runStopLadder(target: StopTarget, tree: StopTree, options: StopOptions = {}): Promise<StopStep> {
  const { clock = systemClock, times = defaultStopTimes, logger = silentLogger } = options;
  const attempt = async (what: string, action: () => unknown): Promise<void> => {
    try {
      await action();
    } catch (error) {
      logger.warn(`Stopping a process: could not ${what}.`, error);
    }
  };
  const climb = async (): Promise<StopStep> => {
    const collected = attempt('list its descendants', () => tree.collect());
    await attempt('end its input', () => target.endInput());
    if (await settledWithin(target.exited, times.endInputMs, clock)) {
      await collected;
      return 'inputEnded';
    }
    await attempt('list its descendants', () => tree.collect());
    await attempt('terminate it', () => target.signal('SIGTERM'));
    if (await settledWithin(target.exited, times.terminateMs, clock)) return 'terminated';
    await attempt('list its descendants', () => tree.collect());
    await attempt('kill it', () => target.signal('SIGKILL'));
    return (await settledWithin(target.exited, times.killMs, clock)) ? 'killed' : 'survived';
  };
  const step = await climb();
  await attempt('end its descendants', () => tree.sweep());
  logger.debug(`Process stopped: ${step}.`);
  return step;
}
