import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { Deferred } from '../../base/deferred.ts';
import type { Logger } from '../../base/logger.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import { agentChanges } from '../../session/rewind/agentChanges.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { RewindPoint } from '../../session/store/rewindPoints.ts';
import type { SessionFiles } from '../../session/store/sessionFiles.ts';
import { SessionStore } from '../../session/store/sessionStore.ts';
import type { Chat } from '../chat/chat.ts';
import { contentAgain } from '../chat/promptContent.ts';
import { errorText } from '../errorText.ts';
import { inBackground } from '../inBackground.ts';
import { recordIdOf, rowOf } from './chatRewind.ts';
import type { RewindMode } from './rewindDialog.ts';
import { pickDetails, pickMode, pickPoint, promptLine, saveUnsaved, unsavedPaths } from './rewindDialog.ts';
import type { DiffEntry, RewindDocuments } from './rewindDocuments.ts';
import type { RewindFolder } from './rewindFolder.ts';
import type { RewindPreview } from './rewindPreview.ts';
import { errorWords, nameList } from './rewindWords.ts';
import type { RewindRecord } from './safekeeping.ts';

export interface RewindCommandsOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly documents: RewindDocuments;
  readonly activeChat: () => Chat;
  readonly files: SessionFiles;
  /** Something happened to the files of a session: the agent is to be told. */
  readonly touched: (sessionId: string) => void;
  readonly logger: Logger;
}

interface Place {
  readonly chat: Chat;
  readonly session: AgentSession;
  readonly sessionId: string;
  readonly folder: RewindFolder;
}

/** Rewinding as a person meets it: pick, preview, choose, and the way back. */
export class RewindCommands {
  readonly #options: RewindCommandsOptions;
  readonly #store: SessionStore;

  constructor(options: RewindCommandsOptions) {
    this.#options = options;
    this.#store = new SessionStore(options.files);
  }

  /** From the palette, or for one file. */
  async rewindFiles(file?: string): Promise<void> {
    await this.#orSay(async () => {
      const place = await this.#place(this.#options.activeChat());
      if (place === undefined) return;
      const points = await this.#points(place.sessionId);
      const { cwd: folder, transcript } = place.chat;
      const changes = agentChanges(transcript);
      const point = await pickPoint({ points, changes, folder, ...(file === undefined ? {} : { file }) });
      if (point !== undefined) await this.#rewind(place, point);
    });
  }

  /** From a message of the conversation. */
  async rewindTo(chat: Chat, promptId: string): Promise<void> {
    await this.#orSay(async () => {
      const place = await this.#place(chat);
      if (place === undefined) return;
      const point = (await this.#points(place.sessionId)).find(one => one.uuid === promptId);
      if (point === undefined) throw new RewindError('unknownPoint', `No line of its own: ${promptId}`);
      await this.#rewind(place, point);
    });
  }

  /** From the palette: the newest rewind of the folder, or one of several. */
  async undoRewind(): Promise<void> {
    await this.#orSay(async () => {
      const chat = this.#options.activeChat();
      const records = (await this.#options.folderOf(chat).safe.list()).filter(record => record.done && !record.undone);
      const record = records.length > 1 ? await pickRecord(records) : records[0];
      if (records.length === 0) throw new RewindError('nothingSaved', 'No record.');
      if (record !== undefined) await this.#undo(chat, record);
    });
  }

  /** From a row of the conversation. */
  async undoRow(chat: Chat, rowId: string): Promise<void> {
    await this.#orSay(async () => {
      const record = await this.#options.folderOf(chat).safe.find(recordIdOf(rowId));
      if (record === undefined || record.undone) throw new RewindError('nothingSaved', rowId);
      await this.#undo(chat, record);
    });
  }

  async #rewind(place: Place, point: RewindPoint): Promise<void> {
    const title = vscode.l10n.t('Rewind to “{0}”', promptLine(point.text, 40));
    let preview = await this.#look(place, point);
    if (!(await saveUnsaved(preview))) return;
    if (preview.files.some(file => file.unsaved)) preview = await this.#look(place, point);
    const entries = preview.files.map(entryOf);
    if (entries.length > 0) await this.#options.documents.show(title, entries);
    try {
      const mode = await pickMode(preview, title);
      if (mode === undefined) return;
      const details =
        mode === 'conversation' ? { restore: [], keep: new Set<string>() } : await pickDetails(preview, place.chat.cwd);
      if (details === undefined) return;
      await this.#carryOut(place, point, preview, { mode, ...details });
    } finally {
      await this.#options.documents.close(title);
    }
  }

  async #carryOut(
    place: Place,
    point: RewindPoint,
    preview: RewindPreview,
    choice: {
      readonly mode: RewindMode;
      readonly restore: RewindPreview['leftovers'];
      readonly keep: ReadonlySet<string>;
    },
  ): Promise<void> {
    const { mode, restore, keep } = choice;
    const { chat, session, sessionId, folder } = place;
    if (mode === 'conversation') {
      await goBackInConversation(chat, sessionId, point);
      return;
    }
    const conversation = mode === 'both';
    const done = await withProgress(vscode.l10n.t('Taking the files back'), () =>
      folder.rewinder.rewind(preview, session, { restore, keep, promptText: point.text, conversation }),
    );
    this.#options.touched(sessionId);
    if (conversation) await goBackInConversation(chat, sessionId, point);
    chat.transcript.note(rowOf(done.record));
    if (done.differing.length > 0) {
      const names = nameList(done.differing, vscode.l10n.t);
      void vscode.window.showWarningMessage(vscode.l10n.t('These files did not go back as shown: {0}', names));
    }
    inBackground(this.#offerUndo(chat, done.record), this.#options.logger);
  }

  async #offerUndo(chat: Chat, record: RewindRecord): Promise<void> {
    const count = record.files.length;
    const undo = vscode.l10n.t('Undo');
    const text = count === 1 ? vscode.l10n.t('1 file taken back') : vscode.l10n.t('{0} files taken back', count);
    if ((await vscode.window.showInformationMessage(text, undo)) === undo) await this.undoRow(chat, record.id);
  }

  async #undo(chat: Chat, record: RewindRecord): Promise<void> {
    const folder = this.#options.folderOf(chat);
    const changed = await folder.safe.changedSince(record);
    if (changed.length > 0 && !(await confirmOverwrite(changed))) return;
    const done = await withProgress(vscode.l10n.t('Bringing the files back'), () => folder.rewinder.undo(record));
    // An undo of something that the agent has not heard of is nothing to tell.
    if (!record.told) await folder.safe.update(done, { told: true });
    this.#options.touched(record.sessionId);
    const row = rowOf({ ...record, undone: true });
    if (chat.transcript.find(row.id) !== undefined) chat.transcript.note(row);
    chat.transcript.note(rowOf(done));
    if (record.conversation) inBackground(offerOldConversation(chat, record.sessionId), this.#options.logger);
  }

  async #look({ chat, session, sessionId, folder }: Place, point: RewindPoint): Promise<RewindPreview> {
    return withProgress(vscode.l10n.t('Looking at what a rewind would change'), () =>
      folder.rewinder.look({
        sessionId,
        promptId: point.uuid,
        agent: session,
        changes: agentChanges(chat.transcript),
        unsaved: unsavedPaths(),
      }),
    );
  }

  /** The chat with its process: one that died is started again. `undefined`: the person would rather wait. */
  async #place(chat: Chat): Promise<Place | undefined> {
    if (chat.state?.type === 'working' || chat.state?.type === 'awaitingPermission') {
      if (!(await confirmStop())) return undefined;
      await stopTurn(chat);
    }
    const { sessionId } = chat;
    if (sessionId === undefined) throw new RewindError('noSession', 'No session.');
    const session = await chat.ensureSession(true);
    if (session === undefined) throw new RewindError('noSession', 'The agent could not be started.');
    return { chat, session, sessionId, folder: this.#options.folderOf(chat) };
  }

  async #points(sessionId: string): Promise<readonly RewindPoint[]> {
    const found = await this.#store.find(sessionId);
    return found === undefined ? [] : this.#store.rewindPoints({ project: found.project, sessionId });
  }

  async #orSay(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      this.#options.logger.warn('A rewind was not carried out', error);
      const words = error instanceof RewindError ? errorWords(error, vscode.l10n.t) : errorText(error);
      void vscode.window.showErrorMessage(words);
    }
  }
}

function entryOf(file: RewindPreview['files'][number]): DiffEntry {
  const { path, change, backup } = file;
  return {
    path,
    before: change === 'create' ? { kind: 'none' } : { kind: 'file' },
    after: backup === undefined ? { kind: 'none' } : { kind: 'text', read: () => readFile(backup, 'utf8') },
  };
}

/** A branch from before the prompt, which goes back into the composer. Before the first prompt there is nothing to keep. */
async function goBackInConversation(chat: Chat, sessionId: string, point: RewindPoint): Promise<void> {
  const said = chat.transcript.find(point.uuid);
  const content = said?.kind === 'prompt' ? contentAgain(said.text, said.attachments) : point.text;
  const target = point.cutAt === undefined ? undefined : { sessionId, fork: true, at: point.cutAt };
  const here = target === undefined ? await chat.newSession() : await chat.openSession(target);
  if (!here) return;
  chat.giveBack([content]);
  chat.focusComposer();
}

async function offerOldConversation(chat: Chat, sessionId: string): Promise<void> {
  const open = vscode.l10n.t('Open It');
  const text = vscode.l10n.t('The conversation from before the rewind is still there.');
  if ((await vscode.window.showInformationMessage(text, open)) === open) await chat.openSession({ sessionId });
}

async function confirmStop(): Promise<boolean> {
  const stop = vscode.l10n.t('Stop and Rewind');
  const text = vscode.l10n.t('The agent is working. Stop it to take the files back?');
  return (await vscode.window.showWarningMessage(text, { modal: true }, stop)) === stop;
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

async function pickRecord(records: readonly RewindRecord[]): Promise<RewindRecord | undefined> {
  const items = records.map(record => ({
    label: promptLine(record.promptText) || vscode.l10n.t('Rewind'),
    description: new Date(record.at).toLocaleString(),
    detail: nameList(
      record.files.map(file => file.path),
      vscode.l10n.t,
    ),
    record,
  }));
  return (await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Undo which rewind?') }))?.record;
}

async function stopTurn(chat: Chat): Promise<void> {
  const { session } = chat;
  if (session === undefined) return;
  const over = new Deferred<undefined>();
  const listener = session.onDidChangeState(state => {
    if (state.type === 'idle' || state.type === 'stopped') over.resolve(undefined);
  });
  const timer = systemClock.after(5_000, () => over.resolve(undefined));
  try {
    const { cancelled } = await session.interrupt({ cancelQueued: true });
    chat.giveBack(cancelled.map(prompt => prompt.content));
    if (session.state.type !== 'idle') await over.promise;
  } finally {
    listener.dispose();
    timer.dispose();
  }
  const { type } = session.state;
  if (type === 'working' || type === 'awaitingPermission') throw new RewindError('busy', 'The turn did not end.');
}

async function withProgress<T>(title: string, work: () => Promise<T>): Promise<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}
