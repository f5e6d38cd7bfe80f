import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Chat } from './chat.ts';
import type { Chats } from './chats.ts';
import { viewRoot } from './chatHtml.ts';
import { Surface } from './surface.ts';

export const chatPanelType = 'handrail.session';

export interface ChatEditorsOptions {
  readonly extensionUri: vscode.Uri;
  /** A new chat for a new tab; the tab owns it. */
  readonly newChat: () => Chat;
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
    for (const panel of [...this.#tabs]) panel.dispose();
  }

  #fill(panel: vscode.WebviewPanel): Chat {
    const { extensionUri, logger, chats } = this.#options;
    const owned = new DisposableStore();
    const chat = owned.add(this.#options.newChat());
    this.#tabs.add(panel);
    panel.iconPath = vscode.Uri.joinPath(extensionUri, 'media', 'handrail.svg');
    const surface = owned.add(new Surface(panel.webview, extensionUri, chat, logger));
    owned.add(chat.attach(message => surface.post(message)));
    owned.add(chat.onDidChange(() => (panel.title = tabTitle(chat))));
    owned.add(panel.onDidChangeViewState(() => chats.placesChanged()));
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
    return chat;
  }
}

function tabTitle(chat: Chat): string {
  const title = chat.title === '' ? vscode.l10n.t('New session') : chat.title;
  return chat.state?.type === 'awaitingPermission' ? vscode.l10n.t('{0} – waiting for you', title) : title;
}
