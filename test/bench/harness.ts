/** One measured value beside what it is compared with. Smaller is better. */
export interface Measure {
  readonly measure: string;
  readonly ours: number;
  /** The least that is possible here, measured in the same run: an empty extension, for one. */
  readonly floor?: number;
  /** The same thing done by another program, measured in the same run. */
  readonly peer?: number;
  /** The most that is acceptable. */
  readonly goal: number;
}

export interface BenchContext {
  readonly root: string;
  readonly log: (line: string) => void;
}

/** What a file `test/bench/*.bench.ts` exports. */
export interface Bench {
  measures(context: BenchContext): Promise<readonly Measure[]>;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('Nothing was measured.');
  return middle;
}
