import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Deferred } from '../../base/deferred.ts';
import type { Logger } from '../../base/logger.ts';
import type { FileHistory } from './fileHistory.ts';
import type { PendingState } from './promptStates.ts';
import { PromptStates } from './promptStates.ts';
import { Rewinder } from './rewinder.ts';
import { Safekeeping } from './safekeeping.ts';

/** Everything about rewinds in one folder. */
export class RewindFolder {
  readonly states: PromptStates;
  readonly safe: Safekeeping;
  readonly rewinder: Rewinder;
  /** Never rejects. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(folder: string, storage: string, history: FileHistory, logger: Logger) {
    const place = join(storage, createHash('sha256').update(folder).digest('hex').slice(0, 16));
    this.states = new PromptStates({ folder, storage: place, logger, newId: randomUUID });
    this.safe = new Safekeeping({
      storage: join(place, 'rewinds'),
      logger,
      newId: randomUUID,
      now: () => Date.now(),
    });
    this.rewinder = new Rewinder({ folder, history, states: this.states, safe: this.safe, logger });
  }

  /** Prompts go out in the order they were sent, and none while files are being taken back. */
  before(): Promise<PendingState> {
    return this.alone(() => this.states.before());
  }

  /** Does one thing after the other. */
  async alone<T>(work: () => Promise<T>): Promise<T> {
    const earlier = this.#last;
    const mine = new Deferred<undefined>();
    this.#last = mine.promise;
    await earlier;
    try {
      return await work();
    } finally {
      mine.resolve(undefined);
    }
  }
}
