import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { ProcessIdentity, ProcessTable } from './processTable.ts';
import type { SweepTimes } from './processTree.ts';
import { ProcessTree } from './processTree.ts';
import type { StopTimes } from './stopLadder.ts';
import { runStopLadder } from './stopLadder.ts';
import { delay } from './waiting.ts';

/** What the host tells the guardian, one JSON line each. */
export type GuardianOrder =
  { readonly add: number; readonly marker?: string | undefined } | { readonly remove: number };

export interface GuardianOptions {
  readonly clock?: Clock;
  readonly stopTimes?: StopTimes;
  readonly sweepTimes?: SweepTimes;
  readonly pollMs?: number;
}

const identifyAttempts = 3;

interface Guarded {
  readonly identity: ProcessIdentity;
  readonly marker: string | undefined;
}

/** Reads an order; anything else is undefined. Numbers below 2 are never processes of ours. */
export function parseGuardianOrder(line: string): GuardianOrder | undefined {
  let order: unknown;
  try {
    order = JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof order !== 'object' || order === null) return undefined;
  const isPid = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 1;
  if ('remove' in order && isPid(order.remove)) return { remove: order.remove };
  if (!('add' in order) || !isPid(order.add)) return undefined;
  const marker = 'marker' in order && typeof order.marker === 'string' ? order.marker : undefined;
  return { add: order.add, marker };
}

/** The guardian's book: who is guarded, and how they end when the host is gone. */
export class GuardedProcesses {
  readonly #table: ProcessTable;
  readonly #options: GuardianOptions;
  readonly #guarded = new Map<number, Guarded>();
  /** Orders are carried out one after the other, though looking a process up takes time. */
  #last: Promise<void> = Promise.resolve();

  constructor(table: ProcessTable, options: GuardianOptions = {}) {
    this.#table = table;
    this.#options = options;
  }

  take(order: GuardianOrder): void {
    this.#last = this.#last.then(async () => {
      if ('remove' in order) {
        this.#guarded.delete(order.remove);
        return;
      }
      const found = await this.#identify(order.add);
      // A child that was gone before the look-up may still have left a shell behind; its marker finds that one.
      const identity = found ?? { pid: order.add, startedAtMost: -1 };
      this.#guarded.set(order.add, { identity, marker: order.marker });
    });
  }

  /** The host is gone. Its death has ended the children's input, so the ladder begins with waiting for them to leave. */
  async hostGone(): Promise<number> {
    await this.#last;
    const guarded = [...this.#guarded.values()];
    this.#guarded.clear();
    await Promise.all(guarded.map(one => this.#end(one)));
    return guarded.length;
  }

  /** On a busy machine a listing may fail. It must not cost this process its guard, nor the orders behind it theirs. */
  async #identify(pid: number): Promise<ProcessIdentity | undefined> {
    const { clock = systemClock, pollMs = 100 } = this.#options;
    for (let attempt = 1; attempt < identifyAttempts; attempt += 1) {
      try {
        return await this.#table.identify(pid);
      } catch {
        await delay(clock, pollMs);
      }
    }
    return this.#table.identify(pid).catch(() => undefined);
  }

  async #end({ identity, marker }: Guarded): Promise<void> {
    const { clock = systemClock, stopTimes, sweepTimes, pollMs = 100 } = this.#options;
    const tree = new ProcessTree(identity, this.#table, {
      clock,
      ...(marker === undefined ? {} : { marker }),
      ...(sweepTimes === undefined ? {} : { times: sweepTimes }),
    });
    let givenUp = false;
    const isGone = async (): Promise<boolean> => {
      if (!(await tree.isRootAlive())) return true;
      // Also notes what the root starts between the steps of the ladder.
      await tree.collect();
      return false;
    };
    const watch = async (): Promise<void> => {
      // A listing that fails says nothing about the root: it counts as running until one shows that it is gone.
      while (!givenUp && !(await isGone().catch(() => false))) await delay(clock, pollMs);
    };
    await runStopLadder(
      { exited: watch(), endInput: () => undefined, signal: signal => tree.signalRoot(signal) },
      { collect: () => tree.collect(), sweep: () => tree.collectOrphans().then(() => tree.sweep()) },
      { clock, ...(stopTimes === undefined ? {} : { times: stopTimes }) },
    );
    givenUp = true;
  }
}
