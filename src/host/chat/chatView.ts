import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { Chat } from './chat.ts';
import { Surface } from './surface.ts';

export const chatViewId = 'handrail.chat';

/** The chat in the side bar, which it owns. One chat for the life of the window; its page is made anew whenever the view is opened. */
export class ChatView implements vscode.WebviewViewProvider, Disposable {
  readonly chat: Chat;
  readonly #extensionUri: vscode.Uri;
  readonly #logger: Logger;
  readonly #visibility = new Emitter<undefined>();
  #page: DisposableStore | undefined;
  #view: vscode.WebviewView | undefined;

  constructor(chat: Chat, extensionUri: vscode.Uri, logger: Logger) {
    this.chat = chat;
    this.#extensionUri = extensionUri;
    this.#logger = logger;
  }

  get visible(): boolean {
    return this.#view?.visible === true;
  }

  /** Shown, hidden, opened or closed. */
  get onDidChangeVisibility(): Event<undefined> {
    return this.#visibility.event;
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#page?.dispose();
    const page = new DisposableStore();
    this.#page = page;
    this.#view = view;
    const surface = page.add(new Surface(view.webview, this.#extensionUri, this.chat, this.#logger));
    page.add(this.chat.attach(message => surface.post(message)));
    page.add(this.chat.onDidChange(() => this.#decorate()));
    page.add(
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.chat.pageHidden();
        this.#visibility.fire(undefined);
      }),
    );
    page.add(
      view.onDidDispose(() => {
        if (this.#page === page) this.#view = undefined;
        page.dispose();
        this.#visibility.fire(undefined);
      }),
    );
    this.#decorate();
  }

  async reveal(): Promise<void> {
    await vscode.commands.executeCommand(`${chatViewId}.focus`);
    this.chat.composer.focus();
  }

  dispose(): void {
    this.#page?.dispose();
    this.#visibility.dispose();
    this.chat.dispose();
  }

  #decorate(): void {
    if (this.#view === undefined) return;
    const waiting = this.chat.session?.desk.asks.length ?? 0;
    this.#view.badge =
      waiting === 0
        ? undefined
        : {
            value: waiting,
            tooltip:
              waiting === 1 ? vscode.l10n.t('1 question waiting') : vscode.l10n.t('{0} questions waiting', waiting),
          };
    const { title } = this.chat;
    if (title === '') delete this.#view.description;
    else this.#view.description = title;
  }
}
