import { relative } from 'node:path';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { Chat } from '../chat/chat.ts';
import { broughtToRest, requireRest } from './chatRest.ts';
import { rowOf } from './chatRewind.ts';
import { eachOf, presenceOf } from './disk.ts';
import type { EarlierFile } from './earlierFiles.ts';
import { EarlierFiles, unlikeBefore } from './earlierFiles.ts';
import type { FileHistory } from './fileHistory.ts';
import { promptLine, totalWords } from './rewindDialog.ts';
import type { DiffEntry, DiffSide, RewindDocuments } from './rewindDocuments.ts';
import type { RewindFolder } from './rewindFolder.ts';
import { mostShown } from './rewindPreview.ts';
import { orSay } from './rewindSay.ts';
import { askToSave, unsavedPaths } from './unsavedFiles.ts';
import { labelText, noticeText } from '../noticeText.ts';

export interface TurnReviewOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly documents: RewindDocuments;
  readonly activeChat: () => Chat;
  /** What the agent's tools changed in the conversation of a chat. */
  readonly changesOf: (chat: Chat) => readonly AgentChange[];
  readonly history: FileHistory;
  readonly touched: (sessionId: string) => void;
  readonly logger: Logger;
}

interface Stretch {
  readonly title: string;
  readonly changes: readonly AgentChange[];
  readonly promptId: string;
  /** The session that the chat showed when it was asked for. */
  readonly sessionId: string;
}

/** All files of a turn, or of the whole session, against the state before it, and the way back for single files. */
export class TurnReview {
  readonly #options: TurnReviewOptions;

  constructor(options: TurnReviewOptions) {
    this.#options = options;
  }

  async open(): Promise<void> {
    const { activeChat, changesOf, documents, logger } = this.#options;
    await orSay(logger, async () => {
      const chat = activeChat();
      const stretch = await pickStretch(chat, changesOf(chat));
      if (stretch === undefined) return;
      const files = await unlikeBefore(await this.#files(chat, stretch));
      if (files.length === 0) {
        sayNothingChanged();
        return;
      }
      const entries = await eachOf(files.slice(0, mostShown), async ({ path, before }): Promise<DiffEntry> => {
        const there = (await presenceOf(path)).kind === 'file';
        return { path, before: sideOf(before), after: there ? { kind: 'file' } : { kind: 'none' } };
      });
      await documents.show(stretch.title, entries);
      void orSay(logger, () => this.#offerRevert(chat, stretch, files));
    });
  }

  #files(chat: Chat, { changes, promptId, sessionId }: Stretch): Promise<readonly EarlierFile[]> {
    const { folderOf, history } = this.#options;
    return new EarlierFiles(chat.cwd, history, folderOf(chat).states).find({ sessionId, promptId, changes });
  }

  async #offerRevert(chat: Chat, stretch: Stretch, files: readonly EarlierFile[]): Promise<void> {
    const revert = vscode.l10n.t('Revert Files…');
    if (
      (await vscode.window.showInformationMessage(noticeText(reviewWords(stretch.title, files.length)), revert)) !==
      revert
    )
      return;
    const items = (await unlikeBefore(files.filter(file => file.before !== undefined))).map(file => ({
      label: labelText(relative(chat.cwd, file.path)),
      description: fateWords(file),
      file,
    }));
    if (items.length === 0) {
      sayNothingChanged();
      return;
    }
    const picked = await vscode.window.showQuickPick(items, {
      title: vscode.l10n.t('Which files go back to how they were before?'),
      canPickMany: true,
      ignoreFocusOut: true,
    });
    if (picked === undefined || picked.length === 0) return;
    const wanted = new Map(picked.map(({ file }) => [file.path, file.before ?? undefined]));
    await this.#revert(chat, stretch, wanted);
  }

  async #revert(chat: Chat, stretch: Stretch, wanted: ReadonlyMap<string, Buffer | undefined>): Promise<void> {
    const { folderOf, touched } = this.#options;
    const { title: promptText, promptId, sessionId } = stretch;
    requireSession(chat, sessionId);
    if (!(await broughtToRest(chat))) return;
    const open = unsavedPaths();
    const unsaved = [...wanted.keys()].filter(path => open.has(path));
    if (!(await askToSave(unsaved, vscode.l10n.t('Save and Revert')))) return;
    const folder = folderOf(chat);
    const record = await folder.alone(async () => {
      requireRest(chat);
      requireSession(chat, sessionId);
      return folder.rewinder.revert({ folder: chat.cwd, sessionId, promptId, promptText }, wanted);
    });
    touched(sessionId);
    chat.transcript.note(rowOf(record));
  }
}

/** A notification can be answered late: by then the chat may show another conversation. */
function requireSession(chat: Chat, sessionId: string): void {
  if ((chat.sessionId ?? '') !== sessionId) throw new RewindError('moved', 'The chat shows another session.');
}

function sayNothingChanged(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('All these files are as they were before.'));
}

function reviewWords(title: string, count: number): string {
  return count > mostShown ? vscode.l10n.t('{0}: the first {1} of {2} files', title, mostShown, count) : title;
}

function fateWords({ before, guessed }: EarlierFile): string {
  if (before === null) return vscode.l10n.t('was not there before, would be deleted');
  return guessed ? vscode.l10n.t('by its text; line ends and encoding as they are now') : '';
}

function sideOf(before: EarlierFile['before']): DiffSide {
  if (before === null) return { kind: 'none' };
  if (before === undefined) return { kind: 'text', text: vscode.l10n.t('The earlier content is not known.') };
  return { kind: 'bytes', read: () => Promise.resolve(before) };
}

/** The last turn that changed files, any earlier one, or everything. */
async function pickStretch(chat: Chat, changes: readonly AgentChange[]): Promise<Stretch | undefined> {
  const { sessionId } = chat;
  const turns = new Map<string, AgentChange[]>();
  for (const change of changes) {
    const promptId = change.promptId ?? '';
    const turn = turns.get(promptId);
    if (turn) turn.push(change);
    else turns.set(promptId, [change]);
  }
  const [first] = turns.keys();
  if (first === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The agent has changed no files in this conversation.'));
    return undefined;
  }
  // A branch is a session of its own from its first message on; before that nothing is kept for it.
  if (sessionId === undefined) throw new RewindError('noSession', 'A branch that has not begun.');
  const textOf = (promptId: string): string => {
    const item = chat.transcript.find(promptId);
    return item?.kind === 'prompt' ? promptLine(item.text) : vscode.l10n.t('Before the first message');
  };
  const items = [...turns].reverse().map(([promptId, made], index) => ({
    label: index === 0 ? vscode.l10n.t('Last turn') : textOf(promptId),
    description: index === 0 ? textOf(promptId) : '',
    detail: totalWords(made),
    stretch: { title: vscode.l10n.t('Review of “{0}”', textOf(promptId)), changes: made, promptId, sessionId },
  }));
  if (items.length === 1) return items[0]?.stretch;
  const whole = {
    label: vscode.l10n.t('Whole session'),
    description: '',
    detail: totalWords(changes),
    stretch: { title: vscode.l10n.t('Review of the whole session'), changes, promptId: first, sessionId },
  };
  const [last, ...earlier] = items;
  const shown = last === undefined ? [whole] : [last, whole, ...earlier];
  return (await vscode.window.showQuickPick(shown, { title: vscode.l10n.t('Review which changes?') }))?.stretch;
}
