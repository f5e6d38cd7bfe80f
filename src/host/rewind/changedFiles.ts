import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import type { Chat } from '../chat/chat.ts';
import type { Chats } from '../chat/chats.ts';
import { resolvePath } from '../paths.ts';

const contextKey = 'handrail.changedFiles';
const most = 5_000;

/** Tells VS Code's menus which files the agent has changed, so that only these offer to be taken back. */
export class ChangedFiles implements Disposable {
  readonly #chats: Chats;
  readonly #changesOf: (chat: Chat) => readonly AgentChange[];
  readonly #owned = new DisposableStore();
  #told = '';

  constructor(chats: Chats, changesOf: (chat: Chat) => readonly AgentChange[]) {
    this.#chats = chats;
    this.#changesOf = changesOf;
  }

  start(): void {
    this.#owned.add(this.#chats.onDidChange(() => this.#look()));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #look(): void {
    // While the agent works the list would change with every tool; at the end of the turn it is complete.
    if (this.#chats.all.some(chat => chat.state?.type === 'working')) return;
    const paths = new Set<string>();
    for (const chat of this.#chats.all) {
      for (const change of this.#changesOf(chat)) {
        if (paths.size < most) paths.add(resolvePath(change.path, chat.cwd));
      }
    }
    const told = [...paths].sort();
    const key = told.join('\0');
    if (key === this.#told) return;
    this.#told = key;
    // `resourcePath` in the menus has forward slashes on every system.
    void vscode.commands.executeCommand(
      'setContext',
      contextKey,
      told.map(path => vscode.Uri.file(path).path),
    );
  }
}
