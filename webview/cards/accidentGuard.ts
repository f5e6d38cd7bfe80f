import { DisposableStore, toDisposable } from '../../src/base/disposable.ts';
import type { Disposable } from '../../src/base/disposable.ts';

/** For so long after they came or moved, buttons do nothing: nobody can have meant them yet. */
export const settleTime = 500;
/** A focus change this soon after a Tab or a press on the card, or a move this soon after typing in it, was made by it. */
const causeTime = 150;

/**
 * Keeps a card from being answered by accident: by a press on what has just appeared or moved under the pointer, or by a
 * key meant for the place that had the keyboard before.
 */
export class AccidentGuard {
  readonly #now: () => number;
  #card: HTMLElement | undefined;
  #buttons: HTMLElement | undefined;
  #height = 0;
  #place = { top: 0, left: 0 };
  #settledFrom = Infinity;
  #pressedAt = -Infinity;
  #typedAt = -Infinity;
  #movedFocusAt = -Infinity;
  #onPurpose = false;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Watches a card and the row of its buttons for as long as they are on the page. */
  attach(card: HTMLElement, buttons: HTMLElement): Disposable {
    const store = new DisposableStore();
    this.#card = card;
    this.#buttons = buttons;
    this.#height = card.offsetHeight;
    this.#settledFrom = this.#now();
    this.#place = placeOf(buttons);
    const moved = (): void => this.#look();
    const listen = (target: EventTarget, type: string, listener: (event: Event) => void): void => {
      target.addEventListener(type, listener, { capture: true, passive: type === 'scroll' });
      store.add(toDisposable(() => target.removeEventListener(type, listener, { capture: true })));
    };
    listen(document, 'scroll', moved);
    listen(window, 'resize', moved);
    listen(document, 'keydown', event => {
      if (event instanceof KeyboardEvent && event.key === 'Tab') this.#movedFocusAt = this.#now();
    });
    listen(card, 'pointerdown', () => {
      this.#look();
      this.#pressedAt = this.#now();
      this.#movedFocusAt = this.#now();
    });
    // What one types makes its own field grow: whoever types in the card sees that, and means the buttons below it.
    listen(card, 'input', () => (this.#typedAt = this.#now()));
    listen(card, 'focusin', event => this.#focused(card, event));
    listen(card, 'keydown', event => this.#key(event));
    listen(card, 'keyup', event => this.#key(event));
    const list = card.closest('.transcript-content');
    if (typeof ResizeObserver !== 'undefined') {
      const observer = new ResizeObserver(moved);
      observer.observe(card);
      if (list) observer.observe(list);
      store.add(toDisposable(() => observer.disconnect()));
    }
    return store;
  }

  /** Whether a press on a button of the card, happening now, can have been meant. */
  isMeant(): boolean {
    this.#look();
    const now = this.#now();
    const pressed = now - this.#pressedAt < 5_000 ? Math.min(now, this.#pressedAt) : now;
    return pressed - this.#settledFrom >= settleTime;
  }

  #look(): void {
    if (!this.#card || !this.#buttons) return;
    const place = placeOf(this.#buttons);
    const height = this.#card.offsetHeight;
    const byTyping = height !== this.#height && this.#now() - this.#typedAt <= causeTime;
    this.#height = height;
    if (Math.abs(place.top - this.#place.top) + Math.abs(place.left - this.#place.left) < 1) return;
    this.#place = place;
    if (!byTyping) this.#settledFrom = this.#now();
  }

  #focused(card: HTMLElement, event: Event): void {
    const from = event instanceof FocusEvent ? event.relatedTarget : null;
    if (from instanceof Node && card.contains(from) && this.#onPurpose) return;
    this.#onPurpose = this.#now() - this.#movedFocusAt <= causeTime;
  }

  /** Keys work a button only when the person moved the keyboard here. Text fields are for typing and take any key. */
  #key(event: Event): void {
    if (!(event instanceof KeyboardEvent) || this.#onPurpose) return;
    if (event.key !== 'Enter' && event.key !== ' ') return;
    const { target } = event;
    if (target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    event.stopPropagation();
  }
}

function placeOf(element: HTMLElement): { top: number; left: number } {
  const { top, left } = element.getBoundingClientRect();
  return { top, left };
}
