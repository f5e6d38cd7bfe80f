import { expect, it } from 'vitest';
import { closedOutput, fullDisk, hungChild, openAndClose } from '../torture/faults.ts';
import { killAgainAndAgain } from '../torture/kills.ts';
import { seed } from './support/seed.ts';

const silent = (): void => undefined;

it(`survives kills in the middle of anything and resumes with all that was finished (seed ${seed})`, async () => {
  const rounds: string[] = [];
  await killAgainAndAgain(8, seed, line => rounds.push(line));
  expect(rounds).toHaveLength(8);
});

it('says that the line is broken when the agent closes its output', async () => {
  await expect(closedOutput()).resolves.toBeUndefined();
});

it('can be closed although the agent hangs', async () => {
  await expect(hungChild()).resolves.toBeUndefined();
});

it('leaves no process behind after ten sessions', async () => {
  await expect(openAndClose(10, silent)).resolves.toBeUndefined();
});

it('goes on when the disk is full, and says what was lost', async () => {
  expect(await fullDisk()).toMatch(/^told/);
});
