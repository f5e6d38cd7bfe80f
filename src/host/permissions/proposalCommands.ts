import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { proposedPath } from '../../session/proposal/fileProposal.ts';
import type { Chats, OpenQuestion } from '../chat/chats.ts';
import { askSentence } from './askSentence.ts';
import { showQuestion } from './questionNotifier.ts';
import { labelText } from '../noticeText.ts';

/** A question this young cannot have been read: whoever presses now meant the one before it. */
const tooYoung = 500;

/** The commands that show and answer a proposal from anywhere: editor title, palette, keys. */
export class ProposalCommands {
  readonly #chats: Chats;
  /** The question whose diff is in the active tab. */
  readonly #active: () => OpenQuestion | undefined;
  readonly #clock: Clock;
  #answeredAt = -Infinity;

  constructor(chats: Chats, active: () => OpenQuestion | undefined, clock: Clock = systemClock) {
    this.#chats = chats;
    this.#active = active;
    this.#clock = clock;
  }

  async show(): Promise<void> {
    const question = await this.#choose();
    if (question === undefined) return;
    if (!(await question.chat.questions.show(question.ask.id))) await showQuestion(this.#chats, question);
  }

  async accept(): Promise<void> {
    const question = await this.#choose();
    if (question === undefined || !this.#isSettled(question)) return;
    const { chat, ask } = question;
    if (ask.oneClick && ask.preselectAllow) {
      await chat.questions.answer(ask.id, { type: 'allow' });
      return;
    }
    // Plan mode, or a step the CLI wants to be looked at: that takes the card.
    await showQuestion(this.#chats, question);
  }

  async reject(): Promise<void> {
    const question = await this.#choose();
    if (question === undefined || !this.#isSettled(question)) return;
    if (question.ask.kind === 'plan') {
      // The agent plans on with a word of what should change, and that has its place on the card.
      await showQuestion(this.#chats, question);
      return;
    }
    await question.chat.questions.answer(question.ask.id, { type: 'deny', reason: '', stop: false });
  }

  #isSettled({ ask }: OpenQuestion): boolean {
    // A second press of the same key must not answer the question that came to the front meanwhile.
    const seenSince = Math.max(ask.openedAt, this.#answeredAt);
    if (this.#clock.now() - seenSince >= tooYoung) {
      this.#answeredAt = this.#clock.now();
      return true;
    }
    void vscode.window.showInformationMessage(vscode.l10n.t('This question has only just come. Look at it first.'));
    return false;
  }

  /** The one in the active tab, else the only one that waits; among several the person chooses. */
  async #choose(): Promise<OpenQuestion | undefined> {
    const active = this.#active();
    if (active !== undefined) return active;
    const waiting = this.#chats.questions.filter(({ ask }) => proposedPath(ask.toolName, ask.input) !== undefined);
    if (waiting.length === 0) {
      void vscode.window.showInformationMessage(vscode.l10n.t('No proposal is waiting'));
      return undefined;
    }
    if (waiting.length === 1) return waiting[0];
    const items = waiting.map(question => ({
      label: labelText(askSentence(question.ask, question.chat.cwd, vscode.l10n.t).text),
      description: labelText(question.chat.title),
      question,
    }));
    const picked = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Which proposal?') });
    return picked?.question;
  }
}
