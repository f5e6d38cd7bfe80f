import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import type { ComposerAction } from '../../src/bridge/hostMessages.ts';
import type { ViewApp } from '../app/viewApp.ts';
import type { DraftAttachment } from '../app/viewState.ts';
import { PromptHistory } from './promptHistory.ts';

const maxHistory = 200;

/** What the composer does, without how it looks: the text, what is attached to it, sending it, and what was sent before. */
export class Draft {
  readonly #app: ViewApp;
  readonly #history = new PromptHistory();
  /** Put aside or sent in this page; older ones are read from the conversation. */
  #kept: readonly string[] = [];

  constructor(app: ViewApp) {
    this.#app = app;
  }

  get text(): string {
    return this.#app.state.draft.peek();
  }

  set text(text: string) {
    this.#app.state.draft.value = text;
  }

  get isEmpty(): boolean {
    return this.text.trim() === '' && this.#app.state.attachments.peek().length === 0;
  }

  send(now: boolean): boolean {
    if (this.isEmpty) return false;
    const { attachments } = this.#app.state;
    const text = this.text;
    this.#app.send(text, attachments.peek().map(toMessage), now);
    this.#keep(text);
    this.#history.leave();
    this.text = '';
    attachments.value = [];
    return true;
  }

  /** Takes what the host, a suggestion or a queued message puts in. A draft that has to give way is kept in the history. */
  take(action: ComposerAction, caret: number): number {
    switch (action.type) {
      case 'setText':
        this.#keep(this.text);
        this.#history.leave();
        this.text = action.text;
        return action.text.length;
      case 'insertText': {
        const { text } = this;
        const space = caret > 0 && !/\s$/.test(text.slice(0, caret)) ? ' ' : '';
        this.text = text.slice(0, caret) + space + action.text + text.slice(caret);
        return caret + space.length + action.text.length;
      }
      case 'attach':
        this.attach([{ kind: 'reference', id: action.id, name: action.name, icon: action.kind }]);
        return caret;
    }
  }

  attach(added: readonly DraftAttachment[]): void {
    const { attachments } = this.#app.state;
    const ids = new Set(added.map(one => one.id));
    attachments.value = [...attachments.peek().filter(one => !ids.has(one.id)), ...added];
  }

  remove(attachment: DraftAttachment): void {
    const { attachments } = this.#app.state;
    attachments.value = attachments.peek().filter(one => one.id !== attachment.id);
    if (attachment.kind === 'reference') this.#app.post({ type: 'removeReference', id: attachment.id });
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

function toMessage(attachment: DraftAttachment): ViewAttachment {
  switch (attachment.kind) {
    case 'image':
      return {
        kind: 'image',
        name: attachment.name,
        mediaType: attachment.mediaType,
        data: attachment.data,
      };
    case 'file':
      return { kind: 'file', name: attachment.name, path: attachment.path };
    case 'reference':
      return { kind: 'reference', name: attachment.name, id: attachment.id };
  }
}
