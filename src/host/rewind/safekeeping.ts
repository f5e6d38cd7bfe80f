import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Logger } from '../../base/logger.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import { isMissing } from '../../base/errorCode.ts';
import { eachOf, hashOf, isFull, presenceOf, readOrNothing, removeFile, writeWhole } from './disk.ts';

const heldSchema = z.object({
  path: z.string(),
  /** Name of the copy in the record's folder; `null`: there was no file. */
  copy: z.nullable(z.string()),
  mode: z.optional(z.number()),
  /** What was to stand there after the rewind, where that was known: a hash, or `null` for no file. */
  wanted: z.optional(z.nullable(z.string())),
  /** What stood there after the rewind: a hash, or `null` for no file. Tells whether somebody wrote since. */
  after: z.optional(z.nullable(z.string())),
});

const recordSchema = z.object({
  id: z.string(),
  at: z.number(),
  kind: z.enum(['rewind', 'undo', 'revert']),
  folder: z.string(),
  sessionId: z.string(),
  promptId: z.string(),
  promptText: z.string(),
  /** Whether the conversation has gone back too: then there is nothing to tell the agent. */
  conversation: z.boolean(),
  told: z.boolean(),
  undone: z.boolean(),
  /** Whether the rewind itself came to its end. */
  done: z.boolean(),
  files: z.array(heldSchema),
});

export type HeldState = z.infer<typeof heldSchema>;
export type RewindRecord = z.infer<typeof recordSchema>;
export type RecordHead = Pick<RewindRecord, 'kind' | 'folder' | 'sessionId' | 'promptId' | 'promptText'>;

export interface SafekeepingOptions {
  readonly storage: string;
  readonly logger: Logger;
  readonly newId: () => string;
  readonly now: () => number;
  readonly mostRecords?: number;
  /** Copies one file; a parameter, because a full disk is hard to come by. */
  readonly copy?: (from: string, to: string) => Promise<void>;
}

/** The state of files before each rewind, on disk, until it is too old to be wanted back. */
export class Safekeeping {
  readonly #options: SafekeepingOptions;

  constructor(options: SafekeepingOptions) {
    this.#options = options;
  }

  /** Copies every file as it is now. The record counts only once all copies are there. `wanted`: what is to come, by hash. */
  async save(
    head: RecordHead,
    paths: readonly string[],
    wanted: ReadonlyMap<string, string | null> = new Map(),
  ): Promise<RewindRecord> {
    const { newId, now } = this.#options;
    const id = newId();
    const folder = join(this.#options.storage, id);
    try {
      await mkdir(folder, { recursive: true });
      const files = await eachOf([...paths.entries()], async ([index, path]) => {
        const held = await this.#hold(path, folder, String(index));
        const after = wanted.get(path);
        return after === undefined ? held : { ...held, wanted: after };
      });
      const state = { conversation: false, told: false, undone: false, done: false };
      const record: RewindRecord = { ...head, id, at: now(), ...state, files };
      await this.#write(record);
      return record;
    } catch (error) {
      await this.#clean(folder);
      const code = isFull(error) ? 'noSpace' : 'failed';
      throw new RewindError(code, 'The present state of the files could not be saved; nothing was changed.', {
        cause: error,
      });
    }
  }

  /** The rewind is through: remembers what it left, so that later changes by others are seen. */
  async finish(record: RewindRecord): Promise<RewindRecord> {
    const files = await eachOf(record.files, async file => ({ ...file, after: await presentHash(file.path) }));
    const done = { ...record, files, done: true };
    await this.#write(done);
    await this.tidy();
    return done;
  }

  async update(
    record: RewindRecord,
    change: Partial<Pick<RewindRecord, 'told' | 'undone' | 'conversation'>>,
  ): Promise<RewindRecord> {
    const changed = { ...record, ...change };
    await this.#write(changed);
    return changed;
  }

  async drop(record: RewindRecord): Promise<void> {
    await rm(join(this.#options.storage, record.id), { recursive: true, force: true });
  }

  /** Puts every file back as it was saved. Rejects with the files that would not go back. */
  async putBack(record: RewindRecord, only?: ReadonlySet<string>): Promise<void> {
    const wanted = record.files.filter(file => only === undefined || only.has(file.path));
    const failures = await eachOf(wanted, async file => {
      try {
        await this.#putBackOne(record, file);
        return undefined;
      } catch (error) {
        return { path: file.path, error };
      }
    });
    const failed = failures.filter(failure => failure !== undefined);
    if (failed.length === 0) return;
    throw new RewindError('halfDone', 'Some files could not be put back.', {
      cause: failed[0]?.error,
      paths: failed.map(({ path }) => path),
    });
  }

  /** Files that are no longer as the rewind left them; if it was cut off, those that it did not leave so. */
  async changedSince(record: RewindRecord): Promise<readonly string[]> {
    const changed = await eachOf(record.files, async file => {
      const present = await presentHash(file.path);
      if (file.after !== undefined) return present === file.after ? undefined : file.path;
      return present === file.wanted || present === (await this.#savedHash(record, file)) ? undefined : file.path;
    });
    return changed.filter(path => path !== undefined);
  }

  /** What stood at each path before the rewind, by hash. */
  async saved(record: RewindRecord): Promise<ReadonlyMap<string, string | null>> {
    const hashes = await eachOf(record.files, async file => [file.path, await this.#savedHash(record, file)] as const);
    return new Map(hashes.flatMap(([path, hash]) => (hash === undefined ? [] : [[path, hash] as const])));
  }

  async find(id: string): Promise<RewindRecord | undefined> {
    return /^[0-9a-zA-Z-]{1,100}$/.test(id) ? this.#read(id) : undefined;
  }

  /** All records, newest first. */
  async list(): Promise<readonly RewindRecord[]> {
    const records = await eachOf(await this.#ids(), id => this.#read(id));
    return records.filter(record => record !== undefined).sort((a, b) => b.at - a.at);
  }

  async tidy(): Promise<void> {
    const records = await this.list();
    for (const old of records.slice(this.#options.mostRecords ?? 50)) await this.drop(old);
  }

  async #hold(path: string, folder: string, copy: string): Promise<HeldState> {
    const presence = await presenceOf(path);
    if (presence.kind !== 'file') return { path, copy: null };
    await (this.#options.copy ?? cloneFile)(path, join(folder, copy));
    return { path, copy, mode: presence.mode };
  }

  /** `undefined`: the copy is gone. */
  async #savedHash(record: RewindRecord, { copy }: HeldState): Promise<string | null | undefined> {
    if (copy === null) return null;
    const bytes = await readOrNothing(this.#copyPath(record, copy));
    return bytes === undefined ? undefined : hashOf(bytes);
  }

  async #putBackOne(record: RewindRecord, { path, copy, mode }: HeldState): Promise<void> {
    if (copy === null) {
      if ((await presenceOf(path)).kind === 'file') await removeFile(path);
      return;
    }
    const bytes = await readOrNothing(this.#copyPath(record, copy));
    if (bytes === undefined) throw new Error(`The saved copy of ${path} is gone.`);
    const present = await presenceOf(path);
    if (present.kind === 'other') throw new Error(`${path} is no file any more.`);
    if (present.kind === 'file' && (await readOrNothing(path))?.equals(bytes) === true) {
      if (mode !== undefined && mode !== present.mode) await chmod(path, mode);
      return;
    }
    await writeWhole(path, bytes, mode);
  }

  /** What is left of a failed attempt; that it stays is no second failure. */
  async #clean(folder: string): Promise<void> {
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      this.#options.logger.warn('An unfinished record could not be removed', error);
    }
  }

  async #ids(): Promise<readonly string[]> {
    try {
      return await readdir(this.#options.storage);
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  async #read(id: string): Promise<RewindRecord | undefined> {
    const bytes = await readOrNothing(join(this.#options.storage, id, 'record.json'));
    if (bytes === undefined) return undefined;
    try {
      return recordSchema.parse(JSON.parse(bytes.toString('utf8')));
    } catch (error) {
      this.#options.logger.warn(`A saved rewind could not be read: ${id}`, error);
      return undefined;
    }
  }

  async #write(record: RewindRecord): Promise<void> {
    await writeWhole(join(this.#options.storage, record.id, 'record.json'), JSON.stringify(record));
  }

  #copyPath(record: RewindRecord, copy: string): string {
    return join(this.#options.storage, record.id, copy);
  }
}

/** Without using room where the disk can share it. */
function cloneFile(from: string, to: string): Promise<void> {
  return copyFile(from, to, constants.COPYFILE_FICLONE);
}

/** `null`: there is no file. */
export async function presentHash(path: string): Promise<string | null> {
  if ((await presenceOf(path)).kind !== 'file') return null;
  const bytes = await readOrNothing(path);
  return bytes === undefined ? null : hashOf(bytes);
}
