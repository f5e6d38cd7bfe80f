import type { Disposable } from '../../base/disposable.ts';
import { toDisposable } from '../../base/disposable.ts';
import type { HostMessage } from '../../bridge/hostMessages.ts';

type Post = (message: HostMessage) => void;

/**
 * The page in front of a chat, if there is one. What a page can ask for again is posted and forgotten; what must not be
 * lost (the cursor's place, a file to attach) waits here until a page has said that it is ready.
 */
export class PageLink {
  #post: Post | undefined;
  #ready = false;
  #kept: HostMessage[] = [];

  get isThere(): boolean {
    return this.#post !== undefined;
  }

  /** The page has been greeted and can be seen. */
  get isReady(): boolean {
    return this.#ready;
  }

  attach(post: Post): Disposable {
    this.#post = post;
    this.#ready = false;
    return toDisposable(() => {
      if (this.#post !== post) return;
      this.#post = undefined;
      this.#ready = false;
    });
  }

  post(message: HostMessage): void {
    this.#post?.(message);
  }

  /** Posts now or, in the order of the calls, when a page is ready. Of several focus wishes the last one counts. */
  deliver(message: HostMessage): void {
    if (this.#ready) this.post(message);
    else this.#kept = [...this.#kept.filter(kept => kept.type !== 'focus' || message.type !== 'focus'), message];
  }

  /** The page has been greeted: what waited for it is its. */
  ready(): void {
    this.#ready = true;
    const kept = this.#kept;
    this.#kept = [];
    for (const message of kept) this.post(message);
  }

  /** The page is hidden and with that gone: VS Code drops what is posted to it. It says when it is back. */
  hidden(): void {
    this.#ready = false;
  }

  close(): void {
    this.#post = undefined;
    this.#ready = false;
    this.#kept = [];
  }
}
