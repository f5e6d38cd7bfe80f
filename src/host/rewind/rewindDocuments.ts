import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { decodeFile } from '../../session/proposal/presentFile.ts';

const scheme = 'handrail-rewind';
const mostPreviews = 4;

/** One side of a file in a multi-file diff. */
export type DiffSide =
  | { readonly kind: 'none' }
  /** The file itself, as it is. */
  | { readonly kind: 'file' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly read: () => Promise<Uint8Array> };

export interface DiffEntry {
  readonly path: string;
  readonly before: DiffSide;
  readonly after: DiffSide;
}

/** Multi-file diffs whose other side is no file of the folder: what was, or what will be. */
export class RewindDocuments implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #texts = new Map<string, Map<string, DiffSide>>();
  readonly #logger: Logger;
  #count = 0;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  start(): void {
    const provider = { provideTextDocumentContent: (uri: vscode.Uri) => this.#read(uri) };
    this.#owned.add(vscode.workspace.registerTextDocumentContentProvider(scheme, provider));
  }

  /** Opens VS Code's own editor for many files; contents are read as they come into view. */
  async show(title: string, entries: readonly DiffEntry[]): Promise<void> {
    const id = String(++this.#count);
    const texts = new Map<string, DiffSide>();
    this.#texts.set(id, texts);
    // What is on neither side cannot be shown, and VS Code would refuse all the others with it.
    const shown = entries.filter(({ before, after }) => before.kind !== 'none' || after.kind !== 'none');
    if (shown.length === 0) return;
    const resources = shown.map(({ path, before, after }, index) => {
      const label = vscode.Uri.file(path);
      const uriOf = (side: DiffSide, name: string): vscode.Uri | undefined => {
        if (side.kind === 'none') return undefined;
        if (side.kind === 'file') return label;
        const key = `${id}/${index}-${name}`;
        texts.set(key, side);
        // With the path of the file itself: VS Code would show any other one as a file that was renamed.
        return label.with({ scheme, query: key });
      };
      return [label, uriOf(before, 'before'), uriOf(after, 'after')];
    });
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    for (const old of [...this.#texts.keys()].slice(0, -mostPreviews)) this.#texts.delete(old);
  }

  /** Closes the diff of that title, if it is still there. */
  async close(title: string): Promise<void> {
    // VS Code adds the number of files to the title.
    const isIt = ({ label }: vscode.Tab): boolean => label === title || label.startsWith(`${title} (`);
    const tabs = vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isIt);
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#texts.clear();
  }

  async #read(uri: vscode.Uri): Promise<string> {
    const side = this.#texts.get(uri.query.split('/')[0] ?? '')?.get(uri.query);
    if (side?.kind === 'text') return side.text;
    if (side?.kind !== 'bytes') return vscode.l10n.t('This preview is over.');
    try {
      const file = decodeFile(await side.read());
      return file.state === 'text' ? file.text : vscode.l10n.t('This content cannot be shown as text.');
    } catch (error) {
      this.#logger.warn('One side of a diff could not be read', error);
      return vscode.l10n.t('This content could not be read.');
    }
  }
}
