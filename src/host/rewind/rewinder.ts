import { access, constants, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import {
  eachOf,
  hashOf,
  isFull,
  presenceOf,
  readOrNothing,
  removeFile,
  removeIfEmpty,
  stampOf,
  writeWhole,
} from './disk.ts';
import { foldersOf } from './emptyFolders.ts';
import type { FileHistory } from './fileHistory.ts';
import { insidePath } from '../paths.ts';
import type { PromptStates } from './promptStates.ts';
import type { LookRequest, RewindAgent } from './rewindLook.ts';
import { RewindLook } from './rewindLook.ts';
import type { FoundLeftover, RewindFile, RewindPreview } from './rewindPreview.ts';
import { isRestorable } from './rewindPreview.ts';
import type { RecordHead, RewindRecord, Safekeeping } from './safekeeping.ts';

export interface RewinderOptions {
  readonly folder: string;
  readonly history: FileHistory;
  readonly states: PromptStates;
  readonly safe: Safekeeping;
  readonly logger: Logger;
  /** Bytes that can be written below a folder; a parameter, because a full disk is hard to come by. */
  readonly freeBytes?: (folder: string) => Promise<number>;
}

export interface RewindChoice {
  /** Leftovers to take back too. */
  readonly restore: readonly FoundLeftover[];
  /** Files that stay as they are. */
  readonly keep: ReadonlySet<string>;
  readonly promptText: string;
}

export interface RewindDone {
  readonly record: RewindRecord;
  readonly restored: readonly string[];
  readonly removed: readonly string[];
  /** Files that are not as the preview said they would be. */
  readonly differing: readonly string[];
}

/**
 * Takes files back: looks first, saves what is there, lets the CLI do it, checks what came out. Whatever goes wrong after
 * the first write is followed by putting everything back.
 */
export class Rewinder {
  readonly #options: RewinderOptions;
  readonly #look: RewindLook;

  constructor(options: RewinderOptions) {
    this.#options = options;
    const { folder, history, states, safe, logger } = options;
    this.#look = new RewindLook({
      folder,
      history,
      states,
      logger,
      leftByUs: async () => {
        const files = (await safe.list()).flatMap(record => record.files);
        return new Set(files.flatMap(({ path, after }) => (typeof after === 'string' ? [`${path}\0${after}`] : [])));
      },
    });
  }

  look(request: LookRequest): Promise<RewindPreview> {
    return this.#look.look(request);
  }

  async rewind(preview: RewindPreview, agent: RewindAgent, choice: RewindChoice): Promise<RewindDone> {
    const { folder, safe } = this.#options;
    const restore = choice.restore.filter(isRestorable);
    await this.#checkBefore(preview, restore);
    const extra = restore.map(leftover => join(folder, leftover.path));
    const affected = [...new Set([...preview.files.map(file => file.path), ...preview.own, ...extra])];
    const keep = new Set([...choice.keep, ...preview.own]);
    const record = await safe.save(this.#head(preview, choice), affected, await foretold(preview.files, extra));
    try {
      await this.#carryOut(preview, agent);
      await this.#setPassedOver(preview);
      await safe.putBack(record, keep);
      await this.#restore(preview, restore);
    } catch (error) {
      throw await this.#putAllBack(record, error);
    }
    await this.#removeFolders(preview, affected);
    const differing = await this.#differing(preview, restore, keep);
    // What stays is no part of what was done, nor of what can be undone.
    const finished = await this.#finish({ ...record, files: record.files.filter(file => !keep.has(file.path)) });
    const kept = preview.files.filter(file => !keep.has(file.path));
    return {
      record: finished,
      restored: [
        ...kept.filter(file => file.change !== 'delete').map(file => file.path),
        ...restore.filter(one => one.change !== 'created' && !one.afterRewind).map(one => join(folder, one.path)),
      ],
      removed: [
        ...kept.filter(file => file.change === 'delete').map(file => file.path),
        ...restore.filter(one => one.change === 'created').map(one => join(folder, one.path)),
      ],
      differing,
    };
  }

  /**
   * Brings back what was there before a rewind; what is there now is saved first, so that this can be undone too.
   * `sessionId`: the session it belongs to, if another one than the rewind's went on from there.
   */
  async undo(record: RewindRecord, sessionId = record.sessionId): Promise<RewindRecord> {
    const { safe } = this.#options;
    const { folder, promptId, promptText } = record;
    const present = await safe.save(
      { kind: 'undo', folder, sessionId, promptId, promptText },
      record.files.map(file => file.path),
      await safe.saved(record),
    );
    try {
      await safe.putBack(record);
    } catch (error) {
      throw await this.#putAllBack(present, error);
    }
    const done = await this.#finish(present);
    await safe.update(record, { undone: true });
    return done;
  }

  /** Sets single files to given contents (a turn's review), with the same way back. `undefined`: the file goes. */
  async revert(head: Omit<RecordHead, 'kind'>, files: ReadonlyMap<string, Buffer | undefined>): Promise<RewindRecord> {
    const { safe } = this.#options;
    const wanted = new Map([...files].map(([path, bytes]) => [path, bytes === undefined ? null : hashOf(bytes)]));
    const record = await safe.save({ ...head, kind: 'revert' }, [...files.keys()], wanted);
    try {
      for (const [path, bytes] of files) await this.#set(path, bytes);
    } catch (error) {
      throw await this.#putAllBack(record, error);
    }
    return this.#finish(record);
  }

  #head(preview: RewindPreview, choice: RewindChoice): RecordHead {
    const { sessionId, promptId } = preview;
    const { promptText } = choice;
    return { kind: 'rewind', folder: this.#options.folder, sessionId, promptId, promptText };
  }

  /** Nothing may be written unless everything can be. */
  async #checkBefore(preview: RewindPreview, restore: readonly FoundLeftover[]): Promise<void> {
    const { folder } = this.#options;
    const extra = restore.map(({ path, stamp }) => ({ path: join(folder, path), stamp }));
    const affected = [...preview.files, ...extra];
    const changed = await pathsThat(affected, async ({ path, stamp }) => (await stampOf(path)) !== stamp);
    if (changed.length > 0) {
      throw new RewindError('changedMeanwhile', 'Files changed after the preview.', { paths: changed });
    }
    const readOnly = await pathsThat(affected, async ({ path }) => !(await isWritable(path)));
    if (readOnly.length > 0) throw new RewindError('readOnly', 'Files may not be written.', { paths: readOnly });
    if ((await growth(preview.files)) > (await (this.#options.freeBytes ?? freeBytes)(folder))) {
      throw new RewindError('noSpace', 'There is no room for the files that come back.');
    }
  }

  async #carryOut(preview: RewindPreview, agent: RewindAgent): Promise<void> {
    if (preview.files.length === 0) return;
    const answer = await agent.rewindFiles(preview.promptId, { dryRun: false });
    if (!answer.canRewind) throw new RewindError('refused', answer.message);
  }

  /**
   * The CLI takes a file of the same size that is older than its copy for unchanged and leaves it: one that was moved there, for
   * example. The person was shown what it will be, and the copy is there.
   */
  async #setPassedOver(preview: RewindPreview): Promise<void> {
    for (const file of preview.files) {
      const bytes = file.backup === undefined ? undefined : await readOrNothing(file.backup.path);
      const isPlain = (await presenceOf(file.path)).kind === 'file';
      if (!isPlain || file.backup === undefined || bytes === undefined || (await isAsForetold(file))) continue;
      await writeWhole(file.path, bytes, file.backup.mode);
    }
  }

  async #restore(preview: RewindPreview, restore: readonly FoundLeftover[]): Promise<void> {
    const { folder, states } = this.#options;
    const { state } = preview;
    if (restore.length === 0 || state === undefined) return;
    for (const { path } of restore.filter(one => one.change === 'created')) await removeFile(join(folder, path));
    const taker = await states.taker();
    const wanted = restore.flatMap(({ path, old, executable }) =>
      old === undefined ? [] : [{ path, id: old, executable: executable === true }],
    );
    for (let start = 0; start < wanted.length; start += 200) {
      const group = wanted.slice(start, start + 200);
      const contents = await taker.contents(state, group);
      for (const [at, { path, executable }] of group.entries()) {
        const bytes = contents[at];
        if (bytes === undefined) throw new RewindError('failed', `The old content of ${path} is gone.`);
        await this.#set(join(folder, path), bytes, executable);
      }
    }
  }

  /**
   * Folders that were not there at the point and have no file left go as well. Undo makes them again, with their files. The
   * files are where they belong by now: a folder that somebody holds open stays.
   */
  async #removeFolders({ compared, state }: RewindPreview, affected: readonly string[]): Promise<void> {
    const { folder, states, logger } = this.#options;
    if (compared !== 'exact' || state === undefined) return;
    try {
      const before = await (await states.taker()).folders(state);
      if (before === undefined) return;
      const inside = affected.flatMap(path => insidePath(path, folder) ?? []);
      const made = [...foldersOf(inside, [])].filter(path => !before.has(path));
      // The deepest first.
      for (const path of made.sort((a, b) => b.length - a.length)) await removeIfEmpty(join(folder, path));
    } catch (error) {
      logger.warn('Empty folders stayed', error);
    }
  }

  async #set(path: string, bytes: Buffer | undefined, executable?: boolean): Promise<void> {
    if (bytes === undefined) {
      await removeFile(path);
      return;
    }
    const present = await presenceOf(path);
    if (present.kind === 'other') throw new RewindError('failed', `${path} is no plain file.`);
    const before = present.kind === 'file' ? present.mode : 0o644;
    const mode = executable === undefined ? before : executable ? before | 0o111 : before & ~0o111;
    await writeWhole(path, bytes, mode);
  }

  /** The files are as wanted; a record that cannot be brought up to date can still be undone. */
  async #finish(record: RewindRecord): Promise<RewindRecord> {
    try {
      return await this.#options.safe.finish(record);
    } catch (error) {
      this.#options.logger.warn('The record of a rewind could not be brought up to date', error);
      return record;
    }
  }

  /** The error to tell, after everything was put back, or with what could not be. */
  async #putAllBack(record: RewindRecord, cause: unknown): Promise<RewindError> {
    const { safe, logger } = this.#options;
    logger.warn('A rewind failed; the files are put back', cause);
    try {
      await safe.putBack(record);
      await safe.drop(record);
    } catch (error) {
      const paths = error instanceof RewindError ? error.paths : [];
      await this.#finish(record);
      return new RewindError('halfDone', 'The rewind failed and some files could not be put back.', { cause, paths });
    }
    if (cause instanceof RewindError) return cause;
    const text = cause instanceof Error ? cause.message : String(cause);
    return new RewindError(isFull(cause) ? 'noSpace' : 'failed', text, { cause });
  }

  async #differing(
    preview: RewindPreview,
    restore: readonly FoundLeftover[],
    keep: ReadonlySet<string>,
  ): Promise<readonly string[]> {
    const overridden = new Set(restore.map(leftover => join(this.#options.folder, leftover.path)));
    const checked = preview.files.filter(file => !keep.has(file.path) && !overridden.has(file.path));
    const wrong = await eachOf(checked, async file => ((await isAsForetold(file)) ? undefined : file.path));
    return wrong.filter(path => path !== undefined);
  }
}

/** What the CLI will leave, by hash; not for those that are written again after it. */
async function foretold(
  files: readonly RewindFile[],
  but: readonly string[],
): Promise<ReadonlyMap<string, string | null>> {
  const again = new Set(but);
  const hashes = await eachOf(
    files,
    async ({ path, backup }): Promise<readonly (readonly [string, string | null])[]> => {
      if (again.has(path)) return [];
      if (backup === undefined) return [[path, null]];
      const bytes = await readOrNothing(backup.path);
      return bytes === undefined ? [] : [[path, hashOf(bytes)]];
    },
  );
  return new Map(hashes.flat());
}

async function isAsForetold(file: RewindFile): Promise<boolean> {
  const present = await presenceOf(file.path);
  if (file.backup === undefined) return present.kind === 'absent';
  if (present.kind !== 'file' || present.mode !== file.backup.mode) return false;
  const [now, wanted] = await Promise.all([readOrNothing(file.path), readOrNothing(file.backup.path)]);
  return now !== undefined && wanted !== undefined && now.equals(wanted);
}

async function pathsThat<T extends { readonly path: string }>(
  list: readonly T[],
  isSo: (one: T) => Promise<boolean>,
): Promise<readonly string[]> {
  const found = await eachOf(list, async one => ((await isSo(one)) ? one.path : undefined));
  return [...new Set(found.filter(path => path !== undefined))];
}

/** What more room the files need. The CLI writes over files in place: on a full disk it would leave half of one. */
async function growth(files: readonly RewindFile[]): Promise<number> {
  const grown = await eachOf(files, async ({ path, backup }) => {
    const present = await presenceOf(path);
    return Math.max(0, (backup?.size ?? 0) - (present.kind === 'file' ? present.size : 0));
  });
  return grown.reduce((sum, bytes) => sum + bytes, 0);
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** A missing file needs a folder that takes it, or one above that can be made. */
async function isWritable(path: string): Promise<boolean> {
  const present = await presenceOf(path);
  if (present.kind === 'other') return false;
  if (present.kind === 'file' && (present.mode & 0o200) === 0) return false;
  try {
    if (present.kind === 'file') await access(path, constants.W_OK);
    let folder = dirname(path);
    while ((await presenceOf(folder)).kind === 'absent' && folder !== dirname(folder)) folder = dirname(folder);
    await access(folder, constants.W_OK);
    return true;
  } catch {
    // Whatever keeps us from writing, the answer is the same.
    return false;
  }
}
