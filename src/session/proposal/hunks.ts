import { changesBetween } from './lineDiff.ts';
import { asShown, lineEndingsOf, linesOf, withoutEnd } from './lineEndings.ts';

/** One place where two texts differ. */
export interface Hunk {
  /** Its place among the hunks of the same two texts, from 0. */
  readonly id: number;
  /** The first line it changes in the present file, from 1; for lines only added: the line they come before. */
  readonly line: number;
  /** The same in the proposed text. */
  readonly newLine: number;
  /** Lines with their ends. */
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

/** What the right side holds of a hunk: its new lines, its old lines, or something else. */
export type HunkState = 'taken' | 'left' | 'changed';

/** The same two texts give the same hunks, whenever they are asked for. */
export function hunksOf(before: string, after: string): Hunk[] {
  return hunksOfLines(linesOf(before), linesOf(after));
}

function hunksOfLines(before: readonly string[], after: readonly string[]): Hunk[] {
  return changesBetween(before, after).map(({ oldStart, oldEnd, newStart, newEnd }, id) => ({
    id,
    line: oldStart + 1,
    newLine: newStart + 1,
    removed: before.slice(oldStart, oldEnd),
    added: after.slice(newStart, newEnd),
  }));
}

/** All taken gives the proposal, none the present text. `hunks` are those of `before`. */
export function applyHunks(before: string, hunks: readonly Hunk[], taken: ReadonlySet<number>): string {
  return composed(linesOf(before), hunks, hunk => taken.has(hunk.id)).join('');
}

function composed(before: readonly string[], hunks: readonly Hunk[], isTaken: (hunk: Hunk) => boolean): string[] {
  const result: string[] = [];
  let from = 0;
  for (const hunk of hunks) {
    const start = hunk.line - 1;
    for (let at = from; at < start; at += 1) result.push(before[at] ?? '');
    // One by one: a hunk may have more lines than a call may have arguments.
    for (const line of isTaken(hunk) ? hunk.added : hunk.removed) result.push(line);
    from = start + hunk.removed.length;
  }
  for (let at = from; at < before.length; at += 1) result.push(before[at] ?? '');
  return result;
}

/** Which hunks of `before` and `after` the text `right` holds; line ends count as the same. */
export function whichTaken(before: string, after: string, right: string): HunkState[] {
  return new RightSide(before, after, right).states;
}

/**
 * The right side with one hunk taken or left, everything else as it stands there. What a person wrote over the hunk itself
 * is replaced.
 */
export function setHunk(before: string, after: string, right: string, id: number, take: boolean): string {
  return new RightSide(before, after, right).with(id, take);
}

/** A stretch of lines in the text on the right. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The right side, compared with both texts it came from. */
class RightSide {
  readonly states: HunkState[];
  readonly #lines: readonly string[];
  readonly #hunks: readonly Hunk[];
  readonly #spans: readonly Span[];

  constructor(before: string, after: string, right: string) {
    const bare = (text: string) => linesOf(asShown(text));
    const old = bare(before);
    const fresh = bare(after);
    const now = bare(right);
    this.#lines = linesOf(right);
    // Ends are compared as shown; the lines put in are the texts' own.
    this.#hunks = hunksOf(before, after);
    const shown = this.#hunks.map(hunk => ({
      ...hunk,
      removed: hunk.removed.map(asShown),
      added: hunk.added.map(asShown),
    }));
    const exact = readExactly(old, shown, now);
    const found = exact ?? readLoosely(old, fresh, shown, now);
    this.states = found.map(({ state }) => state);
    this.#spans = found.map(({ span }) => span);
  }

  with(id: number, take: boolean): string {
    const hunk = this.#hunks[id];
    const span = this.#spans[id];
    if (hunk === undefined || span === undefined) throw new RangeError(`There is no hunk ${id}.`);
    const wanted = take ? hunk.added : hunk.removed;
    const lines = [...this.#lines.slice(0, span.start), ...this.#dressed(wanted), ...this.#lines.slice(span.end)];
    return lines.map((line, at) => (at < lines.length - 1 ? this.#ended(line) : line)).join('');
  }

  /** Lines with the ends the right side uses, when it uses one kind. */
  #dressed(lines: readonly string[]): string[] {
    const end = this.#end();
    return lines.map(line => (end === undefined || line === withoutEnd(line) ? line : withoutEnd(line) + end));
  }

  /** A last line without an end needs one when something now follows it. */
  #ended(line: string): string {
    return line === withoutEnd(line) ? line + (this.#end() ?? '\n') : line;
  }

  #end(): string | undefined {
    switch (lineEndingsOf(this.#lines.join(''))) {
      case 'lf':
        return '\n';
      case 'crlf':
        return '\r\n';
      default:
        return undefined;
    }
  }
}

interface Reading {
  readonly state: HunkState;
  readonly span: Span;
}

interface Trail {
  readonly at: number;
  readonly readings: Chain | undefined;
}

interface Chain {
  readonly reading: Reading;
  readonly previous: Chain | undefined;
}

/** More ways than this to read a text are not followed. */
const mostTrails = 16;

/** The right side as nothing but old and new lines of whole hunks, if it can be read like that. */
function readExactly(before: readonly string[], hunks: readonly Hunk[], now: readonly string[]): Reading[] | undefined {
  let trails: Trail[] = [{ at: 0, readings: undefined }];
  let from = 0;
  for (const hunk of hunks) {
    const common = before.slice(from, hunk.line - 1);
    from = hunk.line - 1 + hunk.removed.length;
    const next = new Map<number, Trail>();
    for (const { at, readings } of trails) {
      if (!holds(now, at, common)) continue;
      const start = at + common.length;
      for (const [state, lines] of [['taken', hunk.added] as const, ['left', hunk.removed] as const]) {
        const end = start + lines.length;
        if (next.has(end) || next.size >= mostTrails || !holds(now, start, lines)) continue;
        next.set(end, { at: end, readings: { reading: { state, span: { start, end } }, previous: readings } });
      }
    }
    trails = [...next.values()];
  }
  const rest = before.slice(from);
  const whole = trails.find(({ at }) => at + rest.length === now.length && holds(now, at, rest));
  if (whole === undefined) return undefined;
  const found: Reading[] = [];
  for (let link = whole.readings; link; link = link.previous) found.push(link.reading);
  return found.reverse();
}

function holds(lines: readonly string[], at: number, wanted: readonly string[]): boolean {
  return at + wanted.length <= lines.length && wanted.every((line, offset) => lines[at + offset] === line);
}

/** A text with changes of its own: each hunk is looked for by what is around it. */
function readLoosely(
  before: readonly string[],
  after: readonly string[],
  hunks: readonly Hunk[],
  now: readonly string[],
): Reading[] {
  const fromBefore = new Tracing(before, now);
  const fromAfter = new Tracing(after, now);
  return hunks.map(hunk => {
    const old = fromBefore.trace(hunk.line - 1, hunk.removed.length);
    const fresh = fromAfter.trace(hunk.newLine - 1, hunk.added.length);
    const taken: Reading | undefined = fresh.whole ? { state: 'taken', span: fresh.span } : undefined;
    const left: Reading | undefined = old.whole ? { state: 'left', span: old.span } : undefined;
    // A side without lines says little: the side that has some is looked for first.
    const found = hunk.added.length === 0 ? (left ?? taken) : (taken ?? left);
    return found ?? { state: 'changed', span: fresh.span };
  });
}

/** Where lines of one text are in another. */
class Tracing {
  readonly #changes;

  constructor(from: readonly string[], to: readonly string[]) {
    this.#changes = changesBetween(from, to);
  }

  /** `whole`: all the lines are there, with nothing between them. */
  trace(start: number, count: number): { readonly span: Span; readonly whole: boolean } {
    const end = start + count;
    let shift = 0;
    let whole = true;
    let span: { start: number; end: number } | undefined;
    for (const change of this.#changes) {
      if (change.oldEnd <= start && (change.oldEnd < start || change.oldStart < change.oldEnd || count > 0)) {
        shift = change.newEnd - change.oldEnd;
        continue;
      }
      if (change.oldStart > end || (change.oldStart === end && count > 0)) break;
      const touches = change.oldStart < end && (change.oldEnd > start || change.oldStart > start);
      if (touches) whole = false;
      span = {
        start: Math.min(span?.start ?? Infinity, change.newStart, start + shift),
        end: Math.max(span?.end ?? 0, change.newEnd),
      };
      shift = change.newEnd - change.oldEnd;
    }
    const last = end + shift;
    if (whole) return { span: { start: last - count, end: last }, whole };
    return { span: { start: span?.start ?? last - count, end: Math.max(span?.end ?? 0, last) }, whole };
  }
}
