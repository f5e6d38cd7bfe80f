import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Logger } from '../../base/logger.ts';
import { readJson, removeFile, writeJson } from '../disk/jsonFile.ts';

const openTurn = z.object({
  version: z.literal(2),
  /** When the turn began, or when the oldest question was asked. */
  since: z.number(),
  /** Questions that had no answer. */
  asks: z.array(z.object({ tool: z.string(), input: z.string() })),
});

/** A turn that had not come to its end when it was last heard of. */
export type OpenTurn = Omit<z.infer<typeof openTurn>, 'version'>;

/**
 * Which sessions are in the middle of something, on disk: whatever happens to the window, its host or the machine, the
 * next one can say what was interrupted. One small file a session; none for a session at rest.
 */
export class TurnJournal {
  readonly #folder: string;
  readonly #logger: Logger;
  /** What the files say, of the sessions that are in the middle of something. */
  readonly #written = new Map<string, string>();
  #last: Promise<void> = Promise.resolve();
  #frozen = false;

  constructor(folder: string, logger: Logger) {
    this.#folder = folder;
    this.#logger = logger;
  }

  /** `undefined`: the session is at rest. Writes only what has changed. */
  note(sessionId: string, turn: OpenTurn | undefined): void {
    if (this.#frozen) return;
    const text = turn === undefined ? undefined : JSON.stringify(turn);
    if (text !== undefined && this.#written.get(sessionId) === text) return;
    if (text === undefined) this.#written.delete(sessionId);
    else this.#written.set(sessionId, text);
    const path = this.#path(sessionId);
    this.#last = this.#last.then(() =>
      this.#orWarn(turn === undefined ? removeFile(path) : writeJson(path, { version: 2, ...turn })),
    );
  }

  /** From now on nothing changes: the window closes, and what the closing ends was interrupted by it. */
  freeze(): void {
    this.#frozen = true;
  }

  /** The turn that was not finished; `undefined` for a session at rest. */
  async read(sessionId: string): Promise<OpenTurn | undefined> {
    await this.#last;
    const parsed = openTurn.safeParse(await readJson(this.#path(sessionId)));
    return parsed.success ? parsed.data : undefined;
  }

  /** Resolves when everything noted so far is on disk. */
  async settled(): Promise<void> {
    await this.#last;
  }

  async #orWarn(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#logger.warn('The state of a session could not be noted', error);
    }
  }

  #path(sessionId: string): string {
    return join(this.#folder, `${sessionId.replace(/[^\w-]/g, '_')}.turn.json`);
  }
}
