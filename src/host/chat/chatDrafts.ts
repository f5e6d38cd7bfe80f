import type { ViewMessage } from '../../bridge/viewMessages.ts';
import type { DraftBook, KeptDraft } from '../sessions/draftBook.ts';
import type { PageLink } from './pageLink.ts';

type DraftMessage = Extract<ViewMessage, { type: 'draft' | 'attachments' }>;

/**
 * Which draft the page of a chat shows. Every draft belongs to one conversation and says so on the way, so that the words
 * meant for one session cannot come to lie in another, however late they arrive.
 */
export class ChatDrafts {
  readonly #book: DraftBook;
  /** The draft of a conversation that has no session yet. */
  readonly #blank: string;
  readonly #page: Pick<PageLink, 'post' | 'isReady'>;
  /** What this chat has shown: a page may write to nothing else. */
  readonly #shown: Map<string, string>;
  #key: string;
  #told: Promise<void> = Promise.resolve();

  constructor(book: DraftBook, blank: string, sessionId: string | undefined, page: Pick<PageLink, 'post' | 'isReady'>) {
    this.#book = book;
    this.#blank = blank;
    this.#page = page;
    this.#key = sessionId ?? blank;
    this.#shown = new Map([[this.#key, this.#key]]);
  }

  /** The draft that is shown. */
  get key(): string {
    return this.#key;
  }

  /** Whether a draft of this name is the one that is shown, perhaps under the name that it had before. */
  isShown(key: string): boolean {
    return this.#shown.get(key) === this.#key;
  }

  /** Another conversation is shown, and with it its own draft. `undefined`: a new one. */
  show(sessionId: string | undefined): void {
    const key = sessionId ?? this.#blank;
    this.#shown.set(key, key);
    if (key === this.#key) return;
    this.#key = key;
    this.tell();
  }

  /** The conversation goes on under this id: its draft goes with it. */
  follow(sessionId: string): void {
    const from = this.#key;
    if (from === sessionId) return;
    this.#key = sessionId;
    this.#shown.set(sessionId, sessionId);
    // Words that are on their way under the old name.
    this.#shown.set(from, sessionId);
    this.#book.move(from, sessionId);
    this.#page.post({ type: 'draftMoved', from, to: sessionId });
  }

  /** Tells the page which draft it shows, and what was kept of it. */
  tell(): void {
    const key = this.#key;
    this.#told = this.#book.read(key).then(draft => {
      if (key === this.#key) this.#page.post({ type: 'draft', key, ...draft, revision: draft.revision ?? 0 });
    });
  }

  /** The page knows which draft it shows: what is put into the composer from here on is put into that one. */
  get told(): Promise<void> {
    return this.#told;
  }

  /** A message leaves the composer; it is kept until the agent has begun with it. */
  sending(id: string, message: KeptDraft): void {
    this.#book.sending(this.#key, id, message);
  }

  /** What stood in the composer was sent: it is no draft any more. */
  clear(): void {
    this.#book.keepText(this.#key, '');
    this.#book.keepAttachments(this.#key, []);
  }

  gone(id: string): void {
    this.#book.gone(id);
  }

  /** Words come to stand before what is in the composer. */
  giveBack(draft: KeptDraft): void {
    this.#book.giveBack(this.#key, draft);
    this.#put(draft);
  }

  /** The same for messages on their way, each in the conversation that it was meant for, shown now or not. */
  giveBackSent(ids: readonly string[]): void {
    const draft = this.#book.giveBackSent(ids).get(this.#key);
    if (draft !== undefined) this.#put(draft);
  }

  keep(message: DraftMessage): void {
    const key = this.#shown.get(message.key);
    if (key === undefined) return;
    if (message.type === 'draft') this.#book.keepText(key, message.text, message.revision);
    else this.#book.keepAttachments(key, message.attachments);
  }

  /** What has just been written to the book also goes to the page, unless the page is about to read the book. */
  #put(draft: KeptDraft): void {
    if (!this.#page.isReady) return;
    const told = this.#told;
    void told.then(() => {
      if (told === this.#told) this.#page.post({ type: 'composer', action: { type: 'giveBack', ...draft } });
    });
  }
}
