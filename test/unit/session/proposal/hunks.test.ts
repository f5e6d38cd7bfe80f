import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyHunks, hunksOf, setHunk, whichTaken } from '../../../../src/session/proposal/hunks.ts';
import { pairOfTexts, someText, twoTexts } from './arbitraries.ts';

const chosen = (hunks: readonly { readonly id: number }[], bits: number): Set<number> =>
  new Set(hunks.filter(({ id }) => (bits >> (id % 31)) & 1).map(({ id }) => id));

describe('hunks', () => {
  it('are none between equal texts', () => {
    expect(hunksOf('a\nb\n', 'a\nb\n')).toEqual([]);
    expect(hunksOf('', '')).toEqual([]);
  });

  it('name their line in the present file and hold old and new lines', () => {
    expect(hunksOf('a\nb\nc\nd\n', 'a\nB\nc\nd\ne\n')).toEqual([
      { id: 0, line: 2, newLine: 2, removed: ['b\n'], added: ['B\n'] },
      { id: 1, line: 5, newLine: 5, removed: [], added: ['e\n'] },
    ]);
  });

  it('count a line end that is added or lost at the end as a change of the last line', () => {
    expect(hunksOf('a\nb', 'a\nb\n')).toEqual([{ id: 0, line: 2, newLine: 2, removed: ['b'], added: ['b\n'] }]);
  });

  it('give the proposal when all are taken, and the present text when none is', () => {
    fc.assert(
      fc.property(twoTexts, ([before, after]) => {
        const hunks = hunksOf(before, after);
        expect(applyHunks(before, hunks, new Set(hunks.map(({ id }) => id)))).toBe(after);
        expect(applyHunks(before, hunks, new Set())).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  it('are numbered in order and never touch each other', () => {
    fc.assert(
      fc.property(twoTexts, ([before, after]) => {
        let end = -1;
        hunksOf(before, after).forEach((hunk, at) => {
          expect(hunk.id).toBe(at);
          expect(hunk.line - 1).toBeGreaterThan(end);
          expect(hunk.removed.length + hunk.added.length).toBeGreaterThan(0);
          end = hunk.line - 1 + hunk.removed.length;
        });
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('which hunks the right side holds', () => {
  const before = 'one\ntwo\nthree\nfour\nfive\nsix\n';
  const after = 'one\nTWO\nthree\nfour\n4.5\nfive\n';

  it('follows a revert arrow', () => {
    expect(whichTaken(before, after, after)).toEqual(['taken', 'taken', 'taken']);
    expect(whichTaken(before, after, before)).toEqual(['left', 'left', 'left']);
    expect(whichTaken(before, after, 'one\ntwo\nthree\nfour\n4.5\nfive\n')).toEqual(['left', 'taken', 'taken']);
    expect(whichTaken(before, after, 'one\nTWO\nthree\nfour\nfive\nsix\n')).toEqual(['taken', 'left', 'left']);
  });

  it('calls a hunk changed when it holds neither its old nor its new lines', () => {
    expect(whichTaken(before, after, 'one\nTwo!\nthree\nfour\n4.5\nfive\n')).toEqual(['changed', 'taken', 'taken']);
  });

  it('still sees the hunks when something else was written elsewhere', () => {
    expect(whichTaken(before, after, 'zero\none\nTWO\nthree\nmine\nfour\nfive\n')).toEqual(['taken', 'left', 'taken']);
    expect(whichTaken(before, after, 'zero\none\ntwo\nthree\nfour\n4.5\nfive\nsix\nseven\n')).toEqual([
      'left',
      'taken',
      'left',
    ]);
  });

  it('does not mind that an editor made the line ends alike', () => {
    expect(whichTaken(before, after, after.replaceAll('\n', '\r\n'))).toEqual(['taken', 'taken', 'taken']);
  });

  it('reads any choice of hunks as a choice that gives the same text', () => {
    fc.assert(
      fc.property(pairOfTexts, fc.nat(), ([from, to], bits) => {
        const hunks = hunksOf(from, to);
        const right = applyHunks(from, hunks, chosen(hunks, bits));
        const states = whichTaken(from, to, right);
        expect(states).not.toContain('changed');
        const again = new Set(hunks.filter(({ id }) => states[id] === 'taken').map(({ id }) => id));
        expect(applyHunks(from, hunks, again)).toBe(right);
      }),
      { numRuns: 1_000 },
    );
  });

  it('never fails and always says one word per hunk, whatever is on the right', () => {
    fc.assert(
      fc.property(twoTexts, someText, ([from, to], right) => {
        expect(whichTaken(from, to, right)).toHaveLength(hunksOf(from, to).length);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a tick box', () => {
  const before = 'one\ntwo\nthree\nfour\n';
  const after = 'one\nTWO\nthree\nFOUR\n';

  it('takes and leaves a hunk and keeps what the person wrote elsewhere', () => {
    expect(setHunk(before, after, 'mine\none\nTWO\nthree\nFOUR\n', 0, false)).toBe('mine\none\ntwo\nthree\nFOUR\n');
    expect(setHunk(before, after, 'mine\none\ntwo\nthree\nFOUR\n', 0, true)).toBe('mine\none\nTWO\nthree\nFOUR\n');
  });

  it('replaces what the person wrote over the hunk itself', () => {
    expect(setHunk(before, after, 'one\nzwei\nthree\nFOUR\n', 0, true)).toBe(after);
    expect(setHunk(before, after, 'one\nzwei\nzwo\nthree\nFOUR\n', 0, false)).toBe('one\ntwo\nthree\nFOUR\n');
  });

  it('writes the line ends that the editor uses', () => {
    const right = after.replaceAll('\n', '\r\n');
    expect(setHunk(before, after, right, 1, false)).toBe('one\r\nTWO\r\nthree\r\nfour\r\n');
  });

  it('refuses a hunk that does not exist', () => {
    expect(() => setHunk(before, after, after, 2, true)).toThrow(RangeError);
  });

  it('gives exactly the text without or with that hunk when only hunks were chosen', () => {
    fc.assert(
      fc.property(pairOfTexts, fc.nat(), fc.nat(), fc.boolean(), ([from, to], bits, which, take) => {
        const hunks = hunksOf(from, to);
        fc.pre(hunks.length > 0);
        const right = applyHunks(from, hunks, chosen(hunks, bits));
        const id = which % hunks.length;
        const states = whichTaken(from, to, right);
        const wanted = new Set(
          hunks.filter(hunk => (hunk.id === id ? take : states[hunk.id] === 'taken')).map(h => h.id),
        );
        expect(setHunk(from, to, right, id, take)).toBe(applyHunks(from, hunks, wanted));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('a person who writes between the hunks', () => {
  /** Every line of its own, so that there is one right reading. */
  const written = fc
    .tuple(
      fc.array(fc.constantFrom('keep', 'keep', 'keep', 'replace', 'remove', 'insert'), { maxLength: 30 }),
      fc.nat(),
      fc.array(fc.nat(), { maxLength: 5 }),
    )
    .map(([plan, bits, places]) => {
      const before: string[] = [];
      const after: string[] = [];
      plan.forEach((step, at) => {
        if (step !== 'insert') before.push(`old ${at}\n`);
        if (step === 'keep') after.push(`old ${at}\n`);
        else if (step !== 'remove') after.push(`new ${at}\n`);
      });
      return { before: before.join(''), after: after.join(''), bits, places };
    });

  /** Puts lines in between two lines that no hunk touches. */
  function typed(right: string, common: ReadonlySet<string>, places: readonly number[]): string {
    const lines = right.split(/(?<=\n)/);
    const quiet = lines.flatMap((line, at) => (common.has(line) && common.has(lines[at + 1] ?? '') ? [at + 1] : []));
    const chosenPlaces = new Set(places.flatMap(place => quiet[place % Math.max(1, quiet.length)] ?? []));
    return lines.map((line, at) => (chosenPlaces.has(at) ? `mine ${at}\n${line}` : line)).join('');
  }

  it('does not change what is taken and left, and keeps it when a box is ticked', () => {
    fc.assert(
      fc.property(written, fc.nat(), fc.boolean(), ({ before, after, bits, places }, which, take) => {
        const hunks = hunksOf(before, after);
        fc.pre(hunks.length > 0);
        const changed = new Set(hunks.flatMap(({ removed, added }) => [...removed, ...added]));
        const common = new Set(before.split(/(?<=\n)/).filter(line => line !== '' && !changed.has(line)));
        const taken = chosen(hunks, bits);
        const right = typed(applyHunks(before, hunks, taken), common, places);
        const states = whichTaken(before, after, right);
        expect(states).toEqual(hunks.map(({ id }) => (taken.has(id) ? 'taken' : 'left')));
        const id = which % hunks.length;
        const next = setHunk(before, after, right, id, take);
        expect(whichTaken(before, after, next)).toEqual(states.with(id, take ? 'taken' : 'left'));
        const mine = (text: string) => text.split('\n').filter(line => line.startsWith('mine'));
        expect(mine(next)).toEqual(mine(right));
        expect(setHunk(before, after, next, id, taken.has(id))).toBe(right);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('the time it takes', () => {
  const big = Array.from({ length: 10_000 }, (_, at) => `line ${at} of the file\n`);

  function spent(work: () => unknown): number {
    work();
    const from = performance.now();
    work();
    return performance.now() - from;
  }

  it('is a few milliseconds for some changes in 10,000 lines', () => {
    const changed = big.map((line, at) => (at % 500 === 7 ? line.toUpperCase() : line));
    expect(hunksOf(big.join(''), changed.join(''))).toHaveLength(20);
    // Generous, since the machine may be busy: it is 5 ms on a quiet one.
    expect(spent(() => hunksOf(big.join(''), changed.join('')))).toBeLessThan(100);
  });

  it('does not depend on how many lines a hunk has', () => {
    const huge = 'x\n'.repeat(300_000);
    const hunks = hunksOf('', huge);
    expect(applyHunks('', hunks, new Set([0]))).toHaveLength(600_000);
    expect(setHunk('', huge, '', 0, true)).toHaveLength(600_000);
  });

  it('stays bounded when every line, or every other line, of a huge file changed', () => {
    const other = big.map((line, at) => (at % 2 === 0 ? line : `changed ${at}\n`));
    const all = big.map((_, at) => `${at}\n`);
    const same = Array.from({ length: 20_000 }, (_, at) => (at % 2 === 0 ? '}\n' : '\n'));
    const less = same.filter((_, at) => at % 3 !== 0);
    for (const [from, to] of [
      [big, other],
      [big, all],
      [same, less],
      [big, big.toReversed()],
    ] as const) {
      const [before, after] = [from.join(''), to.join('')];
      expect(spent(() => hunksOf(before, after))).toBeLessThan(1_500);
      const hunks = hunksOf(before, after);
      expect(applyHunks(before, hunks, new Set(hunks.map(({ id }) => id)))).toBe(after);
      expect(applyHunks(before, hunks, new Set())).toBe(before);
      expect(hunksOf(before, after)).toEqual(hunks);
    }
    expect(hunksOf(big.join(''), other.join(''))).toHaveLength(5_000);
  });
});
