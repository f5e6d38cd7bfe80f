import * as z from 'zod/mini';
import type { Logger } from '../../base/logger.ts';
import type { KnownSummary, SessionStore } from '../../session/store/sessionStore.ts';
import { readJson, writeJson } from './jsonFile.ts';

const text = z.optional(z.string());
const summary = z.object({
  sessionId: z.string(),
  project: z.string(),
  title: z.string(),
  titleSource: z.enum(['custom', 'ai', 'lastPrompt', 'summary', 'firstPrompt', 'none']),
  firstPrompt: text,
  cwd: text,
  branch: text,
  entrypoint: text,
  tag: text,
  createdAt: z.number(),
  modifiedAt: z.number(),
  size: z.number(),
  hiddenReason: z.optional(z.enum(['sidechain', 'entrypoint', 'empty'])),
});
/** The version goes up with every change of how a summary is made: old ones are then made anew. */
const cacheFile = z.object({
  version: z.literal(1),
  known: z.array(z.object({ size: z.number(), mtimeMs: z.number(), summary })),
});

/**
 * Keeps what the store found out about the files over a restart of the window, so that a list of a thousand sessions is
 * made from a thousand looks at the folder and not from reading them all again.
 */
export class SummaryCache {
  readonly #store: SessionStore;
  readonly #path: string;
  readonly #logger: Logger;
  #loading: Promise<void> | undefined;
  #saved = 0;

  constructor(store: SessionStore, path: string, logger: Logger) {
    this.#store = store;
    this.#path = path;
    this.#logger = logger;
  }

  /** To be awaited before the first list; reads the file once. */
  load(): Promise<void> {
    return (this.#loading ??= this.#load());
  }

  /** After a list: writes what is new. A cache that cannot be written costs time, nothing else. */
  async save(): Promise<void> {
    const { known } = this.#store;
    const stamp = known.reduce((sum, one) => sum + one.size + one.mtimeMs, known.length);
    if (stamp === this.#saved) return;
    this.#saved = stamp;
    try {
      await writeJson(this.#path, { version: 1, known });
    } catch (error) {
      this.#logger.warn('The list of sessions could not be kept for the next start', error);
    }
  }

  async #load(): Promise<void> {
    try {
      const parsed = cacheFile.safeParse(await readJson(this.#path));
      if (parsed.success) this.#store.remember(parsed.data.known.map(withoutGaps));
    } catch (error) {
      this.#logger.warn('The kept list of sessions could not be read', error);
    }
  }
}

/** JSON has no `undefined`, so what is not there is not there; the types want to be told. */
function withoutGaps(known: z.infer<typeof cacheFile>['known'][number]): KnownSummary {
  const { firstPrompt, cwd, branch, entrypoint, tag, hiddenReason, ...rest } = known.summary;
  return {
    ...known,
    summary: {
      ...rest,
      ...(firstPrompt === undefined ? {} : { firstPrompt }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(branch === undefined ? {} : { branch }),
      ...(entrypoint === undefined ? {} : { entrypoint }),
      ...(tag === undefined ? {} : { tag }),
      ...(hiddenReason === undefined ? {} : { hiddenReason }),
    },
  };
}
