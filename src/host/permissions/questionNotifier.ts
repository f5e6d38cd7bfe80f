import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { ChatDeskChange, Chats, OpenQuestion } from '../chat/chats.ts';
import { errorText } from '../errorText.ts';
import { askSentence } from './askSentence.ts';

export interface QuestionNotifierOptions {
  readonly chats: Chats;
  readonly when: () => 'whenHidden' | 'always' | 'never';
  /** Opens the diff of a pending edit; absent where none can be shown. */
  readonly showDiff?: (question: OpenQuestion) => Promise<boolean>;
  readonly hasDiff?: (question: OpenQuestion) => boolean;
  readonly logger: Logger;
}

/**
 * Brings a question to a person who is not looking at the chat. The notification can answer it; dismissing it leaves the
 * question open. VS Code cannot withdraw a notification, so a button pressed too late only says so.
 */
export class QuestionNotifier implements Disposable {
  readonly #options: QuestionNotifierOptions;
  readonly #owned = new DisposableStore();

  constructor(options: QuestionNotifierOptions) {
    this.#options = options;
  }

  start(): void {
    this.#owned.add(this.#options.chats.onDidChangeQuestions(change => this.#changed(change)));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #changed({ chat, change }: ChatDeskChange): void {
    const when = this.#options.when();
    if (change.type !== 'opened' || when === 'never') return;
    if (when === 'whenHidden' && this.#options.chats.isVisible(chat)) return;
    this.#notify({ chat, ask: change.ask }).catch((error: unknown) => {
      // The question is still on its card: nothing was answered.
      this.#options.logger.error('A notification of a question failed', error);
      chat.services.tell(errorText(error));
    });
  }

  async #notify(question: OpenQuestion): Promise<void> {
    const { chat, ask } = question;
    const allow = vscode.l10n.t('Allow');
    const deny = vscode.l10n.t('Deny');
    const showDiff = vscode.l10n.t('Show Diff');
    const openChat = vscode.l10n.t('Open Chat');
    const { text, whole } = askSentence(ask, chat.cwd, vscode.l10n.t);
    const look = this.#options.hasDiff?.(question) === true ? showDiff : openChat;
    const isForCard = !ask.oneClick || !ask.preselectAllow;
    // Nobody says yes to what they cannot read here.
    const actions = isForCard ? [openChat] : whole ? [allow, deny, look] : [look, deny];
    const choice = await vscode.window.showInformationMessage(text, ...actions);
    if (choice === undefined) return;
    if (chat.session?.desk.find(ask.id) === undefined) {
      chat.services.tell(vscode.l10n.t('This question is already answered.'));
      return;
    }
    if (choice === allow) await chat.questions.answer(ask.id, { type: 'allow' });
    else if (choice === deny) await chat.questions.answer(ask.id, { type: 'deny', reason: '', stop: false });
    else if (choice !== showDiff || (await this.#options.showDiff?.(question)) !== true) {
      await showQuestion(this.#options.chats, question);
    }
  }
}

export async function showQuestion(chats: Chats, { chat, ask }: OpenQuestion): Promise<void> {
  await chats.reveal(chat);
  chat.focusAsk(ask.id);
}

/** Brings the oldest question that waits to the front. */
export async function showNextQuestion(chats: Chats): Promise<void> {
  const [oldest] = chats.questions;
  if (oldest === undefined) void vscode.window.showInformationMessage(vscode.l10n.t('No question is waiting'));
  else await showQuestion(chats, oldest);
}
