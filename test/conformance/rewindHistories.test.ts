import { expect, it } from 'vitest';
import { rewindHistories } from '../torture/rewindHistories.ts';

// Part of the name, so that a failure can be repeated with `npm run torture -- <seed>`.
const seed = Number(process.env['HANDRAIL_SEED'] ?? Date.now() % 2 ** 31);

it(`takes 20 random histories back to every point and forth again, byte for byte (seed ${seed})`, async () => {
  expect(await rewindHistories(20, seed, () => undefined)).toBe(60);
});
