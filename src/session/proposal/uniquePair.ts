import { changesBetween } from './lineDiff.ts';

export interface StringPair {
  readonly oldString: string;
  readonly newString: string;
}

/**
 * The smallest run of whole lines around all that changes which the present text has only once, and what becomes of it.
 * `works` has the last word; the whole text is the last try. An absent or blank text is written whole.
 */
export function uniquePair(
  present: string | undefined,
  wanted: string,
  works: (pair: StringPair) => boolean,
): StringPair | undefined {
  const whole = { oldString: present ?? '', newString: wanted };
  if (present === undefined || present.trim() === '') {
    return [{ oldString: '', newString: wanted }, whole].find(works);
  }
  const region = new Region(present, wanted);
  const smallest = region.smallest();
  return [smallest, ...region.wider(), whole].find(pair => pair !== undefined && works(pair));
}

/** Offsets of the lines a text has; line breaks are `\n` here, as the CLI sees them. */
function startsOf(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  if (starts.at(-1) !== text.length) starts.push(text.length);
  return starts;
}

function linesAt(text: string, starts: readonly number[]): string[] {
  return starts.slice(0, -1).map((start, at) => text.slice(start, starts[at + 1]));
}

class Region {
  readonly #present: string;
  readonly #wanted: string;
  readonly #starts: readonly number[];
  /** Old lines `[from, to)` hold everything that changes. */
  readonly #from: number;
  readonly #to: number;

  constructor(present: string, wanted: string) {
    this.#present = present;
    this.#wanted = wanted;
    this.#starts = startsOf(present);
    const changes = changesBetween(linesAt(present, this.#starts), linesAt(wanted, startsOf(wanted)));
    this.#from = changes[0]?.oldStart ?? 0;
    this.#to = changes.at(-1)?.oldEnd ?? 0;
  }

  /** No line can be taken off either end without the rest occurring twice. */
  smallest(): StringPair | undefined {
    const most = this.#starts.length;
    const both = leastThat(most, context => this.#isUnique(context, context));
    if (both === undefined) return undefined;
    const above = leastThat(both, lines => this.#isUnique(lines, both)) ?? both;
    const below = leastThat(both, lines => this.#isUnique(above, lines)) ?? both;
    return this.#pair(above, below);
  }

  /** Fallbacks for when the smallest is one the CLI would not take literally. */
  wider(): StringPair[] {
    return [1, 4, 16].map(lines => this.#pair(lines, lines)).filter(({ oldString }) => oldString !== '');
  }

  #bounds(above: number, below: number): { readonly start: number; readonly end: number } {
    const last = this.#starts.length - 1;
    return {
      start: this.#starts[Math.max(0, this.#from - above)] ?? 0,
      end: this.#starts[Math.min(last, this.#to + below)] ?? this.#present.length,
    };
  }

  #pair(above: number, below: number): StringPair {
    const { start, end } = this.#bounds(above, below);
    const tail = this.#present.length - end;
    return {
      oldString: this.#present.slice(start, end),
      newString: this.#wanted.slice(start, this.#wanted.length - tail),
    };
  }

  #isUnique(above: number, below: number): boolean {
    const { start, end } = this.#bounds(above, below);
    const text = this.#present.slice(start, end);
    return text !== '' && this.#present.indexOf(text) === start && !this.#present.includes(text, start + 1);
  }
}

/** The least number up to `most` for which `holds`, which holds for all greater ones too. Found in few steps. */
function leastThat(most: number, holds: (value: number) => boolean): number | undefined {
  let high = 0;
  while (!holds(high)) {
    if (high >= most) return undefined;
    high = Math.min(most, Math.max(1, high * 2));
  }
  let low = Math.floor(high / 2);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return high;
}
