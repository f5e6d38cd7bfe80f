import { signal } from '@preact/signals';
import { joinTexts } from '../../src/bridge/joinTexts.ts';
import { mostAttachments } from '../../src/bridge/limits.ts';
import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import type { ComposerAction } from '../../src/bridge/hostMessages.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { PromptHistory } from './promptHistory.ts';

const maxHistory = 200;

/** What the composer does, without how it looks: the text, what is attached to it, sending it, and what was sent before. */
export class Draft {
  /** Why something could not be attached or sent. */
  readonly problem = signal<string | undefined>(undefined);
  readonly #app: ViewApp;
  readonly #history = new PromptHistory();
  /** Put aside or sent in this page; older ones are read from the conversation. */
  #kept: readonly string[] = [];
  #sending = false;

  constructor(app: ViewApp) {
    this.#app = app;
  }

  get text(): string {
    return this.#app.state.draft.peek();
  }

  set text(text: string) {
    // What was wrong with it was said of other words.
    if (text !== this.text) this.problem.value = undefined;
    this.#app.state.draft.value = text;
  }

  get isEmpty(): boolean {
    return this.text.trim() === '' && this.#app.state.attachments.peek().length === 0;
  }

  /** Not while the host is asked already, and not before all that belongs to the draft has come from it. */
  get canSend(): boolean {
    return !this.#sending && !this.isEmpty && this.#app.drafts.ready.peek();
  }

  /** Hands the draft to the host and lets go of it when the host has it. */
  async send(now: boolean): Promise<void> {
    if (!this.canSend) return;
    this.#sending = true;
    try {
      this.problem.value = await this.#handOver(now);
    } catch (error) {
      this.#app.fault(error);
      this.problem.value = this.#app.t('notTaken');
    } finally {
      this.#sending = false;
    }
  }

  async #handOver(now: boolean): Promise<string | undefined> {
    const { text } = this;
    const attached = this.#app.state.attachments.peek();
    if (attached.length > mostAttachments) return this.#app.t('tooManyToSend', mostAttachments);
    const problem = await this.#app.send(text, [...attached], now);
    if (problem === undefined) this.#sent(text, attached);
    return problem;
  }

  /** Takes what the host, a suggestion or an earlier message puts in. What stands there already is never overwritten. */
  take(action: ComposerAction, caret: number): number {
    switch (action.type) {
      case 'giveBack': {
        // What one only looked at in the history is no draft.
        const rest = this.#history.isWalking(this.text) ? '' : this.text;
        this.#history.leave();
        this.text = joinTexts([action.text, rest]);
        this.#attachBefore(action.attachments);
        return action.text.length;
      }
      case 'insertText': {
        const { text } = this;
        const space = caret > 0 && !/\s$/.test(text.slice(0, caret)) ? ' ' : '';
        this.text = text.slice(0, caret) + space + action.text + text.slice(caret);
        return caret + space.length + action.text.length;
      }
      case 'attach':
        this.attach(action.attachments);
        return caret;
    }
  }

  /** Adds what there is room for. */
  attach(added: readonly ViewAttachment[]): void {
    const { attachments } = this.#app.state;
    const ids = new Set(added.map(one => one.id));
    const there = attachments.peek().filter(one => !ids.has(one.id));
    const room = Math.max(0, mostAttachments - there.length);
    attachments.value = [...there, ...added.slice(0, room)];
    if (added.length > room) this.problem.value = this.#app.t('tooManyAttachments', mostAttachments);
  }

  /** What was typed while the host was asked stays. */
  #sent(text: string, attached: readonly ViewAttachment[]): void {
    const { attachments } = this.#app.state;
    const now = this.text;
    this.#keep(text);
    this.#history.leave();
    if (now.startsWith(text)) this.text = now.slice(text.length);
    attachments.value = attachments.peek().filter(one => !attached.includes(one));
    // Not a moment later: what was sent must not come back as a draft.
    this.#app.state.flush();
  }

  #attachBefore(given: readonly ViewAttachment[]): void {
    const { attachments } = this.#app.state;
    const ids = new Set(given.map(one => one.id));
    attachments.value = [...given, ...attachments.peek().filter(one => !ids.has(one.id))];
  }

  remove(attachment: ViewAttachment): void {
    const { attachments } = this.#app.state;
    attachments.value = attachments.peek().filter(one => one.id !== attachment.id);
  }

  /** Up: only from a text nobody has changed, so that a draft is never lost under a key that also moves the caret. */
  older(): boolean {
    if (this.text !== '' && !this.#history.isWalking(this.text)) return false;
    return this.#walk(this.#history.older(this.text, () => this.#entries()));
  }

  newer(): boolean {
    return this.#walk(this.#history.newer(this.text));
  }

  #walk(text: string | undefined): boolean {
    if (text === undefined) return false;
    this.text = text;
    return true;
  }

  #keep(text: string): void {
    if (text.trim() === '' || this.#history.isWalking(text)) return;
    this.#kept = [...this.#kept.filter(one => one !== text), text].slice(-maxHistory);
  }

  #entries(): readonly string[] {
    const { conversation } = this.#app;
    const said: string[] = [];
    for (let index = conversation.total.peek() - 1; index >= 0 && said.length < maxHistory; index--) {
      const item = conversation.itemAt(index);
      if (item?.kind === 'prompt' && !item.synthetic) said.push(item.text);
    }
    return [...new Set([...said.reverse(), ...this.#kept])];
  }
}
