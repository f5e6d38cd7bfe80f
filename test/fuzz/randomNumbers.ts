/** Whole numbers below a limit, the same for the same seed: a failure can be repeated. */
export type RandomBelow = (below: number) => number;

export function randomNumbers(seed: number): RandomBelow {
  let state = seed >>> 0;
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    // From the high bits: the low ones of such a generator repeat.
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function pick<T>(list: readonly T[], random: RandomBelow): T {
  const chosen = list[random(list.length)];
  if (chosen === undefined) throw new Error('nothing to choose from');
  return chosen;
}
