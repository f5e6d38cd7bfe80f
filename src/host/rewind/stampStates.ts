import { opendir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderChange } from '../../session/rewind/leftovers.ts';
import { codeOf, isForbidden, isMissing } from '../../base/errorCode.ts';
import { canRun, eachOf, hashOf, presenceOf, readOrNothing } from './disk.ts';
import { emptyFolderChanges, foldersOf } from './emptyFolders.ts';
import type { FolderState, HeldFile, StateTaker } from './folderStates.ts';

type StampState = Extract<FolderState, { kind: 'stamps' }>;

export interface StampStatesOptions {
  readonly folder: string;
  readonly mostFiles?: number;
  readonly mostHashedBytes?: number;
}

/** Made by tools, remade at will, and big. */
const skipped = new Set([
  '.git',
  '.hg',
  '.svn',
  'node_modules',
  '.venv',
  '__pycache__',
  'target',
  'dist',
  'out',
  '.cache',
]);

/** At the end of the hash of a file that can be run. */
const runs = ':runs';
/** In place of the hash, before what a link points to. */
const linkTo = 'link to ';

/** States of a folder without git: enough to say which files changed, not to bring them back. */
export class StampStates implements StateTaker {
  readonly #options: StampStatesOptions;
  /** Hashes of the last look, by path, each with the stamp that it was made for. */
  #known = new Map<string, { readonly stamp: string; readonly hash: string }>();

  constructor(options: StampStatesOptions) {
    this.#options = options;
  }

  async take(signal?: AbortSignal): Promise<StampState> {
    const { folder, mostFiles = 5_000 } = this.#options;
    const { paths, empty, truncated } = await listFiles(folder, mostFiles, signal);
    const known = new Map<string, { stamp: string; hash: string }>();
    const stamps: Record<string, string> = {};
    await eachOf(paths, async path => {
      signal?.throwIfAborted();
      const stamp = await this.#stamp(path, known);
      if (stamp !== undefined) stamps[path] = stamp;
    });
    this.#known = known;
    return { kind: 'stamps', stamps, truncated, empty };
  }

  async changes(from: StampState, to: StampState): Promise<readonly FolderChange[]> {
    const paths = new Set([...Object.keys(from.stamps), ...Object.keys(to.stamps)]);
    const changes: FolderChange[] = [];
    for (const path of paths) {
      const [before, after] = [from.stamps[path], to.stamps[path]];
      if (before === after) continue;
      // Where not every file was looked at, one that is only on one side may merely have been passed over.
      if ((before === undefined && from.truncated) || (after === undefined && to.truncated)) continue;
      changes.push({ path, change: before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed' });
    }
    if (from.truncated || to.truncated) return Promise.resolve(changes);
    return Promise.resolve([...changes, ...emptyFolderChanges(from.empty, to.empty, changes)]);
  }

  async folders(state: StampState): Promise<ReadonlySet<string> | undefined> {
    const isWhole = state.empty !== undefined && !state.truncated;
    return Promise.resolve(isWhole ? foldersOf(Object.keys(state.stamps), state.empty) : undefined);
  }

  async held(state: StampState, paths: ReadonlySet<string>): Promise<ReadonlyMap<string, HeldFile>> {
    const found = new Map<string, HeldFile>();
    for (const path of paths) {
      const stamp = state.stamps[path];
      if (stamp === undefined) continue;
      const executable = stamp.endsWith(runs);
      const id = executable ? stamp.slice(0, -runs.length) : stamp;
      found.set(path, { path, id, executable, plain: !stamp.startsWith(linkTo) });
    }
    return Promise.resolve(found);
  }

  async unseen(paths: readonly string[]): Promise<ReadonlySet<string>> {
    return Promise.resolve(new Set(paths.filter(path => path.split('/').some(part => skipped.has(part)))));
  }

  async contents(_state: StampState, files: readonly unknown[]): Promise<readonly undefined[]> {
    return Promise.resolve(files.map(() => undefined));
  }

  async #stamp(path: string, known: Map<string, { stamp: string; hash: string }>): Promise<string | undefined> {
    const full = join(this.#options.folder, path);
    const presence = await presenceOf(full);
    if (presence.kind === 'other') return linkStamp(full);
    if (presence.kind !== 'file') return undefined;
    const { size, stamp, mode } = presence;
    if (size > (this.#options.mostHashedBytes ?? 1024 * 1024)) return stamp;
    const before = this.#known.get(path);
    const hash = before?.stamp === stamp ? before.hash : await hashOfFile(full);
    if (hash === undefined) return undefined;
    known.set(path, { stamp, hash });
    return canRun(mode) ? `${hash}${runs}` : hash;
  }
}

/** A link is known by where it points; `undefined` for what is neither file nor link. */
async function linkStamp(path: string): Promise<string | undefined> {
  try {
    return `${linkTo}${await readlink(path)}`;
  } catch (error) {
    if (isMissing(error) || codeOf(error) === 'EINVAL') return undefined;
    throw error;
  }
}

async function hashOfFile(path: string): Promise<string | undefined> {
  const bytes = await readOrNothing(path);
  return bytes === undefined ? undefined : hashOf(bytes);
}

async function listFiles(
  folder: string,
  most: number,
  signal: AbortSignal | undefined,
): Promise<{ paths: string[]; empty: string[]; truncated: boolean }> {
  const paths: string[] = [];
  const empty: string[] = [];
  const waiting = [''];
  for (let place = waiting.shift(); place !== undefined; place = waiting.shift()) {
    signal?.throwIfAborted();
    try {
      let count = 0;
      for await (const entry of await opendir(join(folder, place))) {
        const path = place === '' ? entry.name : `${place}/${entry.name}`;
        count += 1;
        if (entry.isDirectory() && !skipped.has(entry.name)) waiting.push(path);
        else if (entry.isFile() || entry.isSymbolicLink()) paths.push(path);
        if (paths.length >= most) return { paths, empty, truncated: true };
      }
      if (count === 0 && place !== '') empty.push(place);
    } catch (error) {
      if (!isMissing(error) && !isForbidden(error)) throw error;
    }
  }
  return { paths, empty, truncated: false };
}
