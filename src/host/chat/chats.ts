import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { Chat } from './chat.ts';

/** Where a chat is drawn. */
export interface ChatPlace {
  /** Whether a person could see it now. */
  readonly visible: () => boolean;
  /** Whether it is the one in front: what commands without a target mean. */
  readonly active: () => boolean;
  readonly reveal: () => Promise<void>;
}

export interface OpenQuestion {
  readonly chat: Chat;
  readonly ask: PermissionAsk;
}

export interface ChatDeskChange {
  readonly chat: Chat;
  readonly change: DeskChange;
}

/** All chats of the window, wherever they are drawn. */
export class Chats implements Disposable {
  readonly #places = new Map<Chat, ChatPlace>();
  /** The one that had the keyboard, or came to the front, last. */
  #last: Chat | undefined;
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<undefined>());
  readonly #questions = this.#owned.add(new Emitter<ChatDeskChange>());

  /** Chats came or went, or one of them changed its state. */
  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  get onDidChangeQuestions(): Event<ChatDeskChange> {
    return this.#questions.event;
  }

  get all(): readonly Chat[] {
    return [...this.#places.keys()];
  }

  /**
   * The chat a person means without saying which: the one they were in last, the one in front, the first (the side bar's).
   */
  get active(): Chat | undefined {
    if (this.#last !== undefined) return this.#last;
    for (const [chat, place] of this.#places) if (place.active()) return chat;
    return this.all[0];
  }

  /** Questions that wait, oldest first, over all chats. */
  get questions(): readonly OpenQuestion[] {
    return this.all
      .flatMap(chat => (chat.session?.desk.asks ?? []).map(ask => ({ chat, ask })))
      .sort((a, b) => a.ask.openedAt - b.ask.openedAt);
  }

  add(chat: Chat, place: ChatPlace): Disposable {
    const owned = this.#owned.add(new DisposableStore());
    this.#places.set(chat, place);
    owned.add(chat.onDidChange(() => this.#changes.fire(undefined)));
    owned.add(chat.onDidChangeDesk(change => this.#questions.fire({ chat, change })));
    owned.add(
      toDisposable(() => {
        this.#places.delete(chat);
        if (this.#last === chat) this.#last = undefined;
        this.#changes.fire(undefined);
      }),
    );
    this.#changes.fire(undefined);
    return toDisposable(() => this.#owned.delete(owned));
  }

  /** A person is in this chat now: it got the keyboard, or its tab came to the front. */
  focused(chat: Chat): void {
    if (this.#last === chat || !this.#places.has(chat)) return;
    this.#last = chat;
    this.#changes.fire(undefined);
  }

  /** A view was shown, hidden or brought to the front. */
  placesChanged(): void {
    this.#changes.fire(undefined);
  }

  isVisible(chat: Chat): boolean {
    return this.#places.get(chat)?.visible() === true;
  }

  async reveal(chat: Chat): Promise<void> {
    await this.#places.get(chat)?.reveal();
  }

  /** Resolves when every process of the window is gone. */
  async stopAll(): Promise<void> {
    await Promise.all(this.all.map(chat => chat.stop()));
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
