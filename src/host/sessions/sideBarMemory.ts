import type { Memento } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Chat } from '../chat/chat.ts';
import type { TabStart } from '../chat/chatEditors.ts';
import type { DraftBook } from './draftBook.ts';
import { draftKeyOf } from './draftBook.ts';

const sessionKey = 'handrail.sideBarSession';
const modelKey = 'handrail.sideBarModel';
const draftKey = 'handrail.sideBarDraft';

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

  /**
   * Where the side bar keeps the draft of a new conversation. A folder is added, a workspace is saved: it has another name from
   * then on and the state of the one before, and what was typed moves along.
   */
  draftKey(folder: string, workspaceFile: string | undefined, drafts: Pick<DraftBook, 'move'>): string {
    const before = this.#state.get<string>(draftKey);
    const now = draftKeyOf(folder, workspaceFile);
    if (before === now) return now;
    if (before !== undefined) drafts.move(before, now);
    void this.#state.update(draftKey, now);
    return now;
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
