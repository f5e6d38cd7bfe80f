import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { SessionTarget } from '../sessions/sessionTarget.ts';
import { readSavedTab } from '../sessions/sessionTarget.ts';
import type { Chat } from './chat.ts';
import type { Chats } from './chats.ts';
import { viewRoot } from './chatHtml.ts';
import { Surface } from './surface.ts';
import { cleanText } from './cleanText.ts';

export const chatPanelType = 'handrail.session';

/** What a new tab, or the side bar, begins with. */
export interface TabStart {
  /** Where its agent works; the first folder of the workspace when absent. */
  readonly folder?: string;
  readonly target?: SessionTarget;
  /** Where its draft was kept, for a tab of an earlier window. */
  readonly draftKey?: string;
}

export interface ChatEditorsOptions {
  readonly extensionUri: vscode.Uri;
  /** A new chat for a new tab; the tab owns it. */
  readonly newChat: (start: TabStart) => Chat;
  readonly chats: Chats;
  readonly logger: Logger;
}

/** Chats in editor tabs: each tab has its own chat, which ends with it. */
export class ChatEditors implements vscode.WebviewPanelSerializer, Disposable {
  readonly #options: ChatEditorsOptions;
  readonly #tabs = new Set<vscode.WebviewPanel>();

  constructor(options: ChatEditorsOptions) {
    this.#options = options;
  }

  open(start: TabStart = {}): Chat {
    const panel = vscode.window.createWebviewPanel(
      chatPanelType,
      vscode.l10n.t('New session'),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        localResourceRoots: [viewRoot(this.#options.extensionUri)],
      },
    );
    return this.#fill(panel, start);
  }

  /** A tab of an earlier window: its state says which session it showed and where. */
  deserializeWebviewPanel(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    this.#fill(panel, readSavedTab(state), panel.title);
    return Promise.resolve();
  }

  dispose(): void {
    for (const panel of [...this.#tabs]) panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel, start: TabStart, title?: string): Chat {
    const { extensionUri, logger, chats } = this.#options;
    const owned = new DisposableStore();
    const chat = owned.add(this.#options.newChat(start));
    this.#tabs.add(panel);
    const surface = owned.add(new Surface(panel.webview, extensionUri, chat, logger));
    owned.add(chat.attach(message => surface.post(message)));
    owned.add(chat.onDidChange(() => decorate(panel, chat, extensionUri)));
    owned.add(
      panel.onDidChangeViewState(() => {
        if (!panel.visible) chat.pageHidden();
        if (panel.active) chats.focused(chat);
        chats.placesChanged();
      }),
    );
    panel.onDidDispose(() => {
      this.#tabs.delete(panel);
      owned.dispose();
    });
    owned.add(
      chats.add(chat, {
        visible: () => panel.visible,
        active: () => panel.active,
        reveal: () => {
          panel.reveal();
          return Promise.resolve();
        },
      }),
    );
    if (panel.active) chats.focused(chat);
    decorate(panel, chat, extensionUri);
    // A tab in the background reads its session when it is first looked at; until then it keeps its old name.
    if (title !== undefined && start.target !== undefined) panel.title = title;
    return chat;
  }
}

/** The tab says what its agent is doing, so that one can see it from another tab. */
function decorate(panel: vscode.WebviewPanel, chat: Chat, extensionUri: vscode.Uri): void {
  const state = chat.state?.type;
  const icon =
    state === 'awaitingPermission'
      ? 'handrail-waiting.svg'
      : state === 'working'
        ? 'handrail-working.svg'
        : 'handrail.svg';
  const title = chat.title === '' ? vscode.l10n.t('New session') : cleanText(chat.title);
  panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', icon);
  panel.title = state === 'awaitingPermission' ? vscode.l10n.t('{0} – waiting for you', title) : title;
}

/** Where a new session is to work: the only folder, or the one a person picks. `undefined`: they picked none. */
export async function pickFolder(): Promise<string | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length <= 1) return folders[0]?.uri.fsPath ?? homedir();
  const picked = await vscode.window.showWorkspaceFolderPick({
    placeHolder: vscode.l10n.t('Folder that the session works in'),
  });
  return picked?.uri.fsPath;
}
