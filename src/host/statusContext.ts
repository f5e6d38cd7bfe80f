import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Chats } from './chat/chats.ts';

/** Keys for `when` clauses and the item in the status bar: what all chats together are doing. */
export class StatusContext implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #chats: Chats;
  #item: vscode.StatusBarItem | undefined;
  readonly #keys = new Map<string, boolean>();

  constructor(chats: Chats) {
    this.#chats = chats;
  }

  start(): void {
    this.#owned.add(this.#chats.onDidChange(() => this.#refresh()));
    this.#refresh();
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #refresh(): void {
    const active = this.#chats.active?.state?.type;
    this.#set('handrail.working', active === 'working' || active === 'awaitingPermission');
    this.#set('handrail.sessionOpen', active !== undefined && active !== 'stopped');
    const waiting = this.#chats.questions.length;
    this.#set('handrail.questionWaiting', waiting > 0);
    this.#show(
      waiting,
      this.#chats.all.some(chat => chat.state?.type === 'working'),
    );
  }

  #show(waiting: number, working: boolean): void {
    const question =
      waiting === 1 ? vscode.l10n.t('1 question waiting') : vscode.l10n.t('{0} questions waiting', waiting);
    const state = waiting > 0 ? question : working ? vscode.l10n.t('working') : vscode.l10n.t('idle');
    const item = (this.#item ??= this.#create());
    // At rest only a sign: what wants no attention takes no room.
    const text =
      waiting > 0
        ? `$(question) ${question}`
        : working
          ? `$(sync) ${vscode.l10n.t('Handrail: {0}', state)}`
          : '$(comment-discussion)';
    if (item.text === text) return;
    item.text = text;
    item.tooltip = vscode.l10n.t('Handrail: {0}', state);
    item.accessibilityInformation = { label: vscode.l10n.t('Handrail: {0}', state) };
    item.backgroundColor = waiting > 0 ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    item.command = waiting > 0 ? 'handrail.nextPrompt' : 'handrail.open';
    item.show();
  }

  #create(): vscode.StatusBarItem {
    const item = this.#owned.add(
      vscode.window.createStatusBarItem('handrail.status', vscode.StatusBarAlignment.Right, 100),
    );
    item.name = 'Handrail';
    return item;
  }

  #set(key: string, value: boolean): void {
    if (this.#keys.get(key) === value) return;
    this.#keys.set(key, value);
    void vscode.commands.executeCommand('setContext', key, value);
  }
}
