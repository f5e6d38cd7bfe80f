import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { HostMessage, PatchOp } from '../../bridge/hostMessages.ts';
import type { SessionView } from '../../bridge/sessionView.ts';
import type { ViewItem } from '../../bridge/viewItem.ts';
import type { TranscriptChange, TranscriptItem } from '../../session/transcriptModel.ts';

/** What the feed reads: the transcript's side that does not change anything. */
export interface FeedSource {
  /** Top level, in order. */
  readonly items: readonly TranscriptItem[];
  find(id: string): TranscriptItem | undefined;
  childrenOf(toolUseId: string): readonly TranscriptItem[];
}

export interface FeedOptions {
  readonly source: FeedSource;
  present(item: TranscriptItem): ViewItem;
  session(): SessionView;
  post(message: HostMessage): void;
  readonly clock?: Clock;
  /** Time between two posts: one frame. */
  readonly frameMs?: number;
  /** Posts the view may be behind before the feed holds back and gathers instead. */
  readonly window?: number;
}

type Pending =
  | { readonly op: 'add'; readonly index: number; item: TranscriptItem }
  | { readonly op: 'update'; item: TranscriptItem }
  | { readonly op: 'append'; readonly id: string; text: string }
  | { readonly op: 'remove'; readonly id: string };

const pageSize = 60;
/** Beyond this many gathered steps a fresh snapshot is smaller than the patch. */
const tooMany = 500;

/**
 * Turns the transcript's changes into at most one post per frame. Steps are gathered while the view is behind, so a slow
 * link gets fewer and bigger posts, never a growing line of them. Nothing runs while nothing changes.
 */
export class PatchFeed implements Disposable {
  readonly #options: FeedOptions;
  readonly #clock: Clock;
  #pending: Pending[] = [];
  /** The gathered step that can take up a later one for the same item. */
  readonly #openSteps = new Map<string, Pending>();
  #sessionDirty = false;
  #timer: Disposable | undefined;
  #revision = 0;
  #postedAt = 0;
  #acknowledged = 0;
  /** Before the view asked for the first snapshot there is nobody to patch. */
  #live = false;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Everything anew: the view has just loaded, or has found a gap. */
  snapshot(): void {
    this.#forget();
    this.#live = true;
    this.#revision += 1;
    this.#acknowledged = this.#revision - 1;
    this.#postedAt = this.#clock.now();
    const { source } = this.#options;
    const from = Math.max(0, source.items.length - pageSize);
    this.#options.post({
      type: 'snapshot',
      revision: this.#revision,
      session: this.#options.session(),
      total: source.items.length,
      from,
      items: this.page(from, pageSize),
    });
  }

  /** A range as it is at the revision the view then has: what is still gathered goes out first. */
  read(from: number, count: number): { readonly revision: number; readonly items: readonly ViewItem[] } {
    this.flush();
    return { revision: this.#revision, items: this.page(from, count) };
  }

  /** Top-level items of a range, each followed by what is nested under it. */
  page(from: number, count: number): readonly ViewItem[] {
    const items: ViewItem[] = [];
    const end = Math.min(from + count, this.#options.source.items.length);
    for (let index = from; index < end; index += 1) {
      const item = this.#options.source.items[index];
      if (item !== undefined) this.#collect(item, items);
    }
    return items;
  }

  acknowledge(revision: number): void {
    if (revision > this.#revision) return;
    this.#acknowledged = Math.max(this.#acknowledged, revision);
    if (this.#pending.length > 0 || this.#sessionDirty) this.#schedule();
  }

  change(change: TranscriptChange): void {
    if (!this.#live) return;
    switch (change.type) {
      case 'added':
        this.#push({ op: 'add', index: change.index, item: change.item }, change.item.id);
        break;
      case 'updated':
        this.#update(change.item);
        break;
      case 'grew':
        this.#grow(change.item, change.appended);
        break;
      case 'removed':
        this.#openSteps.delete(change.id);
        this.#pending.push({ op: 'remove', id: change.id });
        break;
      case 'tasks':
      case 'usage':
        this.#sessionDirty = true;
        break;
      case 'reset':
        this.snapshot();
        return;
    }
    this.#schedule();
  }

  /** An item looks different although the transcript did not change it (a question about it opened or closed). */
  touch(id: string): void {
    const item = this.#options.source.find(id);
    if (item === undefined || !this.#live) return;
    this.#update(item);
    this.#schedule();
  }

  sessionChanged(): void {
    if (!this.#live) return;
    this.#sessionDirty = true;
    this.#schedule();
  }

  dispose(): void {
    this.#live = false;
    this.#forget();
  }

  #collect(item: TranscriptItem, into: ViewItem[]): void {
    into.push(this.#options.present(item));
    if (item.kind !== 'tool') return;
    for (const child of this.#options.source.childrenOf(item.toolUseId)) this.#collect(child, into);
  }

  #push(step: Pending, id: string): void {
    this.#pending.push(step);
    this.#openSteps.set(id, step);
  }

  #update(item: TranscriptItem): void {
    const open = this.#openSteps.get(item.id);
    if (open !== undefined && (open.op === 'add' || open.op === 'update')) open.item = item;
    else this.#push({ op: 'update', item }, item.id);
  }

  #grow(item: TranscriptItem, appended: string): void {
    const open = this.#openSteps.get(item.id);
    if (open === undefined) this.#push({ op: 'append', id: item.id, text: appended }, item.id);
    else if (open.op === 'append') open.text += appended;
    else if (open.op !== 'remove') open.item = item;
  }

  #schedule(): void {
    if (this.#timer !== undefined || !this.#live) return;
    if (this.#revision - this.#acknowledged >= (this.#options.window ?? 3)) return;
    // At once when the last post is a frame ago: the first token after a pause need not wait.
    const due = this.#postedAt + (this.#options.frameMs ?? 16) - this.#clock.now();
    this.#timer = this.#clock.after(Math.max(0, due), () => {
      this.#timer = undefined;
      this.flush();
    });
  }

  /** Says at once what is gathered. */
  flush(): void {
    if (!this.#live) return;
    if (this.#pending.length > tooMany) {
      this.snapshot();
      return;
    }
    const ops: PatchOp[] = this.#pending.map(step => this.#render(step));
    if (this.#sessionDirty) ops.push({ op: 'session', session: this.#options.session() });
    this.#forget();
    if (ops.length === 0) return;
    const base = this.#revision;
    this.#revision += 1;
    this.#postedAt = this.#clock.now();
    this.#options.post({ type: 'patch', base, revision: this.#revision, ops });
  }

  #render(step: Pending): PatchOp {
    switch (step.op) {
      case 'add':
        return { op: 'add', index: step.index, item: this.#options.present(step.item) };
      case 'update':
        return { op: 'update', item: this.#options.present(step.item) };
      case 'append':
        return { op: 'append', id: step.id, text: step.text };
      case 'remove':
        return { op: 'remove', id: step.id };
    }
  }

  #forget(): void {
    this.#pending = [];
    this.#openSteps.clear();
    this.#sessionDirty = false;
    this.#timer?.dispose();
    this.#timer = undefined;
  }
}
