import type { Clock } from '../../base/clock.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { PromptItem } from '../transcriptModel.ts';
import type { ItemStore } from './itemStore.ts';

export interface PromptText {
  readonly uuid: string;
  readonly text: string;
  readonly attachments: readonly ContentBlock[];
}

interface Stray {
  readonly state: string;
  /** It was taken up while a turn ran. */
  readonly folded: boolean;
}

/** Lifecycles of prompts nobody told us about, until their echo comes. More than this many are not kept. */
const MAX_STRAY = 1000;

/**
 * Prompts and what became of them. A prompt only moves forward: queued, started (or folded into a running turn), then
 * completed or cancelled. A queued prompt takes its place in the conversation when it starts.
 */
export class PromptBook {
  readonly #store: ItemStore;
  readonly #clock: Clock;
  readonly #stray = new Map<string, Stray>();
  /** Taken up and not yet done, without a word of the queue about them. */
  readonly #silent = new Set<string>();
  readonly #queued = new Set<string>();
  readonly #running = new Set<string>();
  readonly #ignored = new Set<string>();

  constructor(store: ItemStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Taken up and not done. */
  get running(): readonly string[] {
    return [...this.#running];
  }

  /** Whatever is still said of this prompt belongs to a conversation that is gone. */
  ignore(uuid: string): void {
    this.#ignored.add(uuid);
  }

  sent(prompt: PromptText & { readonly queued: boolean }): void {
    if (this.#store.has(prompt.uuid)) return;
    const state = prompt.queued ? 'queued' : 'started';
    this.#add(prompt, state, this.#clock.now(), false);
    this.#silent.add(prompt.uuid);
    const stray = this.#stray.get(prompt.uuid);
    if (stray) this.lifecycle(prompt.uuid, stray.state, stray.folded);
  }

  /** The CLI's echo of a prompt. Ours keep the text they were sent with: the echo may hold another form of it. */
  echoed(prompt: PromptText, at: number, turnActive: boolean): void {
    if (this.#ignored.has(prompt.uuid)) return;
    const known = this.#prompt(prompt.uuid);
    if (known) {
      if (known.state === 'queued') this.#start(known, turnActive);
      return;
    }
    const stray = this.#stray.get(prompt.uuid);
    this.#add(prompt, stray?.folded === true ? 'folded' : 'started', at, false);
    if (stray === undefined) this.#silent.add(prompt.uuid);
    else this.lifecycle(prompt.uuid, stray.state, turnActive);
  }

  /** Text the CLI made, or a subagent's task: no part of the queue. */
  synthetic(prompt: PromptText, at: number, parentToolUseId: string | undefined): void {
    if (this.#store.has(prompt.uuid)) return;
    this.#add(prompt, 'completed', at, true, parentToolUseId);
  }

  /** A prompt from a transcript: what it became is told by what follows. */
  recorded(prompt: PromptText, at: number, folded: boolean): void {
    if (this.#store.has(prompt.uuid)) return;
    this.#add(prompt, folded ? 'folded' : 'started', at, false);
    if (!folded) this.#silent.add(prompt.uuid);
  }

  lifecycle(uuid: string, state: string, turnActive: boolean): void {
    const prompt = this.#prompt(uuid);
    if (!prompt) {
      if (this.#ignored.has(uuid)) return;
      const known = this.#stray.get(uuid);
      const folded = state === 'started' ? turnActive : (known?.folded ?? false);
      if (known || this.#stray.size < MAX_STRAY) this.#stray.set(uuid, { state, folded });
      return;
    }
    this.#stray.delete(uuid);
    // The first word about a prompt we took for started: it has to wait after all.
    if (state === 'queued' && turnActive && prompt.state === 'started' && this.#silent.has(uuid)) this.#wait(prompt);
    this.#silent.delete(uuid);
    if (state === 'started') this.#start(prompt, turnActive);
    if (state === 'completed' && prompt.state !== 'folded') this.#end(prompt, 'completed');
    if (state === 'cancelled' && prompt.state !== 'cancelled') this.#end(prompt, 'cancelled');
  }

  /** Never reached the agent, or was taken back before it began, whatever was thought of it before. */
  withdrawn(uuid: string): void {
    const prompt = this.#prompt(uuid);
    if (!prompt) return;
    this.#silent.delete(uuid);
    this.#queued.delete(uuid);
    this.#running.delete(uuid);
    this.#become(prompt, 'cancelled');
  }

  /** Taken back by the person before the agent began with it: it was never said. */
  takenBack(uuid: string): void {
    this.withdrawn(uuid);
    this.#ignored.add(uuid);
    this.#store.remove(uuid);
  }

  /** A turn begins with these prompts: all but the last have no row of their own in the transcript. */
  turnBegan(uuids: readonly string[]): void {
    for (const uuid of uuids.slice(0, -1)) {
      const prompt = this.#prompt(uuid);
      if (!prompt || prompt.state === 'cancelled') continue;
      this.#running.delete(uuid);
      this.#queued.delete(uuid);
      this.#store.put({ ...prompt, state: 'folded' });
    }
  }

  /** For prompts the queue said nothing about: the result is their end. */
  turnEnded(outcome: 'completed' | 'cancelled'): void {
    for (const uuid of this.#silent) {
      const prompt = this.#prompt(uuid);
      if (prompt?.state === 'started') this.#end(prompt, outcome);
      if (prompt?.state !== 'queued') this.#silent.delete(uuid);
    }
  }

  /** What was waiting or running will not be done by this process. */
  endOfProcess(): void {
    for (const uuid of [...this.#queued, ...this.#running]) {
      const prompt = this.#prompt(uuid);
      if (prompt) this.#end(prompt, 'cancelled');
    }
    this.forget();
  }

  forget(): void {
    this.#stray.clear();
    this.#silent.clear();
    this.#queued.clear();
    this.#running.clear();
  }

  #wait(prompt: PromptItem): void {
    this.#running.delete(prompt.id);
    this.#queued.add(prompt.id);
    this.#store.put({ ...prompt, state: 'queued' });
  }

  #start(prompt: PromptItem, turnActive: boolean): void {
    if (prompt.state !== 'queued') return;
    const state = turnActive ? 'folded' : 'started';
    this.#queued.delete(prompt.id);
    if (state === 'started') this.#running.add(prompt.id);
    this.#store.moveToEnd({ ...prompt, state });
  }

  #end(prompt: PromptItem, end: 'completed' | 'cancelled'): void {
    this.#queued.delete(prompt.id);
    this.#running.delete(prompt.id);
    this.#become(prompt, end === 'cancelled' && prompt.state !== 'queued' ? 'interrupted' : end);
  }

  #become(prompt: PromptItem, state: PromptItem['state']): void {
    if (prompt.state !== state) this.#store.put({ ...prompt, state });
  }

  #add(
    { uuid, text, attachments }: PromptText,
    state: PromptItem['state'],
    at: number,
    synthetic: boolean,
    parentToolUseId?: string,
  ): void {
    if (state === 'queued') this.#queued.add(uuid);
    if (state === 'started') this.#running.add(uuid);
    const parent = parentToolUseId === undefined ? {} : { parentToolUseId };
    this.#store.put({ kind: 'prompt', id: uuid, at, text, attachments, state, synthetic, ...parent });
  }

  #prompt(uuid: string): PromptItem | undefined {
    const item = this.#store.find(uuid);
    return item?.kind === 'prompt' ? item : undefined;
  }
}
