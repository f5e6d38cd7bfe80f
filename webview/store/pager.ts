import type { HostAnswers } from '../../src/bridge/hostMessages.ts';
import type { Conversation } from './conversation.ts';
import type { Sync } from './sync.ts';

export type ReadItems = (from: number, count: number) => Promise<HostAnswers['readItems']>;

export interface PagerLimits {
  readonly pageSize: number;
  /** Beyond this many loaded top-level items the far ones are let go. */
  readonly maxLoaded: number;
  /** How many of the newest items are always kept: changes happen there. */
  readonly keepTail: number;
  readonly maxInFlight: number;
}

const defaults: PagerLimits = { pageSize: 50, maxLoaded: 400, keepTail: 100, maxInFlight: 2 };

/** Reads the pages the reader looks at and lets go of those far away, so that memory does not grow with the conversation. */
export class Pager {
  readonly #conversation: Conversation;
  readonly #sync: Sync;
  readonly #read: ReadItems;
  readonly #onFault: (error: unknown) => void;
  readonly #limits: PagerLimits;
  readonly #inFlight = new Set<number>();
  #first = 0;
  #last = 0;
  #failures = 0;
  /** The host knows of more than it has told: the patch that tells it is on its way. */
  #waitsForPatch = false;

  constructor(
    conversation: Conversation,
    sync: Sync,
    read: ReadItems,
    onFault: (error: unknown) => void,
    limits: PagerLimits = defaults,
  ) {
    this.#conversation = conversation;
    this.#sync = sync;
    this.#read = read;
    this.#onFault = onFault;
    this.#limits = limits;
    // Lives as long as the page: there is one pager and one sync in it.
    sync.onRevision(() => {
      if (!this.#waitsForPatch) return;
      this.#waitsForPatch = false;
      this.#fill();
    });
  }

  /** The places [first, last] are on screen or nearly so. */
  show(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
    this.#fill();
  }

  #fill(): void {
    const { pageSize, maxInFlight } = this.#limits;
    const total = this.#conversation.total.peek();
    const end = Math.min(this.#last, total - 1);
    for (let index = Math.max(0, this.#first); index <= end; index++) {
      if (this.#conversation.idAt(index) !== undefined) continue;
      if (this.#inFlight.size >= maxInFlight || this.#failures >= 5) return;
      const from = index - (index % pageSize);
      if (!this.#inFlight.has(from)) void this.#readPage(from);
      index = from + pageSize - 1;
    }
  }

  async #readPage(from: number): Promise<void> {
    this.#inFlight.add(from);
    try {
      const page = await this.#read(from, this.#limits.pageSize);
      this.#take(page);
    } catch (error) {
      this.#failures++;
      this.#onFault(error);
    } finally {
      this.#inFlight.delete(from);
    }
    if (this.#failures >= 5) {
      this.#failures = 0;
      this.#sync.resync();
      return;
    }
    if (!this.#waitsForPatch) this.#fill();
  }

  /** A page of another moment would mix two conversations: it is read again. */
  #take(page: HostAnswers['readItems']): void {
    if (page.total !== this.#conversation.total.peek()) {
      this.#waitsForPatch = true;
    } else if (page.revision !== this.#sync.revision) {
      this.#failures++;
    } else {
      this.#conversation.load(page.from, page.items);
      this.#failures = 0;
      this.#evict();
    }
  }

  #evict(): void {
    const { maxLoaded, keepTail } = this.#limits;
    if (this.#conversation.loadedCount <= maxLoaded) return;
    const total = this.#conversation.total.peek();
    const reach = Math.floor((maxLoaded - keepTail) / 2);
    const keepFrom = Math.max(0, this.#first - reach);
    const keepTo = Math.min(total, this.#last + 1 + reach);
    this.#conversation.evict(0, Math.min(keepFrom, total - keepTail));
    this.#conversation.evict(keepTo, total - keepTail);
  }
}
