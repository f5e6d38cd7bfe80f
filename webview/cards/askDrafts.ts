import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { ViewApp } from '../app/viewApp.ts';

/** What a person has put on a card and not sent. Plain data. */
export interface AskDraft {
  readonly reason: string;
  /** The command or input as changed. */
  readonly edited?: string;
  /** It was changed on a card that went with its window; the same is asked again. */
  readonly fromBefore?: boolean;
  /** Hunks that are not taken, by index. */
  readonly leftOut: readonly number[];
  readonly checked: boolean;
  /** Chosen labels by the text of the question, or chosen values by the field of a form. */
  readonly choices: ReadonlyMap<string, readonly string[]>;
  /** Free answers by the text of the question or the field. */
  readonly other: ReadonlyMap<string, string>;
  readonly plan?: string;
  readonly editingPlan: boolean;
  readonly mode?: string;
  /** The page that a server wants to be seen was opened. */
  readonly opened: boolean;
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
  opened: false,
  sent: false,
};

/** More are not kept: questions that were answered elsewhere leave theirs behind. */
const most = 200;

const drafts = new WeakMap<ViewApp, Map<string, Signal<AskDraft>>>();

/**
 * The draft of a card, by its question: a card that was scrolled away comes back as it was. `about`: names what is asked, so
 * that a changed input is offered again when the same question comes anew.
 */
export function askDraft(app: ViewApp, askId: string, about?: string): Signal<AskDraft> {
  const all = drafts.get(app) ?? new Map<string, Signal<AskDraft>>();
  drafts.set(app, all);
  const known = all.get(askId);
  if (known) return known;
  const before = about === undefined ? undefined : app.state.takeInput(about);
  const first = before === undefined ? blank : { ...blank, edited: before, fromBefore: true };
  const draft = signal(unpacked(app.state.askDraft(askId)) ?? first);
  all.set(askId, draft);
  // Lives as long as the page, as the signal does.
  effect(() => {
    if (draft.value === blank) return;
    app.state.keepAsk(askId, packed(draft.value));
    const { edited } = draft.value;
    if (about !== undefined && edited !== undefined) app.state.keepInput(about, { askId, text: edited });
  });
  const [oldest] = all.keys();
  if (all.size > most && oldest !== undefined) all.delete(oldest);
  return draft;
}

type Packed = Omit<AskDraft, 'choices' | 'other'> & {
  readonly choices: readonly (readonly [string, readonly string[]])[];
  readonly other: readonly (readonly [string, string])[];
};

/** As VS Code can keep it. An answer that is on its way is not: the next page may have to send it again. */
function packed(draft: AskDraft): Packed {
  return { ...draft, sent: false, choices: [...draft.choices], other: [...draft.other] };
}

function unpacked(kept: unknown): AskDraft | undefined {
  return isPacked(kept) ? { ...blank, ...kept, choices: new Map(kept.choices), other: new Map(kept.other) } : undefined;
}

/** Our own writing, but perhaps that of another version: what does not look like it is dropped. */
function isPacked(value: unknown): value is Packed {
  return (
    typeof value === 'object' &&
    value !== null &&
    'reason' in value &&
    typeof value.reason === 'string' &&
    'leftOut' in value &&
    Array.isArray(value.leftOut) &&
    'choices' in value &&
    Array.isArray(value.choices) &&
    'other' in value &&
    Array.isArray(value.other)
  );
}
