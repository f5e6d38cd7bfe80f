import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Chat } from '../chat/chat.ts';
import type { TabStart } from '../chat/chatEditors.ts';

const sessionKey = 'handrail.sideBarSession';
const modelKey = 'handrail.sideBarModel';

/** Remembers over a restart which session the side bar of this workspace shows and with which model; tabs are remembered by VS Code. */
export class SideBarMemory implements Disposable {
  readonly #state: Memento;
  readonly #owned = new DisposableStore();
  #sessionId: string | undefined;
  #model: string | undefined;

  constructor(state: Memento) {
    this.#state = state;
    this.#sessionId = state.get<string>(sessionKey);
    this.#model = state.get<string>(modelKey);
  }

  /** What the side bar begins with. */
  start(): TabStart {
    if (this.#sessionId === undefined) return {};
    return { target: { sessionId: this.#sessionId, ...(this.#model === undefined ? {} : { model: this.#model }) } };
  }

  follow(chat: Chat): void {
    this.#owned.add(
      chat.onDidChange(() => {
        const { sessionId, chosenModel } = chat;
        // A chat changes with every step of the agent, these hardly ever; each write goes to the disk.
        if (sessionId !== this.#sessionId) void this.#state.update(sessionKey, sessionId);
        if (chosenModel !== this.#model) void this.#state.update(modelKey, chosenModel);
        this.#sessionId = sessionId;
        this.#model = chosenModel;
      }),
    );
  }

  dispose(): void {
    this.#owned.dispose();
  }
}
