import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { Chat } from '../chat/chat.ts';
import { broughtToRest, requireRest } from './chatRest.ts';
import { recordIdOf, rowOf } from './chatRewind.ts';
import { promptLine } from './rewindDialog.ts';
import type { RewindFolder } from './rewindFolder.ts';
import { orSay, withProgress } from './rewindSay.ts';
import { nameList } from './rewindWords.ts';
import type { RewindRecord } from './safekeeping.ts';
import { saveFiles, unsavedPaths } from './unsavedFiles.ts';

export interface UndoCommandsOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly activeChat: () => Chat;
  /** All chats of the window. */
  readonly chats: () => readonly Chat[];
  /** Something happened to the files of a session: the agent is to be told. */
  readonly touched: (sessionId: string) => void;
  readonly logger: Logger;
}

/** The way back from a rewind, as a person meets it. */
export class UndoCommands {
  readonly #options: UndoCommandsOptions;
  /** Rewinds whose notification may still be there. */
  readonly #offered = new Set<string>();

  constructor(options: UndoCommandsOptions) {
    this.#options = options;
  }

  /** From the palette: the newest rewind of the folder, or one of several. */
  async undoRewind(): Promise<void> {
    await orSay(this.#options.logger, async () => {
      const { activeChat, folderOf } = this.#options;
      const folder = folderOf(activeChat());
      const records = (await folder.safe.list()).filter(record => !record.undone);
      if (records.length === 0) throw new RewindError('nothingSaved', 'No record.');
      const record = records.length > 1 ? await pickRecord(records) : records[0];
      if (record !== undefined) await this.#undo(folder, record);
    });
  }

  /** From a row of the conversation. */
  async undoRow(chat: Chat, rowId: string): Promise<void> {
    await orSay(this.#options.logger, () => this.#undoById(this.#options.folderOf(chat), recordIdOf(rowId)));
  }

  /** Right after a rewind. */
  async offer(folder: RewindFolder, record: RewindRecord): Promise<void> {
    const undo = vscode.l10n.t('Undo');
    this.#offered.add(record.id);
    const answer = await vscode.window.showInformationMessage(takenBackWords(record.files.length), undo);
    this.#offered.delete(record.id);
    if (answer === undo) await this.#undoById(folder, record.id);
  }

  /** A rewind from before `since` that never came to its end: the window died in the middle of it. */
  async offerCutOff(folder: RewindFolder, since: number): Promise<void> {
    await orSay(this.#options.logger, async () => {
      const cutOff = (await folder.safe.list()).filter(({ done, undone, at }) => !done && !undone && at < since);
      for (const record of cutOff) {
        const [undo, keep] = [vscode.l10n.t('Undo Rewind'), vscode.l10n.t('Keep Files')];
        const text = vscode.l10n.t(
          'A rewind was cut off: some of these files may have gone back and others not: {0}',
          namesOf(record),
        );
        const answer = await vscode.window.showWarningMessage(text, undo, keep);
        if (answer === undo) await this.#undo(folder, record);
        else if (answer === keep) await folder.safe.finish(record);
      }
    });
  }

  async #undoById(folder: RewindFolder, id: string): Promise<void> {
    const record = await folder.safe.find(id);
    if (record === undefined) throw new RewindError('nothingSaved', id);
    if (record.undone) throw new RewindError('undone', id);
    await this.#undo(folder, record);
  }

  async #undo(folder: RewindFolder, record: RewindRecord): Promise<void> {
    const { touched, logger, activeChat } = this.#options;
    const shownIn = this.#chatsWith(record);
    for (const chat of shownIn) if (!(await broughtToRest(chat))) return;
    if (!(await mayOverwrite(folder, record))) return;
    // A branch that went on from the rewound files is the one that has to hear of it.
    const branch = record.conversation
      ? shownIn.find(chat => chat.sessionId !== record.sessionId)?.sessionId
      : undefined;
    const done = await withProgress(vscode.l10n.t('Bringing the files back'), () =>
      folder.alone(async () => {
        for (const chat of shownIn) requireRest(chat);
        return folder.rewinder.undo(record, branch);
      }),
    );
    // An undo of something that the agent has not heard of is nothing to tell.
    if (!record.told && branch === undefined) await folder.safe.update(done, { told: true });
    touched(done.sessionId);
    for (const chat of shownIn) {
      const row = rowOf({ ...record, undone: true });
      if (chat.transcript.find(row.id) !== undefined) chat.transcript.note(row);
      chat.transcript.note(rowOf(done));
    }
    // The notification with the button for what has just been done goes out of sight, unless a question would go with it.
    const asked = this.#options.chats().some(chat => chat.state?.type === 'awaitingPermission');
    if (!asked && this.#offered.has(record.id)) await vscode.commands.executeCommand('notifications.hideToasts');
    void orSay(logger, () => tellUndone(shownIn[0] ?? activeChat(), record));
  }

  /** Chats that show the rewind or its session: a branch shows it too. */
  #chatsWith(record: RewindRecord): readonly Chat[] {
    const { id } = rowOf(record);
    return this.#options
      .chats()
      .filter(chat => chat.sessionId === record.sessionId || chat.transcript.find(id) !== undefined);
  }
}

function takenBackWords(count: number): string {
  return count === 1 ? vscode.l10n.t('1 file taken back') : vscode.l10n.t('{0} files taken back', count);
}

async function tellUndone(chat: Chat, { files, conversation, sessionId }: RewindRecord): Promise<void> {
  const text =
    files.length === 1
      ? vscode.l10n.t('Undone: 1 file is as it was before')
      : vscode.l10n.t('Undone: {0} files are as they were before', files.length);
  if (!conversation) {
    void vscode.window.showInformationMessage(text);
    return;
  }
  const open = vscode.l10n.t('Open Conversation');
  const both = vscode.l10n.t('{0}. The conversation from before the rewind is still there.', text);
  if ((await vscode.window.showInformationMessage(both, open)) === open) await chat.openSession({ sessionId });
}

/** Whether what somebody wrote after the rewind may be overwritten; what is not saved yet is saved, to be kept as well. */
async function mayOverwrite(folder: RewindFolder, record: RewindRecord): Promise<boolean> {
  const open = unsavedPaths();
  const unsaved = record.files.map(file => file.path).filter(path => open.has(path));
  const changed = [...new Set([...(await folder.safe.changedSince(record)), ...unsaved])];
  if (changed.length === 0) return true;
  const undo = unsaved.length === 0 ? vscode.l10n.t('Overwrite and Undo') : vscode.l10n.t('Save, Overwrite and Undo');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('These files were changed after the rewind: {0}', nameList(changed, vscode.l10n.t)),
    {
      modal: true,
      detail: vscode.l10n.t('They are overwritten. Their present state is kept, and Undo brings it back.'),
    },
    undo,
  );
  return answer === undo && (await saveFiles(unsaved));
}

function namesOf(record: RewindRecord): string {
  return nameList(
    record.files.map(file => file.path),
    vscode.l10n.t,
  );
}

async function pickRecord(records: readonly RewindRecord[]): Promise<RewindRecord | undefined> {
  const items = records.map(record => ({
    label: labelOf(record),
    description: new Date(record.at).toLocaleString(),
    detail: namesOf(record),
    record,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Undo which rewind?') }))?.record;
}

function labelOf({ kind, promptText, done }: RewindRecord): string {
  const words = promptLine(promptText);
  const label = {
    rewind: vscode.l10n.t('Rewind to “{0}”', words),
    undo: vscode.l10n.t('Undo of the rewind to “{0}”', words),
    revert: words,
  }[kind];
  return done ? label : vscode.l10n.t('{0} (cut off)', label);
}
