import { Fenwick } from './fenwick.ts';

/** Which rows are drawn, and how much room those that are not would take above and below. */
export interface ListWindow {
  readonly first: number;
  /** Inclusive; -1 when there is nothing. */
  readonly last: number;
  readonly before: number;
  readonly after: number;
}

/** What the reader looks at: the row at the top edge, and how far the edge is inside of it. */
export interface Anchor {
  readonly index: number;
  readonly offset: number;
}

export interface ListLimits {
  /** Height taken for a row nobody has measured. */
  readonly estimate: number;
  /** Drawn beyond each edge of the viewport, in pixels. */
  readonly overscan: number;
  /** Never more rows than this, as long as the viewport itself is filled. */
  readonly maxRows: number;
}

export const listDefaults: ListLimits = { estimate: 72, overscan: 400, maxRows: 80 };

/**
 * The arithmetic of the transcript without a DOM: heights by place, hidden rows (folded away) that take no room, what to
 * draw for a scroll position, and an anchor that stays where it is when anything around it changes.
 */
export class ListModel {
  readonly #limits: ListLimits;
  readonly #sums = new Fenwick();
  #heights = new Float64Array(64);
  #shown = new Float64Array(64);
  #hidden = new Uint8Array(64);
  #count = 0;
  #anchor: Anchor | undefined;

  constructor(limits: ListLimits = listDefaults) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  get totalHeight(): number {
    return this.#sums.prefix(this.#count);
  }

  get anchor(): Anchor | undefined {
    return this.#anchor;
  }

  set anchor(anchor: Anchor | undefined) {
    this.#anchor = anchor;
  }

  /** A new conversation, or with `keepHeights` the same one with more at its end. */
  reset(count: number, keepHeights: boolean): void {
    const kept = keepHeights ? Math.min(count, this.#count) : 0;
    this.#reserve(count);
    for (let index = kept; index < count; index++) this.#write(index, this.#limits.estimate, false);
    this.#count = count;
    if (!keepHeights) this.#anchor = undefined;
    this.#sums.rebuild(this.#shown, count);
  }

  insert(index: number, count: number): void {
    this.#reserve(this.#count + count);
    const atEnd = index === this.#count;
    if (!atEnd) this.#move(index, index + count);
    for (let place = index; place < index + count; place++) this.#write(place, this.#limits.estimate, false);
    this.#count += count;
    if (atEnd) for (let added = 0; added < count; added++) this.#sums.push(this.#limits.estimate);
    else this.#sums.rebuild(this.#shown, this.#count);
    if (this.#anchor && index <= this.#anchor.index) {
      this.#anchor = { index: this.#anchor.index + count, offset: this.#anchor.offset };
    }
  }

  remove(index: number): void {
    if (index < 0 || index >= this.#count) return;
    this.#move(index + 1, index);
    this.#count--;
    this.#sums.rebuild(this.#shown, this.#count);
    if (this.#anchor && index < this.#anchor.index) {
      this.#anchor = { index: this.#anchor.index - 1, offset: this.#anchor.offset };
    } else if (this.#anchor?.index === index) {
      this.#anchor = { index: Math.max(0, Math.min(index, this.#count - 1)), offset: 0 };
    }
  }

  heightOf(index: number): number {
    return this.#shown[index] ?? 0;
  }

  isHidden(index: number): boolean {
    return this.#hidden[index] === 1;
  }

  /** Takes a measured height; says whether it was news. */
  measure(index: number, height: number): boolean {
    if (index < 0 || index >= this.#count || Math.abs((this.#heights[index] ?? 0) - height) < 0.05) return false;
    this.#change(index, height, this.isHidden(index));
    return true;
  }

  /** Folds a row away, or back with the height it had. */
  hide(index: number, hidden: boolean): boolean {
    if (index < 0 || index >= this.#count || this.isHidden(index) === hidden) return false;
    this.#change(index, this.#heights[index] ?? this.#limits.estimate, hidden);
    return true;
  }

  offsetOf(index: number): number {
    return this.#sums.prefix(index);
  }

  /** The row that covers this distance from the top; rows without height never do. */
  indexAt(offset: number): number {
    if (this.#count === 0) return -1;
    return Math.min(this.#sums.countWithin(Math.max(0, offset)), this.#count - 1);
  }

  anchorAt(scrollTop: number): Anchor | undefined {
    const index = this.indexAt(scrollTop);
    return index < 0 ? undefined : { index, offset: scrollTop - this.offsetOf(index) };
  }

  /** Where to scroll so that the anchor is at the top edge, where it was. */
  scrollTopOf(anchor: Anchor): number {
    const index = Math.max(0, Math.min(anchor.index, this.#count - 1));
    // A row that became shorter than the offset into it must not pull the next one along.
    const inside = Math.min(anchor.offset, Math.max(0, this.heightOf(index) - 1));
    return this.offsetOf(index) + inside;
  }

  window(scrollTop: number, viewport: number): ListWindow {
    if (this.#count === 0) return { first: 0, last: -1, before: 0, after: 0 };
    const { overscan, maxRows } = this.#limits;
    let first = this.indexAt(scrollTop);
    let last = this.indexAt(scrollTop + viewport);
    let rows = this.#rowsIn(first, last);
    const top = scrollTop - overscan;
    const bottom = scrollTop + viewport + overscan;
    // Grow both ways by turns, so that a row limit cuts both sides alike.
    for (let grows = true; grows && rows < maxRows;) {
      grows = false;
      if (first > 0 && this.offsetOf(first) > top) {
        first--;
        if (!this.isHidden(first)) rows++;
        grows = true;
      }
      if (rows < maxRows && last < this.#count - 1 && this.offsetOf(last + 1) < bottom) {
        last++;
        if (!this.isHidden(last)) rows++;
        grows = true;
      }
    }
    return { first, last, before: this.offsetOf(first), after: this.totalHeight - this.offsetOf(last + 1) };
  }

  #rowsIn(first: number, last: number): number {
    let rows = 0;
    for (let index = first; index <= last; index++) if (!this.isHidden(index)) rows++;
    return rows;
  }

  #change(index: number, height: number, hidden: boolean): void {
    const before = this.#shown[index] ?? 0;
    this.#write(index, height, hidden);
    this.#sums.add(index, (this.#shown[index] ?? 0) - before);
  }

  #write(index: number, height: number, hidden: boolean): void {
    this.#heights[index] = height;
    this.#hidden[index] = hidden ? 1 : 0;
    this.#shown[index] = hidden ? 0 : height;
  }

  #move(from: number, to: number): void {
    this.#heights.copyWithin(to, from, this.#count);
    this.#shown.copyWithin(to, from, this.#count);
    this.#hidden.copyWithin(to, from, this.#count);
  }

  #reserve(count: number): void {
    if (count <= this.#heights.length) return;
    const size = Math.max(count, this.#heights.length * 2);
    const heights = new Float64Array(size);
    const shown = new Float64Array(size);
    const hidden = new Uint8Array(size);
    heights.set(this.#heights.subarray(0, this.#count));
    shown.set(this.#shown.subarray(0, this.#count));
    hidden.set(this.#hidden.subarray(0, this.#count));
    this.#heights = heights;
    this.#shown = shown;
    this.#hidden = hidden;
  }
}
