import { unwatchFile, watchFile } from 'node:fs';
import * as nodePath from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { PlanComment } from '../../session/planAnswers.ts';
import { inBackground } from '../inBackground.ts';
import type { KeyboardPlace } from './keyboardPlace.ts';
import { PlanComments } from './planComments.ts';
import { PresentTexts } from './presentTexts.ts';
import { ProposalFiles } from './proposalFiles.ts';
import type { Appearance, ProposalStage, StagedText } from './proposalStage.ts';

export interface DiffSchemes {
  /** The right side: editable. Also in the `when` clauses of the manifest. */
  readonly proposal: string;
  /** The left side: the file as it is, read-only. */
  readonly present: string;
}

const ownSchemes: DiffSchemes = { proposal: 'handrail-proposal', present: 'handrail-present' };

/** How long after the last key the right side is put by: soon enough that no one is asked whether to save it. */
const saveAfter = 250;

/** How often a file whose proposal is open is looked at, whatever a watcher says. */
const lookEvery = 1_000;

interface OnStage {
  readonly text: StagedText;
  readonly left: vscode.Uri;
  readonly right: vscode.Uri;
}

/** Diffs of proposals in VS Code's own editors. */
export class DiffTabs implements ProposalStage, Disposable {
  readonly #owned = new DisposableStore();
  readonly #present = this.#owned.add(new PresentTexts());
  readonly #proposed = this.#owned.add(new ProposalFiles());
  readonly #edits = this.#owned.add(new Emitter<{ readonly id: string; readonly text: string }>());
  readonly #staged = new Map<string, OnStage>();
  /** Only a text on its own is commented on; a diff is changed right there. */
  readonly comments = this.#owned.add(
    new PlanComments(uri =>
      uri.scheme === this.#schemes.proposal && this.#staged.get(idOf(uri))?.text.left === undefined
        ? idOf(uri)
        : undefined,
    ),
  );
  readonly #keyboard: KeyboardPlace;
  readonly #logger: Logger;
  readonly #schemes: DiffSchemes;
  readonly #saves = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(keyboard: KeyboardPlace, logger: Logger, schemes = ownSchemes) {
    this.#keyboard = keyboard;
    this.#logger = logger;
    this.#schemes = schemes;
  }

  get onDidEdit(): Event<{ readonly id: string; readonly text: string }> {
    return this.#edits.event;
  }

  get onDidComment(): Event<string> {
    return this.comments.onDidChange;
  }

  commentsOn(id: string): readonly PlanComment[] {
    return this.comments.on(id);
  }

  start(): void {
    this.comments.start();
    const { workspace } = vscode;
    const { proposal, present } = this.#schemes;
    this.#owned.add(workspace.registerFileSystemProvider(proposal, this.#proposed, { isCaseSensitive: true }));
    this.#owned.add(workspace.registerTextDocumentContentProvider(present, this.#present));
    this.#owned.add(workspace.onDidChangeTextDocument(change => this.#changed(change.document)));
    // Left over from before a reload: their question is asked again, and their texts are gone.
    inBackground(
      this.#closeTabs(uri => uri.scheme === proposal),
      this.#logger,
    );
  }

  async show(text: StagedText, how: Appearance): Promise<void> {
    const staged = this.#put(text);
    const place = how === 'asked' ? this.#keyboard.placeWhenAsked() : this.#keyboard.quietPlace();
    const options = { preview: false, override: true, ...place };
    const covered = how === 'quietly' && place.background !== true ? vscode.window.activeTextEditor : undefined;
    const usedAt = this.#keyboard.editorUsedAt;
    if (text.left === undefined) await vscode.commands.executeCommand('vscode.open', staged.right, options);
    else await vscode.commands.executeCommand('vscode.diff', staged.left, staged.right, text.title, options);
    // Answered while VS Code was opening it.
    if (!this.#staged.has(text.id)) await this.#closeTabs(uri => sameUri(uri, staged.right));
    // Somebody began to type in the editor while the diff was on its way over it: they get it back.
    if (covered !== undefined && this.#keyboard.editorUsedAt !== usedAt) await this.#giveBack(covered);
  }

  async update(text: StagedText): Promise<void> {
    const staged = this.#staged.get(text.id);
    if (staged === undefined) return;
    const document = documentOf(staged.right);
    if (document?.isDirty === true) await this.#save(document);
    this.#put(text);
  }

  rightOf(id: string): string | undefined {
    const staged = this.#staged.get(id);
    if (staged === undefined) return undefined;
    return documentOf(staged.right)?.getText() ?? this.#proposed.textOf(staged.right);
  }

  /** The question whose proposal is in the active tab. */
  get activeId(): string | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    const uri = rightUriOf(input);
    return uri?.scheme === this.#schemes.proposal ? idOf(uri) : undefined;
  }

  async close(id: string): Promise<void> {
    const staged = this.#staged.get(id);
    if (staged === undefined) return;
    this.#staged.delete(id);
    await this.comments.close(id);
    const document = documentOf(staged.right);
    // What the editor holds was taken already; saved only so that closing asks nothing.
    if (document?.isDirty === true) await document.save();
    await this.#closeTabs(uri => sameUri(uri, staged.right));
    this.#proposed.remove(staged.right);
    this.#present.remove(staged.left);
  }

  watch(path: string, changed: () => void): Disposable {
    const owned = new DisposableStore();
    const folder = vscode.Uri.file(nodePath.dirname(path));
    const watcher = owned.add(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, globOf(nodePath.basename(path)))),
    );
    for (const event of [watcher.onDidChange, watcher.onDidCreate, watcher.onDidDelete]) owned.add(event(changed));
    // VS Code's watcher is quick, but only once it runs, and not on every disk.
    watchFile(path, { interval: lookEvery, persistent: false }, changed);
    owned.add(toDisposable(() => unwatchFile(path, changed)));
    let unsaved = this.hasUnsaved(path);
    const look = (document: vscode.TextDocument): void => {
      if (document.uri.scheme !== 'file' || document.uri.fsPath !== path || document.isDirty === unsaved) return;
      unsaved = document.isDirty;
      changed();
    };
    owned.add(vscode.workspace.onDidChangeTextDocument(({ document }) => look(document)));
    owned.add(vscode.workspace.onDidSaveTextDocument(look));
    return owned;
  }

  hasUnsaved(path: string): boolean {
    return vscode.workspace.textDocuments.some(
      document => document.uri.scheme === 'file' && document.uri.fsPath === path && document.isDirty,
    );
  }

  dispose(): void {
    for (const timer of this.#saves.values()) clearTimeout(timer);
    this.#owned.dispose();
  }

  async #giveBack({ document, viewColumn }: vscode.TextEditor): Promise<void> {
    if (document.isClosed || document.uri.scheme === this.#schemes.proposal) return;
    const place = viewColumn === undefined ? {} : { viewColumn };
    await vscode.window.showTextDocument(document, { ...place, preserveFocus: false, preview: false });
  }

  #put(text: StagedText): OnStage {
    // A path that reads well above the text; the query tells texts of one file apart.
    const path = `/${text.path.replaceAll('\\', '/').replace(/^\/+/, '')}`;
    const at = (scheme: string): vscode.Uri => vscode.Uri.from({ scheme, path, query: text.id });
    const known = this.#staged.get(text.id);
    const staged = { text, left: at(this.#schemes.present), right: at(this.#schemes.proposal) };
    this.#staged.set(text.id, staged);
    if (text.left !== undefined && known?.text.left !== text.left) this.#present.put(staged.left, text.left);
    if (this.rightOf(text.id) !== text.right) this.#proposed.put(staged.right, text.right);
    return staged;
  }

  #changed(document: vscode.TextDocument): void {
    if (document.uri.scheme !== this.#schemes.proposal) return;
    const id = idOf(document.uri);
    if (!this.#staged.has(id)) return;
    this.#edits.fire({ id, text: document.getText() });
    clearTimeout(this.#saves.get(id));
    if (!document.isDirty) return;
    const timer = setTimeout(() => {
      this.#saves.delete(id);
      this.#save(document).catch((error: unknown) => this.#logger.warn('A proposal could not be put by', error));
    }, saveAfter);
    this.#saves.set(id, timer);
  }

  /**
   * Puts the typed text by, so that closing the tab asks nothing and loses nothing. Without formatters and the like where
   * possible: they would change what the person typed.
   */
  async #save(document: vscode.TextDocument): Promise<void> {
    if (document.isClosed || !document.isDirty || !this.#staged.has(idOf(document.uri))) return;
    if (vscode.window.activeTextEditor?.document === document && isOnlyDirtyTab(document.uri)) {
      await vscode.commands.executeCommand('workbench.action.files.saveWithoutFormatting');
    } else await document.save();
  }

  async #closeTabs(isOurs: (right: vscode.Uri) => boolean): Promise<void> {
    const tabs = vscode.window.tabGroups.all
      .flatMap(group => group.tabs)
      .filter(tab => {
        const uri = rightUriOf(tab.input);
        return uri !== undefined && isOurs(uri);
      });
    if (tabs.length > 0) await vscode.window.tabGroups.close(tabs, true);
  }
}

function rightUriOf(input: unknown): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

/**
 * The command that saves without formatting is about whatever editor is in front when VS Code comes to it, which may be
 * another one by then: it is used only where it could save nothing else.
 */
function isOnlyDirtyTab(uri: vscode.Uri): boolean {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .every(tab => !tab.isDirty || rightUriOf(tab.input)?.toString() === uri.toString());
}

function idOf(uri: vscode.Uri): string {
  return uri.query;
}

function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(document => sameUri(document.uri, uri));
}

function sameUri(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

/** A file's name as a pattern that fits only it. */
function globOf(name: string): string {
  return name.replaceAll(/[[\]{}*?]/g, mark => `[${mark}]`);
}
