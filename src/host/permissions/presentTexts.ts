import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';

/** Files as they are now, for the left side of a diff: read-only by nature, and with one question from VS Code each. */
export class PresentTexts implements vscode.TextDocumentContentProvider, Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changes = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changes.event;

  put(uri: vscode.Uri, text: string): void {
    this.#texts.set(uri.toString(), text);
    this.#changes.fire(uri);
  }

  remove(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    this.#changes.dispose();
    this.#texts.clear();
  }
}
