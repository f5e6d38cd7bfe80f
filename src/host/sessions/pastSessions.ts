import type { SessionView } from '../../bridge/viewModel.ts';
import type { History } from '../../session/store/history.ts';
import type { SessionStore } from '../../session/store/sessionStore.ts';
import type { SessionSummary } from '../../session/store/sessionSummary.ts';
import { cleanText } from '../chat/cleanText.ts';

export interface OpenedSession {
  readonly summary: SessionSummary;
  readonly history: History;
}

/** Sessions the CLI has kept on disk, as chats and pickers need them. */
export class PastSessions {
  readonly #store: SessionStore;

  constructor(store: SessionStore) {
    this.#store = store;
  }

  /** The sessions of a folder that a person would want to see, newest first. */
  async ofFolder(folder: string): Promise<readonly SessionSummary[]> {
    const all = await this.#store.list([folder]);
    return all.filter(session => session.hiddenReason === undefined);
  }

  async recent(folder: string, count: number): Promise<SessionView['recent']> {
    return (await this.ofFolder(folder)).slice(0, count).map(({ sessionId, title, modifiedAt }) => ({
      sessionId,
      title: cleanText(title),
      at: modifiedAt,
    }));
  }

  /** `undefined`: there is no such session any more. */
  async open(sessionId: string): Promise<OpenedSession | undefined> {
    const summary = await this.#store.find(sessionId);
    if (summary === undefined) return undefined;
    const history = await this.#store.open({ project: summary.project, sessionId });
    return { summary, history };
  }
}
