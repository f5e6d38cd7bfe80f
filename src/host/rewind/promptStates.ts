import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { isMissing } from '../../base/errorCode.ts';
import { eachOf, readOrNothing, writeWhole } from './disk.ts';
import type { FolderState, StateTaker } from './folderStates.ts';
import { GitStates } from './gitStates.ts';
import { StampStates } from './stampStates.ts';

export interface PromptStatesOptions {
  readonly folder: string;
  /** A folder of our own for this workspace. */
  readonly storage: string;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly clock?: Clock;
  readonly limits?: { readonly waitMs?: number; readonly mostPrompts?: number };
}

/** A state on its way: taken before a prompt goes out, kept once the prompt has its id. */
export interface PendingState {
  readonly state: Promise<FolderState | undefined>;
  /** Whether it was complete before the prompt went out: only then nothing of the turn can be in it. */
  readonly inTime: boolean;
}

export interface PromptState {
  readonly state: FolderState;
  readonly exact: boolean;
}

const stateSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('git'),
    tree: z.string(),
    objects: z.string(),
    big: z.record(z.string(), z.string()),
    empty: z.optional(z.array(z.string())),
  }),
  z.object({
    kind: z.literal('stamps'),
    stamps: z.record(z.string(), z.string()),
    truncated: z.boolean(),
    empty: z.optional(z.array(z.string())),
  }),
]);
const fileSchema = z.object({ exact: z.boolean(), state: stateSchema });

/** How long a prompt may wait for the state before it. Most folders need a twentieth of it. */
const patience = 1_500;
const mostKept = 400;
const safeName = /^[0-9a-zA-Z-]{1,100}$/;

/** The state of the folder before each prompt, on disk, so that a rewind can say what it does not undo. */
export class PromptStates {
  readonly #options: PromptStatesOptions;
  readonly #clock: Clock;
  /** One for each day: what nobody asks for any more can go as a whole. */
  readonly #objects: string;
  #taker: Promise<StateTaker> | undefined;

  constructor(options: PromptStatesOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#objects = `objects-${new Date(this.#clock.now()).toISOString().slice(0, 10)}`;
  }

  /** Looks at the folder now; settles when that is done or has taken too long. Never rejects: a prompt must go out. */
  async before(): Promise<PendingState> {
    const state = this.#takeOrTell();
    let timer: { dispose(): void } | undefined;
    const late = new Promise<'late'>(resolve => {
      timer = this.#clock.after(this.#options.limits?.waitMs ?? patience, () => resolve('late'));
    });
    const first = await Promise.race([state.then(() => 'done' as const), late]);
    timer?.dispose();
    return { state, inTime: first === 'done' };
  }

  /** A prompt that began without our doing (from the queue): the state may already hold something of its turn. */
  late(): PendingState {
    return { state: this.#takeOrTell(), inTime: false };
  }

  async keep(promptUuid: string, pending: PendingState): Promise<void> {
    const state = await pending.state;
    if (state === undefined || !safeName.test(promptUuid)) return;
    const entry: PromptState = { state, exact: pending.inTime };
    try {
      await writeWhole(this.#file(promptUuid), JSON.stringify(entry));
    } catch (error) {
      this.#options.logger.warn('The state of the folder before a prompt could not be kept', error);
    }
  }

  async of(promptUuid: string): Promise<PromptState | undefined> {
    if (!safeName.test(promptUuid)) return undefined;
    const bytes = await readOrNothing(this.#file(promptUuid));
    if (bytes === undefined) return undefined;
    try {
      return fileSchema.parse(JSON.parse(bytes.toString('utf8')));
    } catch (error) {
      this.#options.logger.warn('The state before a prompt could not be read', error);
      return undefined;
    }
  }

  /** The taker that understands a state: one kind cannot be compared with the other. */
  async taker(): Promise<StateTaker> {
    return (this.#taker ??= this.#openTaker());
  }

  /** Removes what is too old to be asked for, and the contents that nothing asks for any more. */
  async tidy(): Promise<void> {
    const { storage, limits } = this.#options;
    const folder = join(storage, 'prompts');
    const names = await namesIn(folder);
    const aged = await eachOf(names, async name => ({ name, at: (await lstat(join(folder, name))).mtimeMs }));
    aged.sort((a, b) => b.at - a.at);
    const most = limits?.mostPrompts ?? mostKept;
    for (const { name } of aged.slice(most)) await rm(join(folder, name), { force: true });
    const used = new Set([this.#objects]);
    for (const { name } of aged.slice(0, most)) {
      const kept = await this.of(name.replace(/\.json$/, ''));
      if (kept?.state.kind === 'git') used.add(kept.state.objects);
    }
    for (const name of await namesIn(join(storage, 'states'))) {
      // Only stores of contents: a temporary index beside them belongs to somebody who is just at work.
      if (name.startsWith('objects-') && !used.has(name))
        await rm(join(storage, 'states', name), { recursive: true, force: true });
    }
  }

  async #openTaker(): Promise<StateTaker> {
    const { folder, storage, newId } = this.#options;
    const states = join(storage, 'states');
    await mkdir(states, { recursive: true });
    const git = await GitStates.open({ folder, storage: states, objects: this.#objects, newId });
    return git ?? new StampStates({ folder });
  }

  async #takeOrTell(): Promise<FolderState | undefined> {
    try {
      return await (await this.taker()).take(AbortSignal.timeout(30_000));
    } catch (error) {
      this.#options.logger.warn('The state of the folder could not be looked at', error);
      return undefined;
    }
  }

  #file(promptUuid: string): string {
    return join(this.#options.storage, 'prompts', `${promptUuid}.json`);
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
