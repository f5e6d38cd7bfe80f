import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { HookRegistry } from '../../session/hooks.ts';
import { agentChanges } from '../../session/rewind/agentChanges.ts';
import type { NoticeItem } from '../../session/transcriptModel.ts';
import type { Chat } from '../chat/chat.ts';
import type { Chats } from '../chat/chats.ts';
import { DiskSessionFiles } from '../disk/sessionFiles.ts';
import { resolvePath } from '../paths.ts';
import { ChangedFiles } from './changedFiles.ts';
import type { ChatRewind } from './chatRewind.ts';
import { rowOf } from './chatRewind.ts';
import { FileHistory } from './fileHistory.ts';
import type { PendingState } from './promptStates.ts';
import { RewindCommands } from './rewindCommands.ts';
import { RewindDocuments } from './rewindDocuments.ts';
import { RewindFolder } from './rewindFolder.ts';
import { RewindNotes } from './rewindNotes.ts';
import { TurnReview } from './turnReview.ts';
import { UndoCommands } from './undoCommands.ts';

export interface RewindsOptions {
  readonly chats: Chats;
  /** What commands without a target mean. */
  readonly activeChat: () => Chat;
  readonly storage: string;
  readonly configFolder: () => string;
  readonly hooks: HookRegistry;
  readonly logger: Logger;
}

/** Rewinds of the whole window: the states before prompts, the commands, the rows, and what the agent is told. */
export class Rewinds implements Disposable, ChatRewind<Chat> {
  readonly commands: RewindCommands;
  readonly undoing: UndoCommands;
  readonly review: TurnReview;
  readonly #options: RewindsOptions;
  readonly #owned = new DisposableStore();
  readonly #documents: RewindDocuments;
  readonly #folders = new Map<string, RewindFolder>();
  readonly #notes = new RewindNotes();
  readonly #since = Date.now();

  constructor(options: RewindsOptions) {
    this.#options = options;
    const { logger, chats, activeChat } = options;
    this.#documents = this.#owned.add(new RewindDocuments(logger));
    const files = new DiskSessionFiles(options.configFolder());
    const history = new FileHistory(files, options.configFolder());
    const changesOf = (chat: Chat) =>
      agentChanges(chat.transcript).filter(({ path }) => !history.isOwn(resolvePath(path, chat.cwd)));
    const shared = {
      folderOf: (chat: Chat) => this.#folder(chat.cwd),
      documents: this.#documents,
      activeChat,
      changesOf,
      touched: (sessionId: string) => this.#notes.touched(sessionId),
      logger,
    };
    this.undoing = new UndoCommands({ ...shared, chats: () => chats.all });
    this.commands = new RewindCommands({ ...shared, files, undo: this.undoing });
    this.review = new TurnReview({ ...shared, history });
    this.#owned.add(new ChangedFiles(chats, changesOf)).start();
    // Announced with the start of a session, hence registered before any.
    this.#owned.add(
      options.hooks.register({ event: 'UserPromptSubmit', callback: input => this.#tell(input.session_id) }),
    );
  }

  start(): void {
    this.#documents.start();
  }

  before(folder: string): Promise<PendingState> {
    return this.#folder(folder).before();
  }

  sent(chat: Chat, promptId: string, state: PendingState | undefined): void {
    const { states } = this.#folder(chat.cwd);
    if (state !== undefined) {
      void states.keep(promptId, state);
      return;
    }
    const watch = new DisposableStore();
    watch.add(
      chat.transcript.onDidChange(change => {
        if (change.type !== 'updated' && change.type !== 'added') return;
        const { item } = change;
        if (item.id !== promptId || item.kind !== 'prompt' || item.state === 'queued') return;
        if (item.state === 'started') void states.keep(promptId, states.late());
        watch.dispose();
      }),
    );
  }

  async rows(folder: string, sessionId: string): Promise<readonly NoticeItem[]> {
    const records = await this.#folder(folder).safe.list();
    return records
      .filter(record => record.sessionId === sessionId && record.done)
      .map(rowOf)
      .reverse();
  }

  rewindTo(chat: Chat, promptId: string): Promise<void> {
    return this.commands.rewindTo(chat, promptId);
  }

  undo(chat: Chat, rowId: string): Promise<void> {
    return this.undoing.undoRow(chat, rowId);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #tell(sessionId: string | undefined) {
    const chat = sessionId === undefined ? undefined : this.#chatOf(sessionId);
    if (chat === undefined || sessionId === undefined) return {};
    return this.#notes.take(sessionId, this.#folder(chat.cwd).safe);
  }

  #chatOf(sessionId: string): Chat | undefined {
    return this.#options.chats.all.find(
      chat => chat.sessionId === sessionId || chat.session?.info.sessionId === sessionId,
    );
  }

  #folder(cwd: string): RewindFolder {
    const known = this.#folders.get(cwd);
    if (known !== undefined) return known;
    const { configFolder, storage, logger } = this.#options;
    const config = configFolder();
    const history = new FileHistory(new DiskSessionFiles(config), config);
    const made = new RewindFolder(cwd, join(storage, 'rewind'), history, logger);
    this.#folders.set(cwd, made);
    made.states.tidy().catch((error: unknown) => logger.warn('Old states of the folder could not be removed', error));
    void this.undoing.offerCutOff(made, this.#since);
    return made;
  }
}

/** The file a command was called on, if it was called on one. */
export function fileOf(values: readonly unknown[]): string | undefined {
  const [first] = values;
  return first instanceof vscode.Uri && first.scheme === 'file' ? first.fsPath : undefined;
}
