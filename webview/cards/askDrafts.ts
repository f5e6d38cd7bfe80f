import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { ViewApp } from '../app/viewApp.ts';

/** What a person has put on a card and not sent. Plain data. */
export interface AskDraft {
  readonly reason: string;
  /** The command or input as changed. */
  readonly edited?: string;
  /** Hunks that are not taken, by index. */
  readonly leftOut: readonly number[];
  readonly checked: boolean;
  /** Chosen labels by the text of the question. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** Free answers by the text of the question. */
  readonly other: ReadonlyMap<string, string>;
  readonly plan?: string;
  readonly editingPlan: boolean;
  readonly mode?: string;
  /** An answer is on its way; the card waits for the host to close it. */
  readonly sent: boolean;
}

const blank: AskDraft = {
  reason: '',
  leftOut: [],
  checked: false,
  choices: new Map(),
  other: new Map(),
  editingPlan: false,
  sent: false,
};

/** More are not kept: questions that were answered elsewhere leave theirs behind. */
const most = 200;

const drafts = new WeakMap<ViewApp, Map<string, Signal<AskDraft>>>();

/** The draft of a card, by its question: a card that was scrolled away comes back as it was. */
export function askDraft(app: ViewApp, askId: string): Signal<AskDraft> {
  const all = drafts.get(app) ?? new Map<string, Signal<AskDraft>>();
  drafts.set(app, all);
  const known = all.get(askId);
  if (known) return known;
  const draft = signal(blank);
  all.set(askId, draft);
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
  return draft;
}
