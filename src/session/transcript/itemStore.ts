import type { Emitter } from '../../base/emitter.ts';
import type { TextItem, ThinkingItem, TranscriptChange, TranscriptItem } from '../transcriptModel.ts';

/** Items with the same parent, in order. */
interface Siblings {
  readonly items: TranscriptItem[];
  /** How many places were added in front since the start: keeps the stored places valid when older items come first. */
  shift: number;
}

interface Place {
  readonly siblings: Siblings;
  /** Index in `siblings.items`, before `shift` is added. */
  index: number;
}

const NONE: readonly TranscriptItem[] = [];

/**
 * The ordered items of a conversation, by parent and by id. Adding at the end, replacing and finding cost the same
 * however long the conversation is; removing costs as much as what comes after, which for drafts and notices is little.
 */
export class ItemStore {
  readonly #changes: Emitter<TranscriptChange>;
  #top: Siblings = { items: [], shift: 0 };
  readonly #children = new Map<string, Siblings>();
  readonly #places = new Map<string, Place>();

  constructor(changes: Emitter<TranscriptChange>) {
    this.#changes = changes;
  }

  get top(): readonly TranscriptItem[] {
    return this.#top.items;
  }

  childrenOf(toolUseId: string): readonly TranscriptItem[] {
    return this.#children.get(toolUseId)?.items ?? NONE;
  }

  find(id: string): TranscriptItem | undefined {
    const place = this.#places.get(id);
    return place?.siblings.items[place.index + place.siblings.shift];
  }

  has(id: string): boolean {
    return this.#places.has(id);
  }

  /** An id nobody has yet, made from the wished one. Message ids are unique in practice; a repeated one must not merge. */
  freeId(wished: string): string {
    if (!this.#places.has(wished)) return wished;
    let copy = 2;
    while (this.#places.has(`${wished}~${copy}`)) copy++;
    return `${wished}~${copy}`;
  }

  /** Adds at the end of its siblings; an item whose id is already there replaces that one in its place. */
  put(item: TranscriptItem): void {
    const place = this.#places.get(item.id);
    if (place) {
      this.#set(place, item);
      this.#changes.fire({ type: 'updated', item });
      return;
    }
    const index = this.#append(item);
    this.#changes.fire({ type: 'added', item, index });
  }

  /** Replaces a streaming item by one with more text; says what was added. */
  grow(item: TextItem | ThinkingItem, appended: string): void {
    const place = this.#places.get(item.id);
    if (!place) return;
    this.#set(place, item);
    this.#changes.fire({ type: 'grew', item, appended });
  }

  remove(id: string): void {
    const place = this.#places.get(id);
    if (!place) return;
    const { items, shift } = place.siblings;
    const at = place.index + shift;
    items.splice(at, 1);
    this.#places.delete(id);
    for (let later = at; later < items.length; later++) {
      const moved = items[later];
      const movedPlace = moved && this.#places.get(moved.id);
      if (movedPlace) movedPlace.index = later - shift;
    }
    this.#changes.fire({ type: 'removed', id });
  }

  /** Takes an item out and puts its new form at the end: a queued prompt belongs where it was taken up. */
  moveToEnd(item: TranscriptItem): void {
    const place = this.#places.get(item.id);
    if (place && place.index + place.siblings.shift === place.siblings.items.length - 1) {
      this.put(item);
      return;
    }
    this.remove(item.id);
    this.put(item);
  }

  /** Puts older items in front, in their own order. What is already known stays as it is. */
  prepend(items: readonly TranscriptItem[]): void {
    const groups = new Map<string | undefined, TranscriptItem[]>();
    for (const item of items) {
      if (this.#places.has(item.id)) continue;
      const group = groups.get(item.parentToolUseId);
      if (group) group.push(item);
      else groups.set(item.parentToolUseId, [item]);
    }
    for (const [parent, group] of groups) this.#prependTo(this.#siblingsFor(parent), group);
  }

  clear(): void {
    this.#top = { items: [], shift: 0 };
    this.#children.clear();
    this.#places.clear();
  }

  load(items: readonly TranscriptItem[]): void {
    this.clear();
    for (const item of items) if (!this.#places.has(item.id)) this.#append(item);
  }

  #append(item: TranscriptItem): number {
    const siblings = this.#siblingsFor(item.parentToolUseId);
    const index = siblings.items.push(item) - 1;
    this.#places.set(item.id, { siblings, index: index - siblings.shift });
    return index;
  }

  #prependTo(siblings: Siblings, group: readonly TranscriptItem[]): void {
    siblings.items.splice(0, 0, ...group);
    siblings.shift += group.length;
    group.forEach((item, index) => this.#places.set(item.id, { siblings, index: index - siblings.shift }));
    group.forEach((item, index) => this.#changes.fire({ type: 'added', item, index }));
  }

  #set(place: Place, item: TranscriptItem): void {
    place.siblings.items[place.index + place.siblings.shift] = item;
  }

  #siblingsFor(parent: string | undefined): Siblings {
    if (parent === undefined) return this.#top;
    let siblings = this.#children.get(parent);
    if (!siblings) {
      siblings = { items: [], shift: 0 };
      this.#children.set(parent, siblings);
    }
    return siblings;
  }
}
