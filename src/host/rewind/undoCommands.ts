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

export interface UndoCommandsOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly activeChat: () => Chat;
  /** The chat that shows a session, if one does. */
  readonly chatOf: (sessionId: string) => Chat | undefined;
  /** Something happened to the files of a session: the agent is to be told. */
  readonly touched: (sessionId: string) => void;
  readonly logger: Logger;
}

/** The way back from a rewind, as a person meets it. */
export class UndoCommands {
  readonly #options: UndoCommandsOptions;

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
    await orSay(this.#options.logger, async () => {
      const folder = this.#options.folderOf(chat);
      const record = await folder.safe.find(recordIdOf(rowId));
      if (record === undefined || record.undone) throw new RewindError('nothingSaved', rowId);
      await this.#undo(folder, record);
    });
  }

  /** Right after a rewind. */
  async offer(chat: Chat, record: RewindRecord): Promise<void> {
    const count = record.files.length;
    const undo = vscode.l10n.t('Undo');
    const text = count === 1 ? vscode.l10n.t('1 file taken back') : vscode.l10n.t('{0} files taken back', count);
    if ((await vscode.window.showInformationMessage(text, undo)) === undo) await this.undoRow(chat, record.id);
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

  async #undo(folder: RewindFolder, record: RewindRecord): Promise<void> {
    const { chatOf, activeChat, touched, logger } = this.#options;
    const chat = chatOf(record.sessionId) ?? activeChat();
    if (!(await broughtToRest(chat))) return;
    const changed = await folder.safe.changedSince(record);
    if (changed.length > 0 && !(await confirmOverwrite(changed))) return;
    const done = await withProgress(vscode.l10n.t('Bringing the files back'), () =>
      folder.alone(async () => {
        requireRest(chat);
        return folder.rewinder.undo(record);
      }),
    );
    // An undo of something that the agent has not heard of is nothing to tell.
    if (!record.told) await folder.safe.update(done, { told: true });
    touched(record.sessionId);
    const row = rowOf({ ...record, undone: true });
    if (chat.transcript.find(row.id) !== undefined) chat.transcript.note(row);
    chat.transcript.note(rowOf(done));
    if (record.conversation) void orSay(logger, () => offerOldConversation(chat, record.sessionId));
  }
}

async function offerOldConversation(chat: Chat, sessionId: string): Promise<void> {
  const open = vscode.l10n.t('Open It');
  const text = vscode.l10n.t('The conversation from before the rewind is still there.');
  if ((await vscode.window.showInformationMessage(text, open)) === open) await chat.openSession({ sessionId });
}

async function confirmOverwrite(paths: readonly string[]): Promise<boolean> {
  const undo = vscode.l10n.t('Undo Rewind');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('These files were changed after the rewind: {0}', nameList(paths, vscode.l10n.t)),
    { modal: true, detail: vscode.l10n.t('They are overwritten; their present state is saved first.') },
    undo,
  );
  return answer === undo;
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
