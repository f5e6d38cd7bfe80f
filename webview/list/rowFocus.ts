/** The keyboard on its way to a row that is perhaps not in the page yet, or out of one that is taken from it. */
export class RowFocus {
  readonly #rowAt: (index: number) => HTMLElement | undefined;
  #wanted: number | undefined;
  /** What inside the row is meant, when not the row itself. */
  #inside: string | undefined;
  #lost = false;

  constructor(rowAt: (index: number) => HTMLElement | undefined) {
    this.#rowAt = rowAt;
  }

  want(index: number, inside: string | undefined): void {
    this.#wanted = index;
    this.#inside = inside;
  }

  /** Gives the keyboard to the row that is wanted. False: none is, or it is not in the page. */
  give(): boolean {
    const row = this.#wanted === undefined ? undefined : this.#rowAt(this.#wanted);
    if (!row) return false;
    this.#wanted = undefined;
    const inner = this.#inside === undefined ? null : row.querySelector<HTMLElement>(this.#inside);
    (inner ?? row).focus({ preventScroll: true });
    return true;
  }

  /** A row is taken out of the page: a keyboard that was in it goes to the list, not to nowhere. */
  leaves(row: HTMLElement): void {
    if (row.contains(row.ownerDocument.activeElement)) this.#lost = true;
  }

  /** Rows have come and gone. */
  committed(list: HTMLElement | undefined): void {
    if (!this.give() && this.#lost) list?.focus({ preventScroll: true });
    this.#lost = false;
  }
}
