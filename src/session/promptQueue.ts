import type { Event } from '../base/emitter.ts';
import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import type { HostFrame, HostUserMessage } from '../protocol/hostFrame.ts';
import type { InterruptOutcome } from './agentSessionOptions.ts';
import { asError } from './errors.ts';
import type { HostRequests } from './hostRequests.ts';
import type { PromptContent, PromptHandle, PromptOptions, UndeliveredPrompt } from './prompt.ts';
import { attachmentsOf, textOf, toUserMessage } from './prompt.ts';
import type { Transcript } from './transcript/transcript.ts';
import type { TurnTracker } from './turnTracker.ts';

export interface PromptQueueOptions {
  readonly send: (frame: HostFrame) => Promise<void>;
  readonly requests: HostRequests;
  readonly turns: TurnTracker;
  readonly transcript: Transcript;
  readonly newUuid: () => string;
  readonly logger: Logger;
  readonly onListenerError: (error: unknown) => void;
  /** Something changed that the session's state may depend on. */
  readonly onChange: () => void;
}

/** Prompts on their way to the CLI. Whatever happens, a text either reaches it or comes back. */
export class PromptQueue {
  readonly #options: PromptQueueOptions;
  readonly #undelivered: Emitter<readonly UndeliveredPrompt[]>;
  /** Handed over before the line was open. */
  readonly #early: HostUserMessage[] = [];
  #phase: 'early' | 'open' | 'closing' = 'early';

  constructor(options: PromptQueueOptions) {
    this.#options = options;
    this.#undelivered = new Emitter(options.onListenerError);
  }

  get onDidNotDeliver(): Event<readonly UndeliveredPrompt[]> {
    return this.#undelivered.event;
  }

  open(): void {
    this.#phase = 'open';
    for (const frame of this.#early.splice(0)) this.#write(frame);
  }

  /** Takes no more prompts. What is taken back from here on counts as not delivered. */
  closing(): void {
    this.#phase = 'closing';
    this.#options.turns.stopping();
  }

  send(content: PromptContent, options: PromptOptions): PromptHandle {
    const { turns, transcript } = this.#options;
    const uuid = options.uuid ?? this.#options.newUuid();
    const text = textOf(content);
    if (this.#phase === 'closing') {
      this.#undelivered.fire([{ uuid, content, text }]);
      return { uuid, begun: Promise.resolve(false), done: Promise.resolve('undelivered') };
    }
    const queued = turns.busy;
    const outcome = turns.sent(uuid, content);
    transcript.promptSent({ uuid, text, attachments: attachmentsOf(content), queued });
    const frame = toUserMessage(uuid, content, options);
    if (this.#phase === 'open') this.#write(frame);
    else this.#early.push(frame);
    this.#options.onChange();
    return { uuid, ...outcome };
  }

  async interrupt(options: { readonly cancelQueued?: boolean }): Promise<InterruptOutcome> {
    const known = new Map(this.#options.turns.prompts.map(prompt => [prompt.uuid, prompt]));
    const answer = await this.#options.requests.interrupt(options);
    const cancelled = new Set(answer.cancelled);
    for (const uuid of cancelled) if (known.has(uuid)) this.#takenBack(uuid);
    const stillQueued: string[] = [];
    for (const uuid of answer.still_queued ?? []) {
      if (!known.has(uuid)) continue;
      // An older CLI does not know how to drop the queue with the turn: one by one then.
      if (options.cancelQueued === true && (await this.cancel(uuid))) cancelled.add(uuid);
      else stillQueued.push(uuid);
    }
    const taken = [...known.values()].filter(prompt => cancelled.has(prompt.uuid));
    return { stillQueued, cancelled: taken.map(({ uuid, text, content }) => ({ uuid, text, content })) };
  }

  async cancel(uuid: string): Promise<boolean> {
    const { cancelled } = await this.#options.requests.cancelAsyncMessage(uuid);
    if (cancelled) this.#takenBack(uuid);
    return cancelled;
  }

  /** The line is gone: what the CLI never began with comes back. */
  close(): void {
    this.#phase = 'closing';
    const { turns, transcript } = this.#options;
    const lost = turns.close();
    transcript.processEnded();
    for (const prompt of lost) transcript.promptWithdrawn(prompt.uuid);
    if (lost.length > 0) this.#undelivered.fire(lost);
  }

  #write(frame: HostUserMessage): void {
    this.#options.send(frame).catch((thrown: unknown) => {
      this.#options.logger.warn(`A prompt could not be sent: ${asError(thrown).message}`);
      const lost = frame.uuid === undefined ? undefined : this.#options.turns.notSent(frame.uuid);
      if (lost === undefined) return;
      this.#options.transcript.promptWithdrawn(lost.uuid);
      this.#undelivered.fire([lost]);
      this.#options.onChange();
    });
  }

  #takenBack(uuid: string): void {
    this.#options.turns.cancelled(uuid);
    this.#options.transcript.promptTakenBack(uuid);
    this.#options.onChange();
  }
}
