import { signal } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import { DisposableStore, toDisposable } from '../../src/base/disposable.ts';
import type { ViewApp } from '../app/viewApp.ts';
import type { OrderChange } from '../store/conversation.ts';
import { Folding } from './folding.ts';
import type { Layout } from './layout.ts';
import { ListModel } from './listModel.ts';
import type { Anchor, ListWindow } from './listModel.ts';
import { PlaceKeeper } from './placeKeeper.ts';
import { RowFocus } from './rowFocus.ts';

/** A card with a question marks itself so; the keyboard goes there rather than to its row. */
export const askSelector = '[data-ask]';
/** Closer to the end than this is at the end. */
const endSlack = 4;
/** Height of the header that sticks to the top edge. */
export const headerHeight = 28;
/** Room kept above a row that was jumped to, for that header. */
const jumpMargin = headerHeight + 8;

/**
 * Ties the arithmetic of the list to a scrolling element: says what to draw, takes measurements, and keeps either the
 * end or the reader's place fixed. Everything it corrects, it corrects before the next paint.
 */
export class Scroller implements Disposable {
  readonly model = new ListModel();
  readonly folding: Folding;
  readonly window = signal<ListWindow>({ first: 0, last: -1, before: 0, after: 0 });
  readonly following = signal(true);
  /** The first row that the header does not cover: what the reader reads, for the header that names its turn. */
  readonly reading = signal(-1);

  readonly #app: ViewApp;
  readonly #layout: Layout;
  readonly #rows = new Map<string, HTMLElement>();
  /** In the page since the last measurement. */
  readonly #fresh = new Set<string>();
  readonly #store = new DisposableStore();
  #viewport: HTMLElement | undefined;
  #lastTop = 0;
  readonly #places: PlaceKeeper;
  readonly #focus = new RowFocus(index => this.rowAt(index));
  /** A row is being opened or closed: whether that leaves the reader at the end is seen when it is done. */
  #held = false;
  #settlesSoon = false;

  constructor(app: ViewApp, layout: Layout) {
    this.#app = app;
    this.#layout = layout;
    this.folding = new Folding(app, this.model);
    this.#places = new PlaceKeeper(app, anchor => {
      if (anchor) this.#goTo(anchor);
      else this.following.value = true;
      this.#settleSoon();
    });
    this.#store.add(app.conversation.onChange(change => this.#follow(change)));
    this.#take({ type: 'reset', total: app.conversation.total.peek(), sameConversation: false });
  }

  /** The elements are in the page. */
  attach(viewport: HTMLElement, content: HTMLElement): Disposable {
    this.#viewport = viewport;
    const parts = new DisposableStore();
    const onScroll = (): void => this.#scrolled();
    const onWheel = (event: WheelEvent): void => {
      this.#places.giveUp();
      if (event.deltaY < 0) this.#release();
    };
    const onOwnMove = (): void => this.#places.giveUp();
    const onClick = (event: MouseEvent): void => this.#hold(event.target);
    viewport.addEventListener('click', onClick, { capture: true });
    viewport.addEventListener('pointerdown', onOwnMove, { passive: true });
    viewport.addEventListener('keydown', onOwnMove);
    viewport.addEventListener('scroll', onScroll, { passive: true });
    viewport.addEventListener('wheel', onWheel, { passive: true });
    parts.add(
      toDisposable(() => {
        viewport.removeEventListener('click', onClick, { capture: true });
        viewport.removeEventListener('pointerdown', onOwnMove);
        viewport.removeEventListener('keydown', onOwnMove);
        viewport.removeEventListener('scroll', onScroll);
        viewport.removeEventListener('wheel', onWheel);
        this.#viewport = undefined;
      }),
    );
    parts.add(this.#layout.observe(viewport, () => this.#settleSoon()));
    parts.add(this.#layout.observe(content, () => this.#settleSoon()));
    this.settle();
    return parts;
  }

  /** A row is in the page: its height counts from now on, whenever it changes. */
  track(id: string, element: HTMLElement): Disposable {
    this.#rows.set(id, element);
    this.#fresh.add(id);
    const observed = this.#layout.observe(element, height => {
      if (this.#measured(id, height)) this.#settleSoon();
    });
    return toDisposable(() => {
      observed.dispose();
      this.#focus.leaves(element);
      if (this.#rows.get(id) === element) this.#rows.delete(id);
    });
  }

  /** Rows have been put into the page or taken out: measure new ones now, so that the first paint is right. */
  committed(): void {
    for (const id of this.#fresh) {
      const element = this.#rows.get(id);
      if (element) this.#measured(id, this.#layout.heightOf(element));
    }
    this.#fresh.clear();
    this.settle();
    this.#focus.committed(this.#viewport);
  }

  /** Puts the reader back where they were, and draws what is there. */
  settle(): void {
    const viewport = this.#viewport;
    if (viewport) {
      const height = this.#layout.heightOf(viewport);
      // A panel that is folded away has no height; nothing measured in it means anything.
      if (height === 0) return;
      const wanted = this.following.peek() ? this.#layout.scrollHeightOf(viewport) - height : this.#anchored();
      if (Math.abs(viewport.scrollTop - wanted) >= 1) {
        viewport.scrollTop = wanted;
        this.#lastTop = viewport.scrollTop;
      }
      if (this.#held && this.#rest(viewport) <= endSlack) this.following.value = true;
      this.#held = false;
    }
    this.#draw();
  }

  jumpToLatest(): void {
    this.#places.giveUp();
    this.following.value = true;
    this.model.anchor = undefined;
    this.#remember();
    this.#draw();
    this.settle();
  }

  reveal(index: number): void {
    if (index < 0 || index >= this.model.count) return;
    this.#places.giveUp();
    this.#goTo({ index, offset: -jumpMargin });
    this.settle();
  }

  #goTo(anchor: Anchor): void {
    this.following.value = false;
    this.model.anchor = anchor;
    this.#remember();
  }

  /** What the rows are drawn in. */
  get page(): HTMLElement | undefined {
    return this.#viewport;
  }

  /** The row at a place, when it is in the page. */
  rowAt(index: number): HTMLElement | undefined {
    const id = this.#app.conversation.idAt(index);
    return id === undefined ? undefined : this.#rows.get(id);
  }

  /** The rows of which some is in sight. */
  rowsOnScreen(): HTMLElement[] {
    const viewport = this.#viewport;
    if (!viewport) return [];
    const { scrollTop } = viewport;
    const last = this.model.indexAt(scrollTop + this.#layout.heightOf(viewport));
    const rows: HTMLElement[] = [];
    for (let index = Math.max(0, this.model.indexAt(scrollTop)); index <= last; index++) {
      const row = this.rowAt(index);
      if (row) rows.push(row);
    }
    return rows;
  }

  /** Moves the keyboard to a row, or to the part of it that a selector names; it is scrolled to when it is not fully on screen. */
  focusRow(index: number, inside?: string): void {
    if (index < 0) return;
    this.#focus.want(index, inside);
    if (!this.#onScreen(index)) this.reveal(index);
    this.#focus.give();
  }

  /** The next row in a direction that is not folded away, or the same when there is none. */
  neighbour(index: number, step: 1 | -1): number {
    for (let next = index + step; next >= 0 && next < this.model.count; next += step) {
      if (!this.model.isHidden(next)) return next;
    }
    return index;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #onScreen(index: number): boolean {
    const viewport = this.#viewport;
    if (!viewport) return false;
    const start = this.model.offsetOf(index) - viewport.scrollTop;
    return start >= 0 && start + Math.min(this.model.heightOf(index), 60) <= this.#layout.heightOf(viewport);
  }

  #measured(id: string, height: number): boolean {
    return height > 0 && this.model.measure(this.#app.conversation.indexOf(id), height);
  }

  #anchored(): number {
    const { anchor } = this.model;
    return anchor ? Math.max(0, this.model.scrollTopOf(anchor)) : (this.#viewport?.scrollTop ?? 0);
  }

  #scrolled(): void {
    const viewport = this.#viewport;
    if (!viewport) return;
    const top = viewport.scrollTop;
    if (this.#rest(viewport) <= endSlack) this.following.value = true;
    else if (top < this.#lastTop - 1) this.following.value = false;
    this.#lastTop = top;
    if (!this.following.peek()) this.model.anchor = this.model.anchorAt(top);
    this.#remember();
    this.#draw();
  }

  #rest(viewport: HTMLElement): number {
    return this.#layout.scrollHeightOf(viewport) - this.#layout.heightOf(viewport) - viewport.scrollTop;
  }

  /**
   * Someone opens or closes a part of a row: that row stays under the pointer, whatever comes or goes below it. Not at the
   * end in a card that asks: there the whole of the question stays in sight, and what follows its answer too.
   */
  #hold(target: EventTarget | null): void {
    const viewport = this.#viewport;
    if (!viewport || !(target instanceof Element) || !target.closest('[aria-expanded]')) return;
    if (this.following.peek() && target.closest(askSelector)) return;
    const index = Number(target.closest<HTMLElement>('[data-index]')?.dataset['index'] ?? NaN);
    if (Number.isNaN(index)) return;
    this.following.value = false;
    this.#held = true;
    this.model.anchor = { index, offset: viewport.scrollTop - this.model.offsetOf(index) };
  }

  #release(): void {
    const viewport = this.#viewport;
    if (!viewport || viewport.scrollTop <= 0 || !this.following.peek()) return;
    this.following.value = false;
    this.model.anchor = this.model.anchorAt(viewport.scrollTop);
  }

  #remember(): void {
    this.#places.remember(this.following.peek() ? undefined : this.model.anchor);
  }

  #draw(): void {
    const viewport = this.#viewport;
    const height = viewport ? this.#layout.heightOf(viewport) : 600;
    const end = Math.max(0, this.model.totalHeight - height);
    const top = this.following.peek() ? end : Math.min(this.#anchored(), this.model.totalHeight);
    // Where less is left than there was the browser scrolls up to the end, so what is drawn must reach as far.
    const next = this.model.window(Math.min(top, end), height);
    const old = this.window.peek();
    if (
      next.first !== old.first ||
      next.last !== old.last ||
      Math.abs(next.before - old.before) >= 0.5 ||
      Math.abs(next.after - old.after) >= 0.5
    ) {
      this.window.value = next;
    }
    this.reading.value = this.model.indexAt(top < 1 ? 0 : top + headerHeight);
    this.#app.pager.show(next.first, next.last);
  }

  #follow(change: OrderChange): void {
    this.#take(change);
    this.#places.seek();
    // The page is not drawn yet: its scroll position is corrected when it is (`committed`).
    this.#draw();
  }

  /** Many rows are measured in one go: one correction after the last of them, still before the paint. */
  #settleSoon(): void {
    if (this.#settlesSoon) return;
    this.#settlesSoon = true;
    queueMicrotask(() => {
      this.#settlesSoon = false;
      this.settle();
    });
  }

  #take(change: OrderChange): void {
    switch (change.type) {
      case 'reset':
        this.model.reset(change.total, change.sameConversation);
        this.folding.refresh(0, change.total);
        if (!change.sameConversation) {
          this.following.value = true;
          this.#places.begin();
        }
        break;
      case 'insert':
        this.model.insert(change.index, change.count);
        this.folding.refresh(change.index, change.index + change.count);
        break;
      case 'remove':
        this.model.remove(change.index);
        this.folding.refresh(change.index, change.index);
        break;
      case 'touch':
        this.folding.refresh(change.from, change.to);
        this.#remember();
        break;
    }
  }
}
