import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Chats } from '../chat/chats.ts';
import type { ProcessLedger } from '../processes/processLedger.ts';
import { namesIn } from './namesIn.ts';
import type { RunningCommand } from './sessionHolder.ts';

/**
 * Which process works on which session, on disk for all windows: a session that was begun in a window has no id on its
 * command line. One empty file a process, `<session>.<pid>`; one whose process is gone counts for nothing and goes.
 */
export class SessionClaims implements Disposable {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #owned = new DisposableStore();
  readonly #held = new Map<number, string>();
  #last: Promise<void> = Promise.resolve();

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** Keeps the claims of this window true. */
  follow(chats: Chats, ledger: ProcessLedger): void {
    const look = (): void => {
      const now = new Map<number, string>();
      for (const { pid, session } of ledger.all) {
        const sessionId = chats.all.find(chat => chat.session === session)?.sessionId ?? this.#held.get(pid);
        if (sessionId !== undefined) now.set(pid, sessionId);
      }
      this.claim(now);
    };
    this.#owned.add(chats.onDidChange(look));
    this.#owned.add(ledger.onDidChange(look));
  }

  /** These processes of ours work on these sessions, and no others. */
  claim(now: ReadonlyMap<number, string>): void {
    for (const [pid, sessionId] of [...this.#held]) {
      if (now.get(pid) === sessionId) continue;
      this.#held.delete(pid);
      this.#write(() => rm(this.#path(sessionId, pid), { force: true }));
    }
    for (const [pid, sessionId] of now) {
      if (this.#held.get(pid) === sessionId) continue;
      this.#held.set(pid, sessionId);
      this.#write(async () => {
        await mkdir(this.#folder, { recursive: true });
        await writeFile(this.#path(sessionId, pid), '', { mode: 0o600 });
      });
    }
  }

  /**
   * The processes that claim the session and are still an agent of somebody's window. The claims of processes that are gone
   * are swept out with it, whatever their session: a window that was killed could not take back its own.
   */
  async holders(sessionId: string, list: () => Promise<readonly RunningCommand[]>): Promise<readonly number[]> {
    await this.#last;
    // Before the processes: a claim that comes in between is of a process that may not be listed yet, and must stay.
    const names = await namesIn(this.#folder);
    const agents = new Set((await list()).filter(({ args }) => args.includes('stream-json')).map(({ pid }) => pid));
    const found: number[] = [];
    for (const name of names) {
      const [, session, pid] = /^(.+)\.(\d+)$/.exec(name) ?? [];
      if (pid === undefined) continue;
      if (!agents.has(Number(pid))) await rm(join(this.#folder, name), { force: true });
      else if (session === safe(sessionId)) found.push(Number(pid));
    }
    return found;
  }

  /** Resolves when everything claimed and given up so far is on disk. */
  async settled(): Promise<void> {
    await this.#last;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #write(work: () => Promise<void>): void {
    this.#last = this.#last.then(work).catch((error: unknown) => {
      this.#logger.warn('What session a process works on could not be noted for other windows', error);
    });
  }

  #path(sessionId: string, pid: number): string {
    return join(this.#folder, `${safe(sessionId)}.${pid}`);
  }
}

function safe(sessionId: string): string {
  return sessionId.replace(/[^\w-]/g, '_');
}
