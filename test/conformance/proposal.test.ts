import { expect, it } from 'vitest';
import { acceptAgainAndAgain } from '../torture/proposalPairs.ts';
import { seed } from './support/seed.ts';

it(`writes byte for byte what the person saw, for any hunks taken and any change of theirs (seed ${seed})`, async () => {
  expect(await acceptAgainAndAgain(100, seed, () => undefined)).toMatch(/^\d+ changed, \d+ unchanged/);
});
