import type { Logger } from '../../base/logger.ts';

/** Whether a turn runs, as far as the conversation tells. Only `init` and a request open one; only a result ends it. */
export class Turn {
  readonly #logger: Logger;
  #active = false;
  #promptsKnown = false;
  #lastResult: number | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isActive(): boolean {
    return this.#active;
  }

  /** Returns whether this was the beginning. */
  begin(): boolean {
    const begins = !this.#active;
    this.#active = true;
    return begins;
  }

  /** Whether these are the prompts the turn began with: the first list a turn names. */
  beginsWith(promptIds: readonly string[] | undefined): promptIds is readonly string[] {
    if (promptIds === undefined || promptIds.length === 0 || this.#promptsKnown) return false;
    this.#promptsKnown = true;
    return true;
  }

  end(): void {
    this.#active = false;
    this.#promptsKnown = false;
  }

  /** Results are numbered from 0 within a process; a gap means that one was lost on the way. */
  countResult(index: number | undefined): void {
    if (index === undefined) return;
    const expected = this.#lastResult === undefined ? undefined : this.#lastResult + 1;
    if (expected !== undefined && index > expected) {
      this.#logger.warn(`transcript: result ${index} came after result ${expected - 1}, ${index - expected} lost`);
    }
    this.#lastResult = index;
  }

  /** A new process counts from 0 again. */
  newProcess(): void {
    this.end();
    this.#lastResult = undefined;
  }
}
