import { signal } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import type { HostAnswers } from '../../src/bridge/hostMessages.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { headerHeight } from '../list/scroller.ts';
import type { Scroller } from '../list/scroller.ts';
import { paint, rangesIn } from './matches.ts';

type Found = HostAnswers['find'];

/** A pause in the typing after which the host is asked. */
const pause = 120;
/** Frames that a row may take to be read and drawn after it was gone to. */
const patience = 120;

/** Room above and below a match that was gone to. */
const margin = 16;

const nothing: Found = { matches: [], total: 0, more: false };

/**
 * Finds a text in the whole conversation. The host counts, since it has all of it; the page marks what it shows, and what it
 * goes to it opens.
 */
export class Finder implements Disposable {
  readonly query = signal('');
  readonly found = signal<Found>(nothing);
  /** Which match one is at, from 0. */
  readonly at = signal(0);

  readonly #app: ViewApp;
  readonly #scroller: Scroller;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;
  #going = 0;

  constructor(app: ViewApp, scroller: Scroller) {
    this.#app = app;
    this.#scroller = scroller;
  }

  get count(): number {
    return this.found.value.matches.reduce((sum, match) => sum + match.count, 0);
  }

  type(query: string): void {
    this.query.value = query;
    this.again(pause, true);
  }

  /** Asks anew: something was typed (`goes`), or the conversation has grown. */
  again(delay: number, goes: boolean): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#ask(goes).catch((error: unknown) => this.#app.fault(error));
    }, delay);
  }

  step(by: 1 | -1): void {
    const { count } = this;
    if (count === 0) return;
    this.at.value = (this.at.peek() + by + count) % count;
    this.#go().catch((error: unknown) => this.#app.fault(error));
  }

  /** Marks every match in the rows that are on screen. */
  mark(): void {
    const query = this.query.peek();
    paint(
      'handrail-find',
      this.#scroller.rowsOnScreen().flatMap(row => rangesIn(row, query)),
    );
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#asked++;
    this.#going++;
    paint('handrail-find', []);
    paint('handrail-find-current', []);
  }

  async #ask(goes: boolean): Promise<void> {
    const turn = ++this.#asked;
    const query = this.query.peek();
    const found = query.trim() === '' ? nothing : await this.#app.find(query);
    if (turn !== this.#asked) return;
    this.found.value = found;
    this.mark();
    if (goes) {
      this.at.value = this.#fromHere();
      await this.#go();
    } else this.at.value = Math.max(0, Math.min(this.at.peek(), this.count - 1));
  }

  /** The first match at or below what is being read; the first of all when there is none. */
  #fromHere(): number {
    const reading = this.#scroller.reading.peek();
    let before = 0;
    for (const { index, count } of this.found.peek().matches) {
      if (index >= reading) return before;
      before += count;
    }
    return 0;
  }

  async #go(): Promise<void> {
    const turn = ++this.#going;
    paint('handrail-find-current', []);
    const place = this.#place();
    if (!place) return;
    this.#scroller.folding.openAt(place.index);
    this.#scroller.reveal(place.index);
    const query = this.query.peek();
    let opened = false;
    for (let frame = 0; frame < patience; frame++) {
      await nextFrame();
      if (turn !== this.#going) return;
      const row = this.#scroller.rowAt(place.index);
      const ranges = row ? rangesIn(row, query) : [];
      const range = ranges[Math.min(place.nth, ranges.length - 1)];
      if (row && !opened && ranges.length <= place.nth) {
        // What is looked for is in a part that is closed.
        opened = true;
        open(this.#app, this.#app.conversation.idAt(place.index));
      } else if (range) {
        paint('handrail-find-current', [range]);
        this.mark();
        this.#show(range);
        return;
      } else if (row && frame > 10) return;
    }
  }

  /** Scrolls until the match is on screen, below the header and the search itself. */
  #show(match: Range): void {
    const { page } = this.#scroller;
    if (!page) return;
    const [inner, outer] = [match.getBoundingClientRect(), page.getBoundingClientRect()];
    const top = outer.top + headerHeight + margin;
    if (inner.top < top || inner.bottom > outer.bottom - margin) page.scrollTop += inner.top - top - outer.height / 4;
  }

  #place(): { readonly index: number; readonly nth: number } | undefined {
    let left = this.at.peek();
    for (const { index, count } of this.found.peek().matches) {
      if (left < count) return { index, nth: left };
      left -= count;
    }
    return undefined;
  }
}

function open(app: ViewApp, id: string | undefined): void {
  if (id === undefined) return;
  for (const kind of ['tool', 'thinking', 'prompt', 'notice']) {
    const key = `${kind}:${id}`;
    if (!app.expansion(key).peek()) app.state.toggle(key);
  }
}

function nextFrame(): Promise<void> {
  return new Promise(resolve => requestAnimationFrame(() => resolve()));
}
