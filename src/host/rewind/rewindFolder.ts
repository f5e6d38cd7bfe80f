import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
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
    this.states.tidy().catch((error: unknown) => logger.warn('Old states of the folder could not be removed', error));
  }

  /** One after the other, so that prompts go out in the order they were sent. */
  before(): Promise<PendingState> {
    const next = this.#last.then(() => this.states.before());
    this.#last = next;
    return next;
  }
}
