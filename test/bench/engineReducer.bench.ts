import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';
import { round } from './support/alternate.ts';
import { ownProcess } from './support/ownProcess.ts';

const ROUNDS = 5;

/** The last tenth of 100,000 messages must cost what the first did. */
export async function measures({ root }: BenchContext): Promise<Measure[]> {
  const runs: { first: number; last: number }[] = [];
  for (let run = 0; run < ROUNDS; run++) {
    // The one line of our own program.
    runs.push((await ownProcess(root, 'test/bench/support/reducerRun.ts')) as { first: number; last: number });
  }
  const first = median(runs.map(run => run.first));
  const last = median(runs.map(run => run.last));
  return [
    {
      measure: 'reducer, µs a message: last to first of 100,000',
      ours: round(last, 2),
      floor: round(first, 2),
      goal: round(first * 1.5, 2),
    },
  ];
}
