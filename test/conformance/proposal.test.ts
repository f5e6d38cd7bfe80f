import { expect, it } from 'vitest';
import { acceptAgainAndAgain } from '../torture/proposalPairs.ts';

// Another one each time; a failure names it, and `npm run torture -- <seed>` repeats its choices.
const seed = Date.now() % 2 ** 31;

it(`writes byte for byte what the person saw, for any hunks taken and any change of theirs (seed ${seed})`, async () => {
  expect(await acceptAgainAndAgain(100, seed, () => undefined)).toMatch(/^\d+ changed, \d+ unchanged/);
});
