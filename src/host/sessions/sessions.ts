import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { isMissing } from '../../base/errorCode.ts';
import type { Logger } from '../../base/logger.ts';
import { SessionStore } from '../../session/store/sessionStore.ts';
import type { SessionState } from '../../session/sessionState.ts';
import type { Chat } from '../chat/chat.ts';
import type { Chats } from '../chat/chats.ts';
import { configFolder, DiskSessionFiles } from '../disk/sessionFiles.ts';
import { SessionTrash } from '../disk/sessionTrash.ts';
import { SummaryCache } from '../disk/summaryCache.ts';
import { IdleStopper } from '../processes/idleStopper.ts';
import { ProcessLedger } from '../processes/processLedger.ts';
import type { SettingsWatch } from '../settings.ts';
import { readSetting } from '../settings.ts';
import { showHistory } from './historyPicker.ts';
import { DraftBook } from './draftBook.ts';
import { JournalKeeper } from './journalKeeper.ts';
import { PastSessions } from './pastSessions.ts';
import { SessionActions } from './sessionActions.ts';
import { SessionClaims } from './sessionClaims.ts';
import type { RunningCommand, SessionHolder } from './sessionHolder.ts';
import { holderAmong, runningCommands } from './sessionHolder.ts';
import type { SessionTarget } from './sessionTarget.ts';
import { TurnJournal } from './turnJournal.ts';
import { listWorktrees } from './worktrees.ts';

export interface SessionsOptions {
  readonly chats: Chats;
  /** Our own folder on disk, for all windows. */
  readonly storage: string;
  /** The environment the agent gets: it decides where sessions lie. */
  readonly environment: () => Readonly<Record<string, string | undefined>>;
  /** Shows a session in a tab of its own. */
  readonly openTab: (target: SessionTarget, folder?: string) => void;
  readonly settings: SettingsWatch;
  readonly logger: Logger;
}

/** Everything about sessions that outlives a chat: history, what was interrupted, the processes and their rest. */
export class Sessions implements Disposable {
  readonly past: PastSessions;
  readonly drafts: DraftBook;
  readonly ledger: ProcessLedger;
  readonly #options: SessionsOptions;
  readonly #owned = new DisposableStore();
  readonly #journal: TurnJournal;
  readonly #claims: SessionClaims;
  readonly #actions: SessionActions;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const { storage, logger, chats } = options;
    const files = new DiskSessionFiles(this.configFolder());
    const store = new SessionStore(files);
    this.ledger = this.#owned.add(new ProcessLedger());
    this.#journal = new TurnJournal(join(storage, 'turns'), logger);
    this.#claims = this.#owned.add(new SessionClaims(join(storage, 'claims'), logger));
    this.drafts = new DraftBook(join(storage, 'drafts'), logger);
    this.past = new PastSessions(store, {
      cache: new SummaryCache(store, join(storage, 'summaries.json'), logger),
      journal: this.#journal,
      findHolder: sessionId => this.#findHolder(sessionId),
      logger,
    });
    this.#actions = new SessionActions({
      past: this.past,
      files,
      trash: new SessionTrash(files, join(storage, 'trash')),
      chatOf: sessionId => this.#chatOf(sessionId),
      openFork: (target, folder) => options.openTab(target, folder),
      folder: () => (chats.active ?? chats.all[0])?.cwd ?? '',
      logger,
    });
  }

  start(): void {
    const { chats, logger, settings } = this.#options;
    this.#claims.follow(chats, this.ledger);
    this.#owned.add(new JournalKeeper(chats, this.#journal)).start();
    this.#owned
      .add(
        new IdleStopper({
          sleepers: () => chats.all,
          onDidChange: chats.onDidChange,
          timeoutMinutes: settings.keep(() => readSetting('claude.idleTimeoutMinutes', undefined, logger)),
          logger,
        }),
      )
      .start();
  }

  configFolder(): string {
    return configFolder(this.#options.environment());
  }

  /** Brings the session to the front if another chat of the window shows it already. */
  async showElsewhere(sessionId: string, but: Chat): Promise<boolean> {
    const { chats } = this.#options;
    const other = chats.all.find(chat => chat !== but && chat.sessionId === sessionId);
    if (other === undefined) return false;
    await chats.reveal(other);
    return true;
  }

  /** The history: pick one to go on with it here, or in a tab of its own where it belongs to another folder. */
  async pick(chat: Chat): Promise<void> {
    const picked = await showHistory({
      past: this.past,
      actions: this.#actions,
      scope: () => scopeOf([...workspaceFolders(), chat.cwd], this.#options.logger),
      stateOf: sessionId => this.#stateOf(sessionId),
    });
    if (picked === undefined) return;
    const { sessionId, cwd } = picked.session;
    if (cwd === undefined || (await realOf(cwd)) === (await realOf(chat.cwd))) {
      // Not before: the composer takes the keyboard, and the list would close.
      await this.#options.chats.reveal(chat);
      await chat.openSession({ sessionId });
    } else if (!(await this.showElsewhere(sessionId, chat))) this.#options.openTab({ sessionId }, cwd);
  }

  async continueLast(chat: Chat): Promise<void> {
    const sessions = await this.past.ofFolder(chat.cwd);
    const last = sessions.find(session => session.sessionId !== chat.sessionId);
    if (last === undefined) chat.services.tell(vscode.l10n.t('There are no earlier sessions in this folder'));
    else await chat.openSession({ sessionId: last.sessionId });
  }

  async rename(chat: Chat): Promise<void> {
    const session = await this.#sessionOf(chat);
    if (session !== undefined) await this.#actions.rename(session);
  }

  async exportSession(chat: Chat): Promise<void> {
    const session = await this.#sessionOf(chat);
    if (session !== undefined) await this.#actions.exportSession(session);
  }

  /** The window closes: what runs now was interrupted by that, whatever the closing makes of it. */
  async closing(): Promise<void> {
    this.#journal.freeze();
    await Promise.all([this.#journal.settled(), this.drafts.closing()]);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #sessionOf(chat: Chat) {
    const { sessionId } = chat;
    const session = sessionId === undefined ? undefined : await this.past.find(sessionId);
    if (session === undefined) chat.services.tell(vscode.l10n.t('Nothing was said in this session yet'));
    return session;
  }

  /** Whoever names the session on its command line, or claims it from another window. */
  async #findHolder(sessionId: string): Promise<SessionHolder | undefined> {
    const running: RunningCommand[] = [];
    const list = async (): Promise<readonly RunningCommand[]> => {
      running.push(...(await runningCommands()));
      return running;
    };
    const holders = await this.#claims.holders(sessionId, list);
    const ours = this.ledger.pids;
    const claimed = holders.find(pid => !ours.has(pid));
    return claimed === undefined ? holderAmong(running, sessionId, ours) : { pid: claimed };
  }

  #chatOf(sessionId: string): Chat | undefined {
    return this.#options.chats.all.find(chat => chat.sessionId === sessionId);
  }

  #stateOf(sessionId: string): SessionState['type'] | 'open' | undefined {
    const chat = this.#chatOf(sessionId);
    return chat && (chat.state?.type ?? 'open');
  }
}

function workspaceFolders(): string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath);
}

async function scopeOf(given: readonly string[], logger: Logger): Promise<{ folders: string[]; worktrees: string[] }> {
  const folders = [...new Set(await Promise.all(given.map(realOf)))];
  const trees = (await Promise.all(folders.map(folder => listWorktrees(folder, logger)))).flat();
  const real = await Promise.all(trees.map(realOf));
  return { folders, worktrees: [...new Set(real)].filter(tree => !folders.includes(tree)) };
}

/** The path without links, which is what sessions are kept by; a folder that is gone is its own name. */
async function realOf(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (isMissing(error)) return path;
    throw error;
  }
}
