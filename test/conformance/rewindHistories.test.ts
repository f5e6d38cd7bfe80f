import { expect, it } from 'vitest';
import { rewindHistories } from '../torture/rewindHistories.ts';
import { seed } from './support/seed.ts';

it(`takes 20 random histories back to every point and forth again, byte for byte (seed ${seed})`, async () => {
  expect(await rewindHistories(20, seed, () => undefined)).toBe(60);
});
