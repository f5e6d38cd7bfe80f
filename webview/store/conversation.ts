import { batch, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import { Emitter } from '../../src/base/emitter.ts';
import type { PatchOp } from '../../src/bridge/hostMessages.ts';
import type { ViewItem } from '../../src/bridge/viewItem.ts';
import { isFoldable } from './foldable.ts';

/** What happened to the row of top-level items; the list keeps its heights in step with it. */
export type OrderChange =
  | { readonly type: 'reset'; readonly total: number; readonly sameConversation: boolean }
  | { readonly type: 'insert'; readonly index: number; readonly count: number }
  | { readonly type: 'remove'; readonly index: number }
  /** What is known about these places changed: loaded, let go, or now foldable. */
  | { readonly type: 'touch'; readonly from: number; readonly to: number };

/**
 * The window of the conversation the view holds. Top-level items are addressed by their place, and a place may be empty
 * until its page was read. Each item is a signal of its own, so that a token redraws one row.
 */
export class Conversation {
  readonly #items = new Map<string, Signal<ViewItem>>();
  /** Taken out last. An item that moves is taken out and put in again at once, and the row that shows it must see the change. */
  #lastOut: { readonly id: string; readonly item: Signal<ViewItem> } | undefined;
  readonly #children = new Map<string, Signal<readonly string[]>>();
  /** Where an item was seen last: a hint that is checked, because insertions shift places. */
  readonly #hints = new Map<string, number>();
  readonly #changes = new Emitter<OrderChange>();
  #order: (string | undefined)[] = [];
  #foldable: boolean[] = [];

  readonly onChange = this.#changes.event;
  readonly #version = signal(0);
  readonly total = signal(0);

  /** A number that changes with the order of the items. A component that calls this is drawn again when it does. */
  watchOrder(): number {
    return this.#version.value;
  }

  item(id: string): ReadonlySignal<ViewItem> | undefined {
    return this.#items.get(id);
  }

  idAt(index: number): string | undefined {
    return this.#order[index];
  }

  itemAt(index: number): ViewItem | undefined {
    const id = this.#order[index];
    return id === undefined ? undefined : this.#items.get(id)?.peek();
  }

  /** Ids of what is drawn inside of an item, in order. */
  children(id: string): ReadonlySignal<readonly string[]> {
    const known = this.#children.get(id);
    if (known) return known;
    const none = signal<readonly string[]>([]);
    // Kept, so that a card drawn before its first child hears of it.
    if (this.#items.has(id)) this.#children.set(id, none);
    return none;
  }

  get loadedCount(): number {
    return this.#hints.size;
  }

  /** The place of a loaded top-level item, or -1. */
  indexOf(id: string): number {
    const hint = this.#hints.get(id);
    if (hint === undefined) return -1;
    if (this.#order[hint] === id) return hint;
    const index = this.#order.lastIndexOf(id);
    if (index >= 0) this.#hints.set(id, index);
    return index;
  }

  /** The place of the row in which a question waits for its answer, or -1. */
  indexOfAsk(askId: string): number {
    for (const held of this.#items.values()) {
      const item = held.peek();
      if (item.kind === 'tool' && item.ask?.askId === askId) return this.indexOf(this.#rootOf(item));
    }
    return -1;
  }

  #rootOf(item: ViewItem): string {
    const parent = item.parent === undefined ? undefined : this.#items.get(item.parent)?.peek();
    return parent ? this.#rootOf(parent) : item.id;
  }

  /** Whether the item at the place is a finished read, search or thought. Known even after the item was let go. */
  foldableAt(index: number): boolean {
    return this.#foldable[index] === true;
  }

  /** Whether a message waits at the place: it is shown above the composer and nowhere else. */
  queuedAt(index: number): boolean {
    return isQueued(this.itemAt(index));
  }

  reset(total: number, from: number, items: readonly ViewItem[]): void {
    const sameConversation = this.#continues(total, from, items);
    batch(() => {
      const kept = sameConversation ? this.#foldable.slice(0, total) : [];
      this.#items.clear();
      this.#children.clear();
      this.#hints.clear();
      this.#order = Array.from<string | undefined>({ length: total });
      this.#foldable = kept;
      this.#foldable.length = total;
      this.#place(from, items);
      this.total.value = total;
      this.#version.value++;
    });
    this.#changes.fire({ type: 'reset', total, sameConversation });
  }

  /** Fills places with a page that was read. */
  load(from: number, items: readonly ViewItem[]): void {
    const to = batch(() => {
      this.#version.value++;
      return this.#place(from, items);
    });
    this.#changes.fire({ type: 'touch', from, to });
  }

  /** Lets go of the items at places [from, to); they can be read again. */
  evict(from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const id = this.#order[index];
      if (id === undefined) continue;
      this.#forget(id);
      this.#order[index] = undefined;
    }
    this.#version.value++;
    this.#changes.fire({ type: 'touch', from, to: from });
  }

  /** Applies one operation. False: it does not fit what we hold, and only a new snapshot helps. */
  apply(op: Exclude<PatchOp, { op: 'session' }>): boolean {
    switch (op.op) {
      case 'add':
        return op.item.parent === undefined
          ? this.#addTop(op.index, op.item)
          : this.#addChild(op.item.parent, op.index, op.item);
      case 'update':
        this.#update(op.item);
        return true;
      case 'append':
        this.#append(op.id, op.text);
        return true;
      case 'remove':
        return this.#remove(op.id);
    }
  }

  #continues(total: number, from: number, items: readonly ViewItem[]): boolean {
    if (total < this.#order.length || this.#order.length === 0) return false;
    let index = from;
    let matches = 0;
    for (const item of items) {
      if (item.parent !== undefined) continue;
      const known = this.#order[index++];
      if (known === undefined) continue;
      if (known !== item.id) return false;
      matches++;
    }
    return matches > 0;
  }

  /** Puts a flat run of items in place, each top-level one followed by what is nested in it; returns the place after it. */
  #place(from: number, items: readonly ViewItem[]): number {
    let index = from;
    const nested = new Map<string, string[]>();
    for (const item of items) {
      this.#set(item);
      if (item.parent !== undefined) {
        const siblings = nested.get(item.parent);
        if (siblings) siblings.push(item.id);
        else nested.set(item.parent, [item.id]);
      } else if (index < this.#order.length) {
        this.#order[index] = item.id;
        this.#foldable[index] = isFoldable(item);
        this.#hints.set(item.id, index);
        index++;
      }
    }
    for (const [parent, ids] of nested) this.#setChildren(parent, ids);
    return index;
  }

  #set(item: ViewItem): void {
    const known = this.#items.get(item.id) ?? (this.#lastOut?.id === item.id ? this.#lastOut.item : undefined);
    if (known) known.value = item;
    this.#items.set(item.id, known ?? signal(item));
  }

  #setChildren(parent: string, ids: readonly string[]): void {
    const known = this.#children.get(parent);
    if (known) known.value = ids;
    else this.#children.set(parent, signal(ids));
  }

  #addTop(index: number, item: ViewItem): boolean {
    if (index > this.#order.length || this.#items.has(item.id)) return false;
    this.#set(item);
    this.#order.splice(index, 0, item.id);
    this.#foldable.splice(index, 0, isFoldable(item));
    this.#hints.set(item.id, index);
    this.total.value = this.#order.length;
    this.#version.value++;
    this.#changes.fire({ type: 'insert', index, count: 1 });
    return true;
  }

  #addChild(parent: string, index: number, item: ViewItem): boolean {
    // The parent was let go or never read: its children come with it when it is read.
    if (!this.#items.has(parent)) return true;
    const siblings = this.children(parent).peek();
    if (index > siblings.length) return false;
    this.#set(item);
    this.#setChildren(parent, siblings.toSpliced(index, 0, item.id));
    return true;
  }

  #update(item: ViewItem): void {
    const known = this.#items.get(item.id);
    if (!known) return;
    const begins = isQueued(known.peek()) !== isQueued(item);
    known.value = item;
    if (item.parent !== undefined) return;
    const index = this.indexOf(item.id);
    const foldable = isFoldable(item);
    if (index < 0 || (this.#foldable[index] === foldable && !begins)) return;
    this.#foldable[index] = foldable;
    this.#version.value++;
    this.#changes.fire({ type: 'touch', from: index, to: index + 1 });
  }

  #append(id: string, text: string): void {
    const known = this.#items.get(id);
    const item = known?.peek();
    if (!known || !item || (item.kind !== 'text' && item.kind !== 'thinking')) return;
    known.value = { ...item, text: item.text + text };
  }

  #remove(id: string): boolean {
    const known = this.#items.get(id);
    const item = known?.peek();
    if (!known || !item) return false;
    if (item.parent !== undefined) {
      this.#setChildren(
        item.parent,
        this.children(item.parent)
          .peek()
          .filter(other => other !== id),
      );
      this.#forget(id);
      return true;
    }
    const index = this.indexOf(id);
    if (index < 0) return false;
    this.#lastOut = { id, item: known };
    this.#forget(id);
    this.#order.splice(index, 1);
    this.#foldable.splice(index, 1);
    this.total.value = this.#order.length;
    this.#version.value++;
    this.#changes.fire({ type: 'remove', index });
    return true;
  }

  #forget(id: string): void {
    for (const child of this.#children.get(id)?.peek() ?? []) this.#forget(child);
    this.#items.delete(id);
    this.#children.delete(id);
    this.#hints.delete(id);
  }
}

function isQueued(item: ViewItem | undefined): boolean {
  return item?.kind === 'prompt' && item.state === 'queued';
}
