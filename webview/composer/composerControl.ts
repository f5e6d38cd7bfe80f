import type { Disposable } from '../../src/base/disposable.ts';
import { DisposableStore } from '../../src/base/disposable.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { attachImage, filesFromUriList } from './attachFiles.ts';
import { attachProblem } from './attachProblem.ts';
import { Draft } from './draft.ts';
import { keyAction } from './keys.ts';
import type { KeyAction, KeyPress } from './keys.ts';
import { Suggestions } from './suggestions.ts';
import type { Suggestion } from './suggestions.ts';
import { complete } from './trigger.ts';

/** Ties the draft, the completions and the text field together: what each key, paste and drop does. */
export class ComposerControl implements Disposable {
  readonly draft: Draft;
  readonly suggestions: Suggestions;

  readonly #app: ViewApp;
  readonly #store = new DisposableStore();
  #field: HTMLTextAreaElement | null = null;
  /** Where the caret has to be once the new text is in the field. */
  #caret: number | undefined;

  constructor(app: ViewApp) {
    this.#app = app;
    this.draft = new Draft(app);
    this.suggestions = this.#store.add(new Suggestions(app));
  }

  /** The field is in the page. */
  attachTo(field: HTMLTextAreaElement | null): void {
    this.#field = field;
  }

  start(): Disposable {
    this.#store.add(
      this.#app.onComposerAction(action => {
        this.#caret = this.draft.take(action, this.#caretNow());
        // Words come back by themselves too, while the person types in an editor: only who is here already goes on here.
        if (action.type !== 'giveBack' || document.hasFocus()) this.#field?.focus();
      }),
    );
    this.#store.add(
      this.#app.onFocus(target => {
        if (target === 'composer') this.#field?.focus();
      }),
    );
    return this;
  }

  /** The text of the draft is in the field: the caret follows it. */
  drawn(): void {
    if (this.#caret === undefined) return;
    this.#field?.setSelectionRange(this.#caret, this.#caret);
    this.#caret = undefined;
  }

  input(text: string): void {
    this.draft.text = text;
    this.look();
  }

  /** Looks whether there is something to complete where the caret is now. */
  look(): void {
    if (this.#field) this.suggestions.update(this.#field.value, this.#field.selectionStart);
  }

  submit(): void {
    void this.draft.send(false);
    this.suggestions.close();
    this.#field?.focus();
  }

  addContext(): void {
    const caret = this.draft.take({ type: 'insertText', text: '@' }, this.#caretNow());
    this.#caret = caret;
    this.#field?.focus();
    this.suggestions.update(this.draft.text, caret);
  }

  pick(entry: Suggestion): void {
    const open = this.suggestions.list.peek();
    if (!open) return;
    const done = complete(this.draft.text, open.trigger, entry.insert);
    this.draft.text = done.text;
    this.#caret = done.caret;
    this.#field?.focus();
    if (entry.goesOn) this.suggestions.update(done.text, done.caret);
    else this.suggestions.close();
  }

  /** Says whether the key was taken. */
  press(key: KeyPress): boolean {
    const field = this.#field;
    if (!field) return false;
    const action = keyAction(key, {
      sendKey: this.#app.sync.options.peek().sendKey,
      listOpen: this.suggestions.list.peek() !== undefined,
      onFirstLine: !field.value.slice(0, field.selectionStart).includes('\n'),
      onLastLine: !field.value.slice(field.selectionEnd).includes('\n'),
    });
    return action !== undefined && this.#act(action);
  }

  /** Pasted or dropped: images are read, files of the workspace are named, the rest is refused in words. */
  take(data: DataTransfer): boolean {
    const uris = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
    const named = filesFromUriList(uris, () => crypto.randomUUID());
    const files = [...data.files];
    if (named.length > 0) this.draft.attach(named);
    else if (files.length > 0) this.#read(files).catch((error: unknown) => this.#app.fault(error));
    return named.length > 0 || files.length > 0;
  }

  dispose(): void {
    this.#store.dispose();
  }

  #act(action: KeyAction): boolean {
    switch (action) {
      case 'send':
        this.submit();
        return true;
      case 'pick':
        return this.#pickActive();
      case 'next':
        this.suggestions.move(1);
        return true;
      case 'previous':
        this.suggestions.move(-1);
        return true;
      case 'dismiss':
        this.suggestions.dismiss();
        return true;
      case 'older':
        return this.#walked(this.draft.older());
      case 'newer':
        return this.#walked(this.draft.newer());
    }
  }

  #pickActive(): boolean {
    const open = this.suggestions.list.peek();
    const entry = open?.entries[open.active];
    if (entry) this.pick(entry);
    return entry !== undefined;
  }

  #walked(moved: boolean): boolean {
    if (moved) this.#caret = this.draft.text.length;
    return moved;
  }

  #caretNow(): number {
    return this.#field?.selectionStart ?? this.draft.text.length;
  }

  async #read(files: readonly File[]): Promise<void> {
    this.draft.problem.value = undefined;
    for (const file of files) {
      const result = await attachImage(file, () => crypto.randomUUID());
      if (result.type === 'attached') this.draft.attach([result.attachment]);
      else this.draft.problem.value = attachProblem(this.#app, result);
    }
  }
}
