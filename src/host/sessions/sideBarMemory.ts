import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Chat } from '../chat/chat.ts';
import type { TabStart } from '../chat/chatEditors.ts';

const key = 'handrail.sideBarSession';

/** Remembers over a restart which session the side bar of this workspace shows; tabs are remembered by VS Code. */
export class SideBarMemory implements Disposable {
  readonly #state: Memento;
  readonly #owned = new DisposableStore();
  #written: string | undefined;

  constructor(state: Memento) {
    this.#state = state;
    this.#written = state.get<string>(key);
  }

  /** What the side bar begins with. */
  start(): TabStart {
    return this.#written === undefined ? {} : { target: { sessionId: this.#written } };
  }

  follow(chat: Chat): void {
    this.#owned.add(
      chat.onDidChange(() => {
        const { sessionId } = chat;
        // A chat changes with every step of the agent, its session hardly ever; each write goes to the disk.
        if (sessionId === this.#written) return;
        this.#written = sessionId;
        void this.#state.update(key, sessionId);
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
