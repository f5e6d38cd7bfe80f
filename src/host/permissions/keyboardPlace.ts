import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';

/** Where an editor opens, in the words of `vscode.open` and `vscode.diff`. */
export interface EditorPlace {
  readonly viewColumn: vscode.ViewColumn;
  readonly preserveFocus: boolean;
  /** Only as a tab behind the one in front. */
  readonly background?: boolean;
}

/**
 * Where the keyboard most likely is. VS Code does not tell extensions, but it tells what was moved or typed in an editor,
 * and the chat tells when the keyboard comes and goes: the later of the two has it.
 */
export class KeyboardPlace implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #clock: Clock;
  #inEditorAt = -Infinity;
  #inChatAt = -Infinity;

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  start(): void {
    const now = (): number => (this.#inEditorAt = this.#clock.now());
    this.#owned.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
        if (kind !== undefined && textEditor === vscode.window.activeTextEditor) now();
      }),
    );
    this.#owned.add(
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        if (document === vscode.window.activeTextEditor?.document && document.isDirty) now();
      }),
    );
  }

  /** When an editor was last typed or clicked in. */
  get editorUsedAt(): number {
    return this.#inEditorAt;
  }

  /** A chat of the side bar got the keyboard, or lost it. */
  inChat(here: boolean): void {
    this.#inChatAt = here ? this.#clock.now() : -Infinity;
  }

  /** A person asked for it: in front and with the keyboard, but not over a chat. */
  placeWhenAsked(): EditorPlace {
    return { viewColumn: columnBesideChat() ?? vscode.ViewColumn.Active, preserveFocus: false };
  }

  /** It comes by itself: in front where nobody types, else behind the tab in front. */
  quietPlace(): EditorPlace {
    const { activeTabGroup, all } = vscode.window.tabGroups;
    const free = { viewColumn: activeTabGroup.viewColumn, preserveFocus: true };
    if (activeTabGroup.activeTab === undefined) return free;
    if (isText(activeTabGroup.activeTab)) {
      return this.#inChatAt > this.#inEditorAt ? free : { ...free, background: true };
    }
    // A chat in an editor tab is not covered; a text beside it is not being typed in.
    const other = all.find(group => group !== activeTabGroup && isText(group.activeTab));
    return other === undefined ? { ...free, background: true } : { viewColumn: other.viewColumn, preserveFocus: true };
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

function isText(tab: vscode.Tab | undefined): boolean {
  return tab?.input instanceof vscode.TabInputText || tab?.input instanceof vscode.TabInputTextDiff;
}

/** When the tab in front is a chat: the next column, so that chat and diff are seen together. */
function columnBesideChat(): vscode.ViewColumn | undefined {
  const { activeTab } = vscode.window.tabGroups.activeTabGroup;
  return activeTab?.input instanceof vscode.TabInputWebview ? vscode.ViewColumn.Beside : undefined;
}
