import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { RewindPoint } from '../../session/store/rewindPoints.ts';
import type { SessionFiles } from '../../session/store/sessionFiles.ts';
import { SessionStore } from '../../session/store/sessionStore.ts';
import type { Chat } from '../chat/chat.ts';
import { contentAgain } from '../chat/promptContent.ts';
import { broughtToRest, mayEndBackground, requireRest } from './chatRest.ts';
import { rowOf } from './chatRewind.ts';
import type { Details, RewindMode } from './rewindDialog.ts';
import { pickDetails, pickMode, pickPoint, promptLine } from './rewindDialog.ts';
import type { DiffEntry, RewindDocuments } from './rewindDocuments.ts';
import type { RewindFolder } from './rewindFolder.ts';
import type { RewindFile, RewindPreview } from './rewindPreview.ts';
import { mostShown } from './rewindPreview.ts';
import { orSay, withProgress } from './rewindSay.ts';
import { nameList } from './rewindWords.ts';
import type { RewindRecord } from './safekeeping.ts';
import type { UndoCommands } from './undoCommands.ts';
import { askToSave, unsavedPaths } from './unsavedFiles.ts';
import { noticeText } from '../noticeText.ts';

export interface RewindCommandsOptions {
  readonly folderOf: (chat: Chat) => RewindFolder;
  readonly documents: RewindDocuments;
  readonly activeChat: () => Chat;
  /** What the agent's tools changed in the conversation of a chat. */
  readonly changesOf: (chat: Chat) => readonly AgentChange[];
  readonly files: SessionFiles;
  readonly undo: UndoCommands;
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

interface Choice extends Details {
  readonly mode: RewindMode;
}

/** Rewinding as a person meets it: pick, preview, choose. */
export class RewindCommands {
  readonly #options: RewindCommandsOptions;
  readonly #store: SessionStore;

  constructor(options: RewindCommandsOptions) {
    this.#options = options;
    this.#store = new SessionStore(options.files);
  }

  /** From the palette, or for one file. */
  async rewindFiles(file?: string): Promise<void> {
    await orSay(this.#options.logger, async () => {
      const place = await this.#place(this.#options.activeChat());
      if (place === undefined) return;
      const points = await this.#points(place.sessionId);
      const { cwd: folder } = place.chat;
      const changes = this.#options.changesOf(place.chat);
      const point = await pickPoint({ points, changes, folder, ...(file === undefined ? {} : { file }) });
      if (point !== undefined) await this.#rewind(place, point);
    });
  }

  /** From a message of the conversation. */
  async rewindTo(chat: Chat, promptId: string): Promise<void> {
    await orSay(this.#options.logger, async () => {
      const place = await this.#place(chat);
      if (place === undefined) return;
      const point = (await this.#points(place.sessionId)).find(one => one.uuid === promptId);
      if (point === undefined) throw new RewindError('unknownPoint', `No line of its own: ${promptId}`);
      await this.#rewind(place, point);
    });
  }

  async #rewind(place: Place, point: RewindPoint): Promise<void> {
    const title = vscode.l10n.t('Rewind to “{0}”', promptLine(point.text, 40));
    try {
      const preview = await this.#preview(place, point, title);
      if (preview === undefined) return;
      const mode = await pickMode(preview, title);
      if (mode === undefined) return;
      const details =
        mode === 'conversation' ? { restore: [], keep: new Set<string>() } : await pickDetails(preview, place.chat.cwd);
      if (details === undefined) return;
      const none = details.restore.length === 0 && preview.files.every(file => details.keep.has(file.path));
      if (none && mode === 'files') {
        void vscode.window.showInformationMessage(
          vscode.l10n.t('No file was chosen to go back, so nothing has changed.'),
        );
        return;
      }
      await this.#carryOut(place, point, preview, { ...details, mode: none ? 'conversation' : mode });
    } finally {
      await this.#options.documents.close(title);
    }
  }

  /** Files with unsaved changes are saved first, and then everything is looked at again. `undefined`: not now. */
  async #preview(place: Place, point: RewindPoint, title: string): Promise<RewindPreview | undefined> {
    const preview = await this.#look(place, point, title);
    const unsaved = preview.files.filter(file => file.unsaved).map(file => file.path);
    if (unsaved.length === 0) return preview;
    const saved = await askToSave(unsaved, vscode.l10n.t('Save and Rewind'));
    return saved ? this.#look(place, point, title) : undefined;
  }

  async #look({ chat, session, sessionId, folder }: Place, point: RewindPoint, title: string): Promise<RewindPreview> {
    return withProgress(vscode.l10n.t('Looking at what a rewind would change'), tell =>
      folder.rewinder.look({
        sessionId,
        promptId: point.uuid,
        agent: session,
        changes: this.#options.changesOf(chat),
        unsaved: unsavedPaths(),
        found: async files => {
          const readable = files.filter(file => !file.modeOnly);
          if (readable.length === 0 || files.some(file => file.unsaved)) return;
          const entries = readable.slice(0, mostShown).map(entryOf);
          tell(vscode.l10n.t('showing {0} of {1} files', entries.length, readable.length));
          await this.#options.documents.show(title, entries);
        },
      }),
    );
  }

  async #carryOut(place: Place, point: RewindPoint, preview: RewindPreview, choice: Choice): Promise<void> {
    const { mode, restore, keep } = choice;
    const { chat, sessionId, folder } = place;
    const { undo, touched, logger } = this.#options;
    if (mode !== 'files' && !(await mayEndBackground(chat))) return;
    if (mode === 'conversation') {
      requireRest(chat);
      await goBackInConversation(chat, sessionId, point);
      return;
    }
    const done = await withProgress(vscode.l10n.t('Taking the files back'), () =>
      folder.alone(async () => {
        // While the person chose, a turn may have begun, another conversation been opened, or the process been put to rest.
        requireRest(chat);
        if (chat.sessionId !== sessionId) throw new RewindError('moved', 'The chat shows another session.');
        const session = await sessionOf(chat);
        return folder.rewinder.rewind(preview, session, { restore, keep, promptText: point.text });
      }),
    );
    touched(sessionId);
    try {
      if (mode === 'both') await goBackWith(done.record, { chat, folder, sessionId, point });
    } finally {
      chat.transcript.note(rowOf(done.record));
      tellDifferences(done.differing);
      void orSay(logger, () => undo.offer(folder, done.record));
    }
  }

  /** The chat with its process: one that died is started again. `undefined`: the person would rather wait. */
  async #place(chat: Chat): Promise<Place | undefined> {
    if (!(await broughtToRest(chat))) return undefined;
    const { sessionId } = chat;
    if (sessionId === undefined) throw new RewindError('noSession', 'No session.');
    return { chat, session: await sessionOf(chat), sessionId, folder: this.#options.folderOf(chat) };
  }

  async #points(sessionId: string): Promise<readonly RewindPoint[]> {
    const found = await this.#store.find(sessionId);
    return found === undefined ? [] : this.#store.rewindPoints({ project: found.project, sessionId });
  }
}

function tellDifferences(paths: readonly string[]): void {
  if (paths.length === 0) return;
  const names = noticeText(nameList(paths, vscode.l10n.t));
  void vscode.window.showWarningMessage(vscode.l10n.t('These files did not go back as shown: {0}', names));
}

async function sessionOf(chat: Chat): Promise<AgentSession> {
  const session = await chat.ensureSession(true);
  if (session === undefined) throw new RewindError('noSession', 'The agent could not be started.');
  return session;
}

function entryOf({ path, change, backup }: RewindFile): DiffEntry {
  return {
    path,
    before: change === 'create' ? { kind: 'none' } : { kind: 'file' },
    after: backup === undefined ? { kind: 'none' } : { kind: 'bytes', read: () => readFile(backup.path) },
  };
}

/** The conversation follows its files. Where it stays after all, its agent is told of the files as after “Files only”. */
async function goBackWith(
  record: RewindRecord,
  { chat, folder, sessionId, point }: Omit<Place, 'session'> & { readonly point: RewindPoint },
): Promise<void> {
  if (await goBackInConversation(chat, sessionId, point)) {
    await folder.safe.update(record, { conversation: true });
    return;
  }
  void vscode.window.showWarningMessage(
    vscode.l10n.t('The files went back and the conversation did not. The agent is told with your next message.'),
  );
}

/**
 * A branch from before the prompt, which goes back into the composer. Before the first prompt there is nothing to keep.
 * False: the conversation stays.
 */
async function goBackInConversation(chat: Chat, sessionId: string, point: RewindPoint): Promise<boolean> {
  const said = chat.transcript.find(point.uuid);
  const content = said?.kind === 'prompt' ? contentAgain(said.text, said.attachments) : point.text;
  const target = point.cutAt === undefined ? undefined : { sessionId, fork: true, at: point.cutAt };
  // The person has agreed to that, and is not asked again.
  if (chat.isBusy) await chat.rest();
  const here = target === undefined ? await chat.newSession() : await chat.openSession(target);
  if (!here) return false;
  chat.composer.giveBack([content]);
  chat.composer.focus();
  return true;
}
