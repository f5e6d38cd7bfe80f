import { describe, expect, it } from 'vitest';
import { Deferred } from '../../../src/base/deferred.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { defaultStopTimes, runStopLadder } from '../../../src/transport/stopLadder.ts';
import { ManualClock } from './manualClock.ts';

/** A process that leaves at the given step, and a diary of what was done to it and when. */
function setUp(leavesAt: 'end' | 'SIGTERM' | 'SIGKILL' | 'never', failing: readonly string[] = []) {
  const clock = new ManualClock();
  const diary: string[] = [];
  const exited = new Deferred<void>();
  const act = (what: string): void => {
    diary.push(`${clock.now()} ${what}`);
    if (what === leavesAt) exited.resolve();
    if (failing.includes(what)) throw new Error(`${what} failed`);
  };
  const warnings: string[] = [];
  const ladder = runStopLadder(
    { exited: exited.promise, endInput: () => act('end'), signal: signal => act(signal) },
    {
      collect: () => Promise.resolve().then(() => act('collect')),
      sweep: async () => {
        await Promise.resolve();
        act('sweep');
        return 0;
      },
    },
    { clock, logger: { ...silentLogger, warn: message => warnings.push(message) } },
  );
  return { clock, diary, ladder, warnings };
}

describe('the stop ladder', () => {
  it('uses five seconds for each step unless told otherwise', () => {
    expect(defaultStopTimes).toMatchObject({ endInputMs: 5000, terminateMs: 5000 });
  });

  it('signals nobody who leaves at the end of the input', async () => {
    const { diary, ladder, clock } = setUp('end');
    expect(await ladder).toBe('inputEnded');
    expect(diary).toEqual(['0 end', '0 collect', '0 sweep']);
    expect(clock.pending).toBe(0);
  });

  it('terminates after five seconds, and notes the descendants before', async () => {
    const { diary, ladder, clock } = setUp('SIGTERM');
    await clock.advance(4999);
    expect(diary).toEqual(['0 end', '0 collect']);
    await clock.advance(1);
    expect(await ladder).toBe('terminated');
    expect(diary.slice(2)).toEqual(['5000 collect', '5000 SIGTERM', '5000 sweep']);
  });

  it('kills after ten seconds, and sweeps what the killed one left', async () => {
    const { diary, ladder, clock } = setUp('SIGKILL');
    await clock.advance(10_000);
    expect(await ladder).toBe('killed');
    expect(diary.slice(4)).toEqual(['10000 collect', '10000 SIGKILL', '10000 sweep']);
  });

  it('does not wait for ever for one that not even SIGKILL ends', async () => {
    const { ladder, clock } = setUp('never');
    await clock.advance(12_000);
    expect(await ladder).toBe('survived');
  });

  it('goes on to the end though single steps fail, and logs them', async () => {
    const { ladder, clock, diary, warnings } = setUp('SIGKILL', ['collect', 'end', 'SIGTERM', 'sweep']);
    await clock.advance(10_000);
    expect(await ladder).toBe('killed');
    expect(diary.at(-1)).toBe('10000 sweep');
    expect(warnings).toHaveLength(6);
  });
});
