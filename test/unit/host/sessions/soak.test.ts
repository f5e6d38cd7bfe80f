import { describe, expect, it } from 'vitest';
import type { SoakMeasure } from '../../../soak/soakRun.ts';
import { soak, soakFaults } from '../../../soak/soakRun.ts';

const limits = { heapGrowth: 0.05, handleGrowth: 2 };

function run(measures: (cycle: number) => SoakMeasure) {
  let [time, cycles] = [0, 0];
  const stage = {
    cycle: () => {
      cycles += 1;
      time += 1_000;
      return Promise.resolve();
    },
    reload: () => Promise.resolve(),
    measure: () => Promise.resolve(measures(cycles)),
  };
  return soak(stage, { seconds: 10, warmUp: 2, reloadEvery: 5, now: () => time, log: () => undefined });
}

describe('the judgement of a long run', () => {
  it('is good when nothing grows after the warm-up', async () => {
    const result = await run(() => ({ heap: 100, handles: 10, agents: 0 }));
    expect(result).toMatchObject({ cycles: 10, reloads: 1, agentsLeft: 0 });
    expect(soakFaults(result, limits)).toEqual([]);
  });

  it('names what grew and what was left', async () => {
    const result = await run(cycle => ({ heap: 100 + 3 * cycle, handles: cycle * 2, agents: cycle === 4 ? 1 : 0 }));
    expect(soakFaults(result, limits)).toEqual([
      '1 agents were left running',
      'The heap grew from 106 to 115 bytes in 5 cycles',
      'Handles grew from 4 to 10 in 5 cycles',
      'The heap grew from 121 to 130 bytes in 5 cycles',
      'Handles grew from 14 to 20 in 5 cycles',
    ]);
  });
});
