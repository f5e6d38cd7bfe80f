import { effect, signal } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import type { HostMessage } from '../../src/bridge/hostMessages.ts';
import { joinTexts } from '../../src/bridge/joinTexts.ts';
import type { ViewAttachment, ViewMessage } from '../../src/bridge/viewMessages.ts';
import type { ViewState } from './viewState.ts';

const longest = 1_000_000;

type DraftMessage = Extract<HostMessage, { type: 'draft' }>;

/**
 * Keeps the composer and the host's copy of the draft the same. The host's is on disk and outlives everything, so it
 * counts, unless the page remembers a later state: a host that was away has missed it. No draft moves to another conversation.
 */
export class DraftLink implements Disposable {
  /** The kept draft has come. Before that, what is attached to it may be missing. */
  readonly ready = signal(false);
  readonly #state: ViewState;
  readonly #post: (message: ViewMessage) => void;
  readonly #owned = new DisposableStore();
  /** The attachments that the host knows of. */
  #told: readonly ViewAttachment[] = [];

  constructor(state: ViewState, post: (message: ViewMessage) => void) {
    this.#state = state;
    this.#post = post;
    this.#owned.add(state.onDidSaveDraft(() => this.#tellText()));
    this.#owned.add({ dispose: effect(() => this.#tellAttachments(state.attachments.value)) });
  }

  receive(message: DraftMessage): void {
    const { draftKey } = this.#state;
    if (draftKey !== undefined && draftKey !== message.key) this.#change(message);
    else if (!this.ready.peek()) this.#meet(message);
    this.ready.value = true;
    this.#tellAttachments(this.#state.attachments.peek());
  }

  moved(from: string, to: string): void {
    if (this.#state.draftKey === from) this.#state.moveDraft(to);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** Another conversation: what stands here stays with the one before. */
  #change({ key, text, attachments, revision }: DraftMessage): void {
    this.#state.flush();
    this.#state.takeDraft(key, text, revision);
    this.#take(attachments);
  }

  /** The first word of the host to this page. What was typed before it came is kept too. */
  #meet({ key, text, attachments, revision, given = '' }: DraftMessage): void {
    const state = this.#state;
    const here = state.draft.peek();
    const added = state.attachments.peek();
    const before = state.restoredDraft;
    const isNewer = state.draftKey === key && state.draftRevision > revision;
    state.takeDraft(key, text, revision);
    // Also what was deleted here is newer. Words that came back meanwhile are in no text of the page's.
    if (isNewer) state.draft.value = here.includes(given) ? here : joinTexts([given, here]);
    else if (here !== before) state.draft.value = text === '' || text === before ? here : `${text}\n${here}`;
    this.#take(attachments);
    if (added.length > 0) state.attachments.value = [...attachments, ...added];
    // At once: the page may be gone before the next moment.
    state.flush();
  }

  #take(attachments: readonly ViewAttachment[]): void {
    this.#told = attachments;
    this.#state.attachments.value = attachments;
  }

  #tellText(): void {
    const { draftKey: key, draft, draftRevision: revision } = this.#state;
    if (key !== undefined) this.#post({ type: 'draft', key, text: draft.peek().slice(0, longest), revision });
  }

  /** At once, and not with the next key: a chip that can be seen is kept. */
  #tellAttachments(attachments: readonly ViewAttachment[]): void {
    const key = this.#state.draftKey;
    if (!this.ready.peek() || key === undefined || attachments === this.#told) return;
    this.#told = attachments;
    this.#post({ type: 'attachments', key, attachments: [...attachments] });
  }
}
