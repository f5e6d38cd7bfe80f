import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { SelectionChip } from '../../bridge/hostMessages.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { ChatContext } from '../chat/chatOptions.ts';
import type { Setting } from '../settings.ts';
import { readSetting } from '../settings.ts';
import type { ContextPiece } from './contextText.ts';
import { DenyList, globsOf } from './denyList.ts';
import { filePiece, isWritten, selectionPiece, toAttachment } from './editorPieces.ts';

/** A selection that is being dragged changes with every move of the pointer. */
const settleMs = 80;
/** How many of the last chips can still be sent: the page may be a moment behind. */
const remembered = 4;

interface ContextSettings {
  readonly attach: Setting<'context.attach'>;
  readonly deny: DenyList;
}

interface Offer {
  readonly id: string;
  /** The place in the editor: a person who removed the chip of a place does not get it again. */
  readonly place: string;
  readonly piece: (cwd: string) => ContextPiece;
}

/**
 * What is selected (or open) in the editor, as the chip that goes along with the next message. It follows the editor and can
 * be removed; nothing of a file on the deny list is ever looked at.
 */
export class EditorContext implements ChatContext, Disposable {
  readonly #owned = new DisposableStore();
  readonly #changes = this.#owned.add(new Emitter<undefined>());
  readonly #logger: Logger;
  readonly #clock: Clock;
  #timer: Disposable | undefined;
  #editor: vscode.TextEditor | undefined;
  #offers: readonly Offer[] = [];
  #current: Offer | undefined;
  #removed: string | undefined;
  #count = 0;
  /** By the folder of the workspace. */
  readonly #settings = new Map<string, ContextSettings>();
  #judged: { readonly uri: string; readonly denied: boolean } | undefined;

  constructor(logger: Logger, clock: Clock = systemClock) {
    this.#logger = logger;
    this.#clock = clock;
  }

  start(): void {
    const soon = (): void => this.#refreshSoon();
    this.#owned.add(vscode.window.onDidChangeTextEditorSelection(soon));
    this.#owned.add(vscode.window.onDidChangeActiveTextEditor(soon));
    this.#owned.add(vscode.window.onDidChangeVisibleTextEditors(soon));
    this.#owned.add(
      vscode.workspace.onDidChangeConfiguration(change => {
        if (!change.affectsConfiguration('handrail.context')) return;
        this.#settings.clear();
        this.#judged = undefined;
        soon();
      }),
    );
    this.#refresh();
  }

  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  chip(cwd: string): SelectionChip | undefined {
    const offer = this.#current;
    if (offer === undefined) return undefined;
    const { what, name } = offer.piece(cwd);
    return { id: offer.id, name, what: what === 'file' ? 'file' : 'selection' };
  }

  take(id: string, cwd: string): ViewAttachment | undefined {
    const offer = this.#offers.find(one => one.id === id);
    return offer && toAttachment(offer.piece(cwd), id);
  }

  remove(id: string): void {
    if (this.#current?.id !== id) return;
    this.#removed = this.#current.place;
    this.#show(undefined);
  }

  removeCurrent(): void {
    if (this.#current !== undefined) this.remove(this.#current.id);
  }

  denies(uri: vscode.Uri): boolean {
    const { deny } = this.#settingsOf(uri);
    if (uri.scheme !== 'file') return deny.denies(uri.path);
    return deny.deniesFile(uri.fsPath, path => vscode.workspace.asRelativePath(vscode.Uri.file(path), false));
  }

  deniesPath(path: string): boolean {
    return this.denies(vscode.Uri.file(path));
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#owned.dispose();
  }

  #refreshSoon(): void {
    this.#timer ??= this.#clock.after(settleMs, () => {
      this.#timer = undefined;
      this.#refresh();
    });
  }

  #refresh(): void {
    this.#editor = this.#followed();
    const offer = this.#editor && this.#offerOf(this.#editor);
    if (offer?.place !== this.#removed) this.#removed = undefined;
    const isRemoved = offer !== undefined && offer.place === this.#removed;
    if (offer?.place !== this.#current?.place || isRemoved) this.#show(isRemoved ? undefined : offer);
  }

  /** The editor in front. A chat in a tab takes its place without making what was selected beside it less meant. */
  #followed(): vscode.TextEditor | undefined {
    const { activeTextEditor, visibleTextEditors } = vscode.window;
    if (activeTextEditor !== undefined) return activeTextEditor;
    return visibleTextEditors.find(editor => editor === this.#editor);
  }

  /** Read once until they change: the caret moves more often. */
  #settingsOf(uri: vscode.Uri): ContextSettings {
    const key = vscode.workspace.getWorkspaceFolder(uri)?.uri.toString() ?? '';
    let known = this.#settings.get(key);
    if (known === undefined) {
      const seen = vscode.workspace.getConfiguration('handrail', uri).inspect<unknown>('context.deny') ?? {};
      known = { attach: readSetting('context.attach', uri, this.#logger), deny: new DenyList(globsOf(seen)) };
      this.#settings.set(key, known);
    }
    return known;
  }

  /** The same for the file that is in front, until another one is. */
  #deniesShown(uri: vscode.Uri): boolean {
    const key = uri.toString();
    if (this.#judged?.uri !== key) this.#judged = { uri: key, denied: this.denies(uri) };
    return this.#judged.denied;
  }

  #offerOf({ document, selection }: vscode.TextEditor): Offer | undefined {
    const { attach } = this.#settingsOf(document.uri);
    if (attach === 'off' || !isWritten(document) || this.#deniesShown(document.uri)) return undefined;
    const id = `editor-${++this.#count}`;
    const place = `${document.uri.toString()}#${document.version}`;
    if (!selection.isEmpty) {
      const range = new vscode.Range(selection.start, selection.end);
      const { start, end } = range;
      const where = [start.line, start.character, end.line, end.character].join(':');
      return { id, place: `${place}#${where}`, piece: cwd => selectionPiece(document, range, cwd) };
    }
    return attach === 'file'
      ? { id, place: document.uri.toString(), piece: cwd => filePiece(document, cwd) }
      : undefined;
  }

  #show(offer: Offer | undefined): void {
    this.#current = offer;
    if (offer !== undefined) this.#offers = [...this.#offers, offer].slice(-remembered);
    this.#changes.fire(undefined);
  }
}
