import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { Chat } from '../chat/chat.ts';
import { noticeText } from '../noticeText.ts';
import type { EditorContext } from './editorContext.ts';
import { isWritten, pathOf, problemsPiece, selectionPiece, toAttachment } from './editorPieces.ts';

export interface ContextCommandsOptions {
  readonly context: EditorContext;
  readonly chat: () => Chat;
  readonly reveal: (chat: Chat) => Promise<void>;
}

/** Puts a piece of the editor into the composer because a person said so: it stays there until it is sent or removed. */
export class ContextCommands {
  readonly #options: ContextCommandsOptions;

  constructor(options: ContextCommandsOptions) {
    this.#options = options;
  }

  async addSelection(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined || !isWritten(editor.document)) {
      say(vscode.l10n.t('Open a file first'));
      return;
    }
    if (this.#isDenied(editor.document.uri)) return;
    const { document, selection } = editor;
    // Nothing selected: the line with the cursor is what is looked at.
    const range = selection.isEmpty ? document.lineAt(selection.active.line).range : selection;
    await this.#add(cwd => [toAttachment(selectionPiece(document, range, cwd), randomUUID())]);
    // Once is enough: the chip that would go along by itself says the same.
    this.#options.context.removeCurrent();
  }

  /** Of the explorer (one file or several), of a tab, or the file in front. */
  async addFile(values: readonly unknown[]): Promise<void> {
    const uris = urisOf(values);
    const active = vscode.window.activeTextEditor?.document.uri;
    const wanted = (uris.length > 0 ? uris : active === undefined ? [] : [active]).filter(uri => uri.scheme === 'file');
    if (wanted.length === 0) {
      say(vscode.l10n.t('Open a file first'));
      return;
    }
    const allowed = wanted.filter(uri => !this.#isDenied(uri));
    if (allowed.length === 0) return;
    await this.#add(cwd =>
      allowed.map(uri => ({
        kind: 'file',
        id: randomUUID(),
        name: basename(uri.fsPath),
        path: pathOf(uri, cwd),
      })),
    );
  }

  /** Those of the file in front; without one, those of the whole workspace. */
  async addProblems(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document !== undefined && this.#isDenied(document.uri)) return;
    const files =
      document === undefined
        ? vscode.languages.getDiagnostics().map(([uri, diagnostics]) => ({ uri, diagnostics }))
        : [{ uri: document.uri, diagnostics: vscode.languages.getDiagnostics(document.uri) }];
    const { context } = this.#options;
    const shown = files.filter(({ uri, diagnostics }) => diagnostics.length > 0 && !context.denies(uri));
    const count = shown.reduce((sum, { diagnostics }) => sum + diagnostics.length, 0);
    if (count === 0) {
      say(vscode.l10n.t('There are no problems here'));
      return;
    }
    const words = count === 1 ? vscode.l10n.t('1 problem') : vscode.l10n.t('{0} problems', count);
    const name = document === undefined ? words : `${basename(document.uri.path)}: ${words}`;
    await this.#add(cwd => [toAttachment(problemsPiece(shown, cwd, name), randomUUID())]);
  }

  async #add(make: (cwd: string) => readonly ViewAttachment[]): Promise<void> {
    const chat = this.#options.chat();
    await this.#options.reveal(chat);
    chat.composer.add(make(chat.cwd));
    chat.composer.focus();
  }

  #isDenied(uri: vscode.Uri): boolean {
    if (!this.#options.context.denies(uri)) return false;
    const name = noticeText(basename(uri.path));
    say(vscode.l10n.t('{0} is on the deny list (handrail.context.deny) and was not added', name));
    return true;
  }
}

function say(text: string): void {
  void vscode.window.showInformationMessage(text);
}

/** The explorer hands over the file that was clicked and all that are selected. */
function urisOf([clicked, selected]: readonly unknown[]): readonly vscode.Uri[] {
  const many: readonly unknown[] = Array.isArray(selected) ? selected : [clicked];
  return many.filter(one => one instanceof vscode.Uri);
}
