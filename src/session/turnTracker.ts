import type { Clock } from '../base/clock.ts';
import { Deferred } from '../base/deferred.ts';
import type { Logger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { ResultFrame } from '../protocol/conversationFrame.ts';
import type { CommandLifecycleFrame } from '../protocol/sideFrame.ts';
import type { OpenPrompt, PromptContent, PromptHandle, PromptOutcome, UndeliveredPrompt } from './prompt.ts';
import { textOf } from './prompt.ts';

interface Entry {
  readonly uuid: string;
  readonly content: PromptContent;
  readonly sentAt: number;
  state: OpenPrompt['state'];
  readonly begun: Deferred<boolean>;
  readonly done: Deferred<PromptOutcome>;
}

export interface LastResult {
  readonly isError: boolean;
  readonly errors: readonly string[];
}

/**
 * Whether a turn runs, and what became of each prompt. A turn opens with `init`, with a prompt taken up, or when the CLI
 * says it runs (also unasked); it ends only with `result`. Prompts that were sent count as work from the first moment.
 */
export class TurnTracker {
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #open = new Map<string, Entry>();
  /** Their turn has ended; only the CLI's last word about them is missing. */
  readonly #ending = new Map<string, { readonly entry: Entry; readonly outcome: PromptOutcome }>();
  readonly #undelivered: UndeliveredPrompt[] = [];
  #turnOpen = false;
  #since = 0;
  #lifecycleSeen = false;
  #stopping = false;
  #lastResult: LastResult | undefined;
  #resultIndex: number | undefined;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  get busy(): boolean {
    return this.#turnOpen || this.#open.size > 0;
  }

  get turnOpen(): boolean {
    return this.#turnOpen;
  }

  get since(): number {
    return this.#since;
  }

  get lastResult(): LastResult | undefined {
    return this.#lastResult;
  }

  get prompts(): readonly OpenPrompt[] {
    return [...this.#open.values()].map(({ uuid, content, sentAt, state }) => ({
      uuid,
      content,
      sentAt,
      state,
      text: textOf(content),
    }));
  }

  sent(uuid: string, content: PromptContent): Pick<PromptHandle, 'begun' | 'done'> {
    if (!this.busy) this.#since = this.#clock.now();
    const [begun, done] = [new Deferred<boolean>(), new Deferred<PromptOutcome>()];
    this.#open.set(uuid, { uuid, content, sentAt: this.#clock.now(), state: 'sent', begun, done });
    return { begun: begun.promise, done: done.promise };
  }

  /** The frame never reached the CLI. */
  notSent(uuid: string): UndeliveredPrompt | undefined {
    const entry = this.#open.get(uuid);
    if (entry?.state !== 'sent') return undefined;
    this.#open.delete(uuid);
    settle(entry, 'undelivered');
    return { uuid, content: entry.content, text: textOf(entry.content) };
  }

  /** From here on a prompt taken back before it began is one we did not deliver, not one the person cancelled. */
  stopping(): void {
    this.#stopping = true;
  }

  cancelled(uuid: string): void {
    const entry = this.#open.get(uuid);
    if (entry === undefined) return;
    this.#open.delete(uuid);
    if (this.#stopping && entry.state !== 'started') this.#keep(entry);
    else settle(entry, 'cancelled');
  }

  /** Whether the frame may have changed anything here: most frames of a turn do not. */
  apply(frame: CliFrame): boolean {
    switch (frame.type) {
      case 'command_lifecycle':
        this.#lifecycle(frame);
        return true;
      case 'result':
        this.#result(frame);
        return true;
      case 'system':
        if (frame.subtype === 'init') this.#openTurn();
        else if (frame.subtype === 'session_state_changed') this.#told(frame.state);
        return frame.subtype === 'init' || frame.subtype === 'session_state_changed';
      default:
        return false;
    }
  }

  /** The line ended. Prompts the CLI never began with come back, those it worked on are over. */
  close(): readonly UndeliveredPrompt[] {
    for (const entry of this.#open.values()) {
      if (entry.state === 'started') settle(entry, 'cancelled');
      else this.#keep(entry);
    }
    this.#open.clear();
    for (const { entry, outcome } of this.#ending.values()) settle(entry, outcome);
    this.#ending.clear();
    this.#turnOpen = false;
    return this.#undelivered.splice(0);
  }

  #keep(entry: Entry): void {
    settle(entry, 'undelivered');
    this.#undelivered.push({ uuid: entry.uuid, content: entry.content, text: textOf(entry.content) });
  }

  #openTurn(): void {
    if (!this.busy) this.#since = this.#clock.now();
    this.#turnOpen = true;
  }

  #lifecycle(frame: CommandLifecycleFrame): void {
    this.#lifecycleSeen = true;
    const entry = this.#open.get(frame.command_uuid);
    switch (frame.state) {
      case 'queued':
        if (entry?.state === 'sent') entry.state = 'queued';
        return;
      case 'started':
        if (entry !== undefined) entry.state = 'started';
        entry?.begun.resolve(true);
        this.#openTurn();
        return;
      case 'completed':
        this.#finish(frame.command_uuid, 'completed');
        return;
      case 'cancelled':
        if (entry === undefined) this.#finish(frame.command_uuid, 'cancelled');
        else this.cancelled(frame.command_uuid);
        return;
      default:
        return;
    }
  }

  #finish(uuid: string, outcome: PromptOutcome): void {
    const entry = this.#open.get(uuid) ?? this.#ending.get(uuid)?.entry;
    this.#open.delete(uuid);
    this.#ending.delete(uuid);
    if (entry !== undefined) settle(entry, outcome);
  }

  #result(frame: ResultFrame): void {
    const index = frame.result_index;
    if (index !== undefined && this.#resultIndex !== undefined && index > this.#resultIndex + 1) {
      this.#logger.warn(`A result was lost: ${index} follows ${this.#resultIndex}`);
    }
    this.#resultIndex = index ?? this.#resultIndex;
    this.#lastResult = { isError: frame.is_error, errors: frame.errors ?? [] };
    const named = new Set(frame.user_message_uuids ?? []);
    if (frame.user_message_uuid !== undefined) named.add(frame.user_message_uuid);
    const stopped = frame.is_error || (frame.terminal_reason ?? '').startsWith('aborted_');
    // A CLI without a word about the queue: whatever was sent is taken as done, a further turn opens with its own init.
    this.#endTurn(entry => named.has(entry.uuid) || !this.#lifecycleSeen, stopped ? 'cancelled' : 'completed');
  }

  #endTurn(alsoEnds: (entry: Entry) => boolean, outcome: PromptOutcome): void {
    this.#turnOpen = false;
    for (const [index, entry] of [...this.#open.values()].entries()) {
      if (entry.state !== 'started' && !alsoEnds(entry)) continue;
      this.#open.delete(entry.uuid);
      // Without a word about the queue only the oldest is known to have been worked on.
      if (this.#lifecycleSeen || index === 0) entry.begun.resolve(true);
      if (this.#lifecycleSeen) this.#ending.set(entry.uuid, { entry, outcome });
      else settle(entry, outcome);
    }
    this.#since = this.#clock.now();
  }

  #told(state: string): void {
    if (state === 'running') this.#openTurn();
    if (state === 'idle') this.#endTurn(() => false, 'completed');
  }
}

function settle({ begun, done }: Entry, outcome: PromptOutcome): void {
  begun.resolve(outcome === 'completed');
  done.resolve(outcome);
}
