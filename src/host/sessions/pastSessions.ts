import type { Logger } from '../../base/logger.ts';
import type { SessionView } from '../../bridge/sessionView.ts';
import type { History } from '../../session/store/history.ts';
import type { Absence, SessionStore, WholeSession } from '../../session/store/sessionStore.ts';
import type { SessionSummary } from '../../session/store/sessionSummary.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { SummaryCache } from '../disk/summaryCache.ts';
import type { SessionHolder } from './sessionHolder.ts';
import type { OpenTurn, TurnJournal } from './turnJournal.ts';

export interface OpenedSession {
  readonly summary: SessionSummary;
  readonly history: History;
  /** What was going on when the session was last heard of. */
  readonly turn: OpenTurn | undefined;
}

export interface PastSessionsOptions {
  readonly cache?: SummaryCache;
  readonly journal?: TurnJournal;
  /** Who else has a session open. */
  readonly findHolder?: (sessionId: string) => Promise<SessionHolder | undefined>;
  readonly logger?: Logger;
}

/** Sessions the CLI has kept on disk, as chats and pickers need them. */
export class PastSessions {
  readonly #store: SessionStore;
  readonly #options: PastSessionsOptions;

  constructor(store: SessionStore, options: PastSessionsOptions = {}) {
    this.#store = store;
    this.#options = options;
  }

  /** Every session there is, newest first, hidden ones with their reason. */
  async all(folders?: readonly string[]): Promise<readonly SessionSummary[]> {
    const { cache } = this.#options;
    await cache?.load();
    const sessions = await this.#store.list(folders);
    void cache?.save();
    return sessions;
  }

  /** The sessions of a folder that a person would want to see, newest first. */
  async ofFolder(folder: string): Promise<readonly SessionSummary[]> {
    return (await this.all([folder])).filter(session => session.hiddenReason === undefined);
  }

  async recent(folder: string, count: number): Promise<SessionView['recent']> {
    return (await this.ofFolder(folder)).slice(0, count).map(({ sessionId, title, modifiedAt }) => ({
      sessionId,
      title: cleanText(title),
      at: modifiedAt,
    }));
  }

  find(sessionId: string): Promise<SessionSummary | undefined> {
    return this.#store.find(sessionId);
  }

  /** Why a session is not in the list of a folder. */
  explain(sessionId: string, folder: string): Promise<Absence> {
    return this.#store.explain(sessionId, folder);
  }

  /** `undefined`: there is no such session any more. */
  async open(sessionId: string): Promise<OpenedSession | undefined> {
    const summary = await this.#store.find(sessionId);
    if (summary === undefined) return undefined;
    const { journal } = this.#options;
    const [history, turn] = await Promise.all([
      this.#store.open({ project: summary.project, sessionId }),
      journal?.read(sessionId),
    ]);
    return { summary, history, turn };
  }

  whole(summary: SessionSummary): Promise<WholeSession> {
    return this.#store.whole({ project: summary.project, sessionId: summary.sessionId });
  }

  /** A process of somebody else on the session. Looking is a help: if it fails, nobody is kept from working. */
  async holderOf(sessionId: string): Promise<SessionHolder | undefined> {
    try {
      return await this.#options.findHolder?.(sessionId);
    } catch (error) {
      this.#options.logger?.warn('Who else has the session open could not be found out', error);
      return undefined;
    }
  }

  /** The interruption has been seen: it is not told again. */
  turnSeen(sessionId: string): void {
    this.#options.journal?.note(sessionId, undefined);
  }
}
