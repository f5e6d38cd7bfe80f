import { diffArrays } from 'diff';

/** Old items `[oldStart, oldEnd)` became new items `[newStart, newEnd)`. One side may be empty, never both. */
export interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/**
 * How far two stretches may be apart for an exact difference. The work grows with the square of it, so beyond this the
 * difference is cut at lines that both sides have once. Deliberately no time limit: hunks are computed again and again
 * and must come out the same on a busy machine.
 */
const exactDistance = 400;
const deepest = 6;

/** What changed between two lists of lines, in order, never touching each other. The same lists give the same changes. */
export function changesBetween(before: readonly string[], after: readonly string[]): Change[] {
  const all = { oldStart: 0, oldEnd: before.length, newStart: 0, newEnd: after.length };
  const middle = trimmed(before, after, all);
  const numbers = new Map<string, number>();
  const numbered = (lines: readonly string[]) =>
    lines.map(line => {
      const known = numbers.get(line) ?? numbers.size;
      numbers.set(line, known);
      return known;
    });
  const old = numbered(before.slice(middle.oldStart, middle.oldEnd));
  const fresh = numbered(after.slice(middle.newStart, middle.newEnd));
  const changes: Change[] = [];
  collect(old, fresh, { oldStart: 0, oldEnd: old.length, newStart: 0, newEnd: fresh.length }, changes, 0);
  return joined(changes).map(change => shifted(change, middle.oldStart, middle.newStart));
}

function shifted({ oldStart, oldEnd, newStart, newEnd }: Change, old: number, fresh: number): Change {
  return { oldStart: oldStart + old, oldEnd: oldEnd + old, newStart: newStart + fresh, newEnd: newEnd + fresh };
}

function collect(
  before: readonly number[],
  after: readonly number[],
  range: Change,
  out: Change[],
  depth: number,
): void {
  const { oldStart, oldEnd, newStart, newEnd } = trimmed(before, after, range);
  if (oldStart === oldEnd && newStart === newEnd) return;
  const rest = { oldStart, oldEnd, newStart, newEnd };
  if (oldStart === oldEnd || newStart === newEnd) {
    out.push(rest);
    return;
  }
  const exact = diffArrays(before.slice(oldStart, oldEnd), after.slice(newStart, newEnd), {
    maxEditLength: depth === 0 ? exactDistance : exactDistance / 4,
  });
  if (exact !== undefined) {
    pushExact(exact, rest, out);
    return;
  }
  const anchors = depth < deepest ? anchorsIn(before, after, rest) : [];
  if (anchors.length === 0) {
    out.push(rest);
    return;
  }
  let from = { oldStart, newStart };
  for (const anchor of [...anchors, { old: oldEnd, new: newEnd }]) {
    collect(before, after, { ...from, oldEnd: anchor.old, newEnd: anchor.new }, out, depth + 1);
    from = { oldStart: anchor.old, newStart: anchor.new };
  }
}

/** Without what both sides begin and end with. */
function trimmed<T>(before: readonly T[], after: readonly T[], range: Change): Change {
  let { oldStart, oldEnd, newStart, newEnd } = range;
  while (oldStart < oldEnd && newStart < newEnd && before[oldStart] === after[newStart]) {
    oldStart += 1;
    newStart += 1;
  }
  while (oldStart < oldEnd && newStart < newEnd && before[oldEnd - 1] === after[newEnd - 1]) {
    oldEnd -= 1;
    newEnd -= 1;
  }
  return { oldStart, oldEnd, newStart, newEnd };
}

type Parts = readonly { readonly added: boolean; readonly removed: boolean; readonly count: number }[];

function pushExact(parts: Parts, { oldStart, newStart }: Change, out: Change[]): void {
  let old = oldStart;
  let fresh = newStart;
  for (const { added, removed, count } of parts) {
    const oldEnd = added ? old : old + count;
    const newEnd = removed ? fresh : fresh + count;
    if (added || removed) out.push({ oldStart: old, oldEnd, newStart: fresh, newEnd });
    old = oldEnd;
    fresh = newEnd;
  }
}

interface Anchor {
  readonly old: number;
  readonly new: number;
}

/** Lines that both stretches have exactly once, as many as stand in the same order on both sides. */
function anchorsIn(before: readonly number[], after: readonly number[], range: Change): Anchor[] {
  const fresh = onlyOnce(after, range.newStart, range.newEnd);
  const pairs: Anchor[] = [];
  for (const [line, old] of onlyOnce(before, range.oldStart, range.oldEnd)) {
    const at = fresh.get(line);
    if (at !== undefined) pairs.push({ old, new: at });
  }
  return longestRising(pairs);
}

function onlyOnce(lines: readonly number[], start: number, end: number): Map<number, number> {
  const found = new Map<number, number>();
  const repeated = new Set<number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at];
    if (line === undefined || repeated.has(line)) continue;
    if (found.delete(line)) repeated.add(line);
    else found.set(line, at);
  }
  return found;
}

/** The longest run of pairs, which rise on the old side, that rises on the new side too. */
function longestRising(pairs: readonly Anchor[]): Anchor[] {
  interface Link {
    readonly pair: Anchor;
    readonly previous: Link | undefined;
  }
  const tails: Link[] = [];
  for (const pair of pairs) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((tails[middle]?.pair.new ?? Infinity) < pair.new) low = middle + 1;
      else high = middle;
    }
    tails[low] = { pair, previous: tails[low - 1] };
  }
  const run: Anchor[] = [];
  for (let link = tails.at(-1); link; link = link.previous) run.push(link.pair);
  return run.reverse();
}

function joined(changes: readonly Change[]): Change[] {
  const result: Change[] = [];
  for (const change of changes) {
    const last = result.at(-1);
    if (last?.oldEnd === change.oldStart && last.newEnd === change.newStart) {
      result[result.length - 1] = { ...last, oldEnd: change.oldEnd, newEnd: change.newEnd };
    } else result.push(change);
  }
  return result;
}
