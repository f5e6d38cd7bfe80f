import { describe, expect, it } from 'vitest';
import { knownVersions } from '../../../src/transport/knownVersions.ts';

function counted(answer: () => { version?: string; problem?: string }) {
  let asked = 0;
  let stamp = 'one';
  const probe = knownVersions(
    () => {
      asked += 1;
      return Promise.resolve(answer());
    },
    () => stamp,
  );
  return { probe, asked: () => asked, update: () => (stamp = 'two') };
}

describe('a version that is known', () => {
  it('is not asked for again until the file of the program changes', async () => {
    const { probe, asked, update } = counted(() => ({ version: '2.1.326' }));
    await probe('/bin/claude', 100);
    expect(await probe('/bin/claude', 100)).toEqual({ version: '2.1.326' });
    expect(asked()).toBe(1);
    update();
    await probe('/bin/claude', 100);
    expect(asked()).toBe(2);
  });

  it('is not what a program said that failed to answer', async () => {
    const { probe, asked } = counted(() => ({ problem: 'no answer' }));
    await probe('/bin/claude', 100);
    expect(await probe('/bin/claude', 100)).toEqual({ problem: 'no answer' });
    expect(asked()).toBe(2);
  });
});
