import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Chat } from './chat.ts';
import { viewRoot } from './chatHtml.ts';
import { Surface } from './surface.ts';

export const chatPanelType = 'handrail.session';

export interface ChatEditorsOptions {
  readonly extensionUri: vscode.Uri;
  /** A new chat for a new tab; the tab owns it. */
  readonly newChat: () => Chat;
  readonly logger: Logger;
  /** Chats came, went or changed which one is in front. */
  readonly onDidChange: () => void;
}

/** Chats in editor tabs: each tab has its own chat, which ends with it. */
export class ChatEditors implements vscode.WebviewPanelSerializer, Disposable {
  readonly #options: ChatEditorsOptions;
  readonly #tabs = new Map<vscode.WebviewPanel, { readonly chat: Chat; readonly owned: DisposableStore }>();

  constructor(options: ChatEditorsOptions) {
    this.#options = options;
  }

  get chats(): readonly Chat[] {
    return [...this.#tabs.values()].map(tab => tab.chat);
  }

  /** The chat of the tab in front, if a chat tab is in front. */
  get active(): Chat | undefined {
    for (const [panel, tab] of this.#tabs) if (panel.active) return tab.chat;
    return undefined;
  }

  open(): Chat {
    const panel = vscode.window.createWebviewPanel(
      chatPanelType,
      vscode.l10n.t('New session'),
      vscode.ViewColumn.Active,
      {
        enableScripts: true,
        localResourceRoots: [viewRoot(this.#options.extensionUri)],
      },
    );
    return this.#fill(panel);
  }

  deserializeWebviewPanel(panel: vscode.WebviewPanel): Promise<void> {
    this.#fill(panel);
    return Promise.resolve();
  }

  dispose(): void {
    for (const panel of [...this.#tabs.keys()]) panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel): Chat {
    const { extensionUri, logger, onDidChange } = this.#options;
    const owned = new DisposableStore();
    const chat = owned.add(this.#options.newChat());
    this.#tabs.set(panel, { chat, owned });
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'handrail.svg');
    const surface = owned.add(new Surface(panel.webview, extensionUri, chat, logger));
    owned.add(chat.attach(message => surface.post(message)));
    owned.add(chat.onDidChange(() => (panel.title = tabTitle(chat))));
    owned.add(panel.onDidChangeViewState(onDidChange));
    panel.onDidDispose(() => {
      this.#tabs.delete(panel);
      owned.dispose();
      onDidChange();
    });
    onDidChange();
    return chat;
  }
}

function tabTitle(chat: Chat): string {
  const title = chat.title === '' ? vscode.l10n.t('New session') : chat.title;
  return chat.state?.type === 'awaitingPermission' ? vscode.l10n.t('{0} – waiting for you', title) : title;
}
