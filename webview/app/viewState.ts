import { effect, signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import { Emitter } from '../../src/base/emitter.ts';
import type { ViewAttachment } from '../../src/bridge/viewMessages.ts';
import type { ResumeView } from '../../src/bridge/sessionView.ts';
import type { VsCodeApi } from './vscodeApi.ts';

export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof imageTypes)[number];

export interface ScrollPlace {
  readonly id: string;
  readonly index: number;
  readonly offset: number;
}

interface KeptInput {
  readonly askId: string;
  readonly text: string;
}

interface Saved {
  readonly version: 1;
  readonly draft: string;
  /** The conversation that the draft belongs to; unknown before the host has said it. */
  readonly draftKey?: string;
  /** How often the draft has changed. */
  readonly draftRevision?: number;
  /** What was put on cards and not sent, by question. */
  readonly asks?: readonly (readonly [string, unknown])[];
  /** Commands and inputs as changed on a card, by what was asked, with the question. */
  readonly inputs?: readonly (readonly [string, KeptInput])[];
  /** Where the reader is in each session, the last one last. None while following the end. */
  readonly places?: readonly (readonly [string, ScrollPlace])[];
  readonly expanded: readonly (readonly [string, boolean])[];
  /** The host's own, for the next host: a tab is restored from nothing but this. */
  readonly resume?: ResumeView;
}

const maxExpansions = 500;
const maxPlaces = 20;
const maxInputs = 20;
const saveDelay = 150;

/**
 * All the view remembers by itself: what is typed, where the reader is, what was opened. Written to VS Code's state a
 * moment after a change, and at once when the page goes away; the conversation itself belongs to the host.
 */
export class ViewState implements Disposable {
  readonly draft: Signal<string>;
  /** Not written here: pictures are big, and the host keeps them. */
  readonly attachments = signal<readonly ViewAttachment[]>([]);
  readonly resume: Signal<ResumeView | undefined>;

  /** The text that the page began with. */
  readonly restoredDraft: string;
  /** Goes up with each change of the draft that is saved: the host's copy of the same revision is no older. */
  #revision: number;
  readonly #api: VsCodeApi;
  readonly #expanded = new Map<string, { readonly open: Signal<boolean>; readonly initially: boolean }>();
  readonly #restored: ReadonlyMap<string, boolean>;
  readonly #stop: () => void;
  readonly #drafts = new Emitter<undefined>();
  readonly #asks: Map<string, unknown>;
  readonly #inputs = new Map<string, KeptInput>();
  /** Those of earlier pages, whose question nobody has seen the end of. */
  readonly #inputsBefore: Map<string, KeptInput>;
  /** Questions that were open while this page was there: their end is known, that of others is not. */
  readonly #seenOpen = new Set<string>();
  readonly #places: Map<string, ScrollPlace>;
  #savedDraft: string;
  #draftKey: string | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** The draft has changed, a moment ago. */
  readonly onDidSaveDraft = this.#drafts.event;

  constructor(api: VsCodeApi) {
    this.#api = api;
    const saved = readSaved(api.getState());
    this.draft = signal(saved.draft);
    // Words of a page that never learned whose they are were told to nobody: they count as typed here.
    this.restoredDraft = saved.draftKey === undefined ? '' : saved.draft;
    this.#savedDraft = this.restoredDraft;
    this.#draftKey = saved.draftKey;
    this.#revision = saved.draftRevision ?? 0;
    this.#asks = new Map(saved.asks);
    this.#inputsBefore = new Map(saved.inputs);
    this.#places = new Map(saved.places);
    this.resume = signal(saved.resume);
    this.#restored = new Map(saved.expanded);
    let first = true;
    this.#stop = effect(() => {
      this.#watch(this.draft.value, this.resume.value, first);
      first = false;
    });
  }

  get draftKey(): string | undefined {
    return this.#draftKey;
  }

  get draftRevision(): number {
    return this.#revision;
  }

  /** Shows a draft that the host has kept. */
  takeDraft(key: string, text: string, revision: number): void {
    this.#savedDraft = text;
    this.#revision = revision;
    this.#draftKey = key;
    this.draft.value = text;
    this.#saveSoon();
  }

  /** The draft stays and belongs to a conversation of this key. */
  moveDraft(key: string): void {
    this.#draftKey = key;
    this.#saveSoon();
  }

  /** What was put on the card of a question; `undefined` when nothing was. */
  askDraft(askId: string): unknown {
    return this.#asks.get(askId);
  }

  keepAsk(askId: string, draft: unknown): void {
    this.#asks.set(askId, draft);
    this.#saveSoon();
  }

  /** The input as the person changed it in an earlier page, when the same was asked there and not answered. Only once. */
  takeInput(about: string): string | undefined {
    const before = this.#inputsBefore.get(about);
    this.#inputsBefore.delete(about);
    return before?.text;
  }

  keepInput(about: string, input: KeptInput): void {
    this.#inputs.set(about, input);
    this.#saveSoon();
  }

  /** Forgets the cards of questions that are settled. */
  keepAsksOf(open: readonly string[]): void {
    for (const askId of open) this.#seenOpen.add(askId);
    for (const [about, { askId }] of this.#inputs) {
      if (this.#seenOpen.has(askId) && !open.includes(askId)) this.#inputs.delete(about);
    }
    for (const askId of this.#asks.keys()) {
      if (open.includes(askId)) continue;
      this.#asks.delete(askId);
      this.#saveSoon();
    }
  }

  /** Whether something is open, by a name of the caller's; the same signal each time, remembered over reloads. */
  expansion(key: string, initially = false): Signal<boolean> {
    const known = this.#expanded.get(key);
    if (known) {
      // The most recently drawn last, so that what is dropped is long out of sight.
      this.#expanded.delete(key);
      this.#expanded.set(key, known);
      // Nobody has touched it, and how it begins has changed: a command that failed opens.
      if (known.initially !== initially) {
        this.#expanded.set(key, { open: known.open, initially });
        if (known.open.peek() === known.initially) known.open.value = initially;
      }
      return known.open;
    }
    if (this.#expanded.size >= 2 * maxExpansions) this.#forgetUntouched();
    const open = signal(this.#restored.get(key) ?? initially);
    this.#expanded.set(key, { open, initially });
    return open;
  }

  toggle(key: string, initially = false): void {
    const open = this.expansion(key, initially);
    open.value = !open.peek();
    this.#saveSoon();
  }

  /** Where the reader was in a session; undefined: at its end. */
  placeOf(session: string): ScrollPlace | undefined {
    return this.#places.get(session);
  }

  keepPlace(session: string, place: ScrollPlace | undefined): void {
    const known = this.#places.get(session);
    if (known?.id === place?.id && known?.offset === place?.offset && known?.index === place?.index) return;
    this.#places.delete(session);
    if (place) this.#places.set(session, place);
    this.#saveSoon();
  }

  /** What the host wants to find again. */
  keep(resume: ResumeView | undefined): void {
    if (JSON.stringify(resume) !== JSON.stringify(this.resume.peek())) this.resume.value = resume;
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const resume = this.resume.peek();
    const isChanged = this.draft.peek() !== this.#savedDraft;
    if (isChanged) this.#revision += 1;
    const inputs = [...this.#inputsBefore, ...this.#inputs];
    const saved: Saved = {
      version: 1,
      draft: this.draft.peek(),
      ...(this.#draftKey === undefined ? {} : { draftKey: this.#draftKey }),
      draftRevision: this.#revision,
      ...(this.#asks.size === 0 ? {} : { asks: [...this.#asks] }),
      ...(inputs.length === 0 ? {} : { inputs: inputs.slice(-maxInputs) }),
      places: [...this.#places].slice(-maxPlaces),
      expanded: this.#expansions(),
      ...(resume ? { resume } : {}),
    };
    this.#api.setState(saved);
    if (!isChanged) return;
    this.#savedDraft = saved.draft;
    this.#drafts.fire(undefined);
  }

  dispose(): void {
    this.flush();
    this.#stop();
  }

  #watch(draft: string, _resume: ResumeView | undefined, first: boolean): void {
    if (first) return;
    // The first letter after a pause at once: a page that is taken away has no time to say what was typed last.
    if (draft !== this.#savedDraft && this.#timer === undefined) this.flush();
    this.#saveSoon();
  }

  #saveSoon(): void {
    this.#timer ??= setTimeout(() => this.flush(), saveDelay);
  }

  #forgetUntouched(): void {
    for (const [key, { open, initially }] of this.#expanded) {
      if (this.#expanded.size <= maxExpansions) return;
      if (open.peek() === initially && !this.#restored.has(key)) this.#expanded.delete(key);
    }
  }

  #expansions(): [string, boolean][] {
    const all = new Map(this.#restored);
    for (const [key, { open, initially }] of this.#expanded) {
      if (open.peek() === initially) all.delete(key);
      else all.set(key, open.peek());
    }
    return [...all].slice(-maxExpansions);
  }
}

const nothing: Saved = { version: 1, draft: '', expanded: [] };

function readSaved(value: unknown): Saved {
  return isSaved(value) ? value : nothing;
}

/** The state is our own writing, but perhaps an older version's: anything else starts afresh. */
function isSaved(value: unknown): value is Saved {
  return (
    typeof value === 'object' &&
    value !== null &&
    'version' in value &&
    value.version === 1 &&
    'draft' in value &&
    typeof value.draft === 'string' &&
    'expanded' in value &&
    Array.isArray(value.expanded)
  );
}
