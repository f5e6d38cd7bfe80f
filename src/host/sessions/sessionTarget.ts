import * as z from 'zod/mini';
import type { History } from '../../session/store/history.ts';
import type { TranscriptItem } from '../../session/transcriptModel.ts';

/** A session to show, or to branch off. */
export interface SessionTarget {
  readonly sessionId: string;
  readonly fork?: boolean;
  /** Branch off after this message. */
  readonly at?: string;
  /** The model that was chosen for it; the CLI itself forgets it. */
  readonly model?: string;
}

const savedState = z.object({
  resume: z.object({
    folder: z.string(),
    draftKey: z.optional(z.string().check(z.regex(/^new-[\w-]{1,100}$/))),
    sessionId: z.optional(z.string()),
    fork: z.optional(z.boolean()),
    at: z.optional(z.string()),
    model: z.optional(z.string()),
  }),
});

export interface SavedTab {
  readonly folder?: string;
  readonly draftKey?: string;
  readonly target?: SessionTarget;
}

/** What a tab left behind says about its session. The state comes from a page: anything else than ours means nothing. */
export function readSavedTab(state: unknown): SavedTab {
  const parsed = savedState.safeParse(state);
  if (!parsed.success) return {};
  const { folder, draftKey, sessionId, fork, at, model } = parsed.data.resume;
  const place = { folder, ...(draftKey === undefined ? {} : { draftKey }) };
  if (sessionId === undefined) return place;
  return {
    ...place,
    target: {
      sessionId,
      ...(fork === undefined ? {} : { fork }),
      ...(at === undefined ? {} : { at }),
      ...(model === undefined ? {} : { model }),
    },
  };
}

export interface FirstPage {
  readonly items: readonly TranscriptItem[];
  readonly corruptLines: number;
}

/** The newest page; with `at`, the one that ends with that message. */
export async function firstPage(history: History, at?: string): Promise<FirstPage> {
  for (;;) {
    const page = await history.older();
    if (page === undefined) return { items: [], corruptLines: 0 };
    if (at === undefined) return page;
    const end = page.items.findLastIndex(item => item.id === at || ('uuid' in item && item.uuid === at));
    if (end >= 0) return { items: upTo(page.items, end), corruptLines: page.corruptLines };
  }
}

/** Nested items stand at the end of a page: those whose tool is gone go with it. */
function upTo(items: readonly TranscriptItem[], end: number): readonly TranscriptItem[] {
  const kept = items.slice(0, end + 1);
  const tools = new Set(kept.map(item => item.id));
  const nested = items
    .slice(end + 1)
    .filter(item => item.parentToolUseId !== undefined && tools.has(item.parentToolUseId));
  return [...kept, ...nested];
}
