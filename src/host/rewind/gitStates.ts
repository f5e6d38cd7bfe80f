import { constants } from 'node:fs';
import { access, copyFile, lstat, mkdir, rm } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { FolderChange } from '../../session/rewind/leftovers.ts';
import { isMissing } from '../../base/errorCode.ts';
import { emptyAmong, emptyFolderChanges, foldersOf } from './emptyFolders.ts';
import type { FolderState, HeldFile, StateTaker } from './folderStates.ts';
import { isPlain, readBatch, readRawChange, terminated, withBig } from './gitOutput.ts';
import { runGit, zeroSeparated } from '../runGit.ts';

type GitState = Extract<FolderState, { kind: 'git' }>;

export interface GitStatesOptions {
  readonly folder: string;
  /** Where our objects and the temporary index go: outside of the repository. */
  readonly storage: string;
  /** Name of the folder for new objects; older ones are still read. */
  readonly objects: string;
  readonly mostBytes?: number;
  readonly newId: () => string;
}

interface Repository {
  readonly top: string;
  /** The folder, seen from the top: empty when it is the top. */
  readonly prefix: string;
  readonly index: string;
  readonly objects: string;
  /** Whether git looks at what can be run here: not on every file system. */
  readonly fileMode: boolean;
}

const listSeparator = process.platform === 'win32' ? ';' : ':';
const bigFile = 20 * 1024 * 1024;

/**
 * States of a folder under git, as trees. The person's index is copied, never opened for writing; new objects go into a
 * folder of our own, with the repository's as the one to look into; refs and stash are not touched at all.
 */
export class GitStates implements StateTaker {
  readonly #options: GitStatesOptions;
  readonly #repository: Repository;

  private constructor(options: GitStatesOptions, repository: Repository) {
    this.#options = options;
    this.#repository = repository;
  }

  /** `undefined`: the folder is not in a repository, or there is no git. */
  static async open(options: GitStatesOptions): Promise<GitStates | undefined> {
    try {
      const args = ['rev-parse', '--show-toplevel', '--git-path', 'index', '--git-path', 'objects'];
      const answer = (await runGit({ cwd: options.folder, args })).toString('utf8').trimEnd().split('\n');
      const [top, index, objects] = answer;
      if (top === undefined || index === undefined || objects === undefined || top === '') return undefined;
      const prefix = relative(resolve(top), options.folder).split(sep).join('/');
      if (prefix.startsWith('..')) return undefined;
      const modeArgs = ['config', '--type=bool', '--get', 'core.fileMode'];
      const mode = await runGit({ cwd: options.folder, args: modeArgs, mayEndWith: [0, 1] });
      return new GitStates(options, {
        top: resolve(top),
        prefix,
        fileMode: mode.toString('utf8').trim() !== 'false',
        index: resolve(options.folder, index),
        objects: resolve(options.folder, objects),
      });
    } catch {
      // No git, no repository, a bare one or one that git does not trust: file stamps do the work instead.
      return undefined;
    }
  }

  async take(signal?: AbortSignal): Promise<GitState> {
    const { storage, objects, newId } = this.#options;
    await mkdir(join(storage, objects), { recursive: true });
    const index = join(storage, `index-${newId()}`);
    try {
      await this.#copyIndex(index);
      const { changed, empty } = await this.#changedPaths(index, signal);
      const { wanted, big } = await this.#withoutBig(changed);
      const input = terminated(wanted);
      await this.#git(['update-index', '--add', '--remove', '--ignore-skip-worktree-entries', '-z', '--stdin'], {
        index,
        input,
        signal,
      });
      // What the index has of them is an older content: a tree with that in it would tell the wrong one.
      const bigInput = terminated(Object.keys(big).map(path => `${this.#start}${path}`));
      if (bigInput !== '')
        await this.#git(['update-index', '--force-remove', '-z', '--stdin'], { index, input: bigInput, signal });
      const tree = (await this.#git(['write-tree', '--missing-ok', ...this.#prefixOption()], { index, signal }))
        .toString('utf8')
        .trim();
      return { kind: 'git', tree, objects, big, empty };
    } finally {
      await rm(index, { force: true });
      await rm(`${index}.lock`, { force: true });
    }
  }

  async changes(from: GitState, to: GitState): Promise<readonly FolderChange[]> {
    const args = ['diff-tree', '-r', '-z', '--raw', '--no-renames', '--no-abbrev', from.tree, to.tree];
    const output = await this.#git(args, { states: [from, to] });
    const parts = zeroSeparated(output);
    const found: FolderChange[] = [];
    for (let at = 0; at + 1 < parts.length; at += 2) {
      const change = readRawChange(parts[at] ?? '', parts[at + 1] ?? '');
      if (change !== undefined) found.push(change);
    }
    const all = withBig(found, from.big, to.big);
    return [...all, ...emptyFolderChanges(from.empty, to.empty, all)];
  }

  async folders(state: GitState): Promise<ReadonlySet<string> | undefined> {
    if (state.empty === undefined) return undefined;
    const output = await this.#git(['ls-tree', '-r', '-z', '--name-only', '--full-tree', state.tree], {
      states: [state],
    });
    return foldersOf([...zeroSeparated(output), ...Object.keys(state.big)], state.empty);
  }

  async held(state: GitState, paths: ReadonlySet<string>): Promise<ReadonlyMap<string, HeldFile>> {
    const found = new Map<string, HeldFile>();
    if (paths.size === 0) return found;
    const output = await this.#git(['ls-tree', '-r', '-z', '--full-tree', state.tree], { states: [state] });
    for (const line of zeroSeparated(output)) {
      const [, mode = '', id = '', path = ''] = /^(\d+) \w+ ([0-9a-f]+)\t([\s\S]*)$/.exec(line) ?? [];
      const executable = this.#repository.fileMode ? mode === '100755' : undefined;
      if (paths.has(path)) found.set(path, { path, id, executable, plain: isPlain(mode) });
    }
    for (const [path, id] of Object.entries(state.big)) {
      if (paths.has(path)) found.set(path, { path, id, executable: undefined, plain: false });
    }
    return found;
  }

  async unseen(paths: readonly string[]): Promise<ReadonlySet<string>> {
    if (paths.length === 0) return new Set();
    const start = this.#start;
    const input = terminated(paths.map(path => `${start}${path}`));
    const output = await runGit({
      cwd: this.#repository.top,
      args: ['check-ignore', '-z', '--stdin'],
      input,
      // It takes no other way of reading paths than its own.
      env: { GIT_LITERAL_PATHSPECS: '0' },
      // "None of them" is told by the exit code.
      mayEndWith: [0, 1],
    });
    return new Set(zeroSeparated(output).map(path => path.slice(start.length)));
  }

  async contents(
    state: GitState,
    files: readonly { readonly path: string; readonly id: string }[],
  ): Promise<readonly (Buffer | undefined)[]> {
    // One request a line: a path with a line end in it would be two. A big file has a stamp in place of an object.
    const asked = files.filter(file => !/[\n\r]/.test(file.path) && /^[0-9a-f]+$/.test(file.id));
    if (asked.length === 0) return files.map(() => undefined);
    // With filters, so that what comes out is what a checkout would write (line ends, large file storage).
    const input = asked.map(({ id, path }) => `${id} ${this.#start}${path}\n`).join('');
    // Filters change the size, and the one that git tells is that from before: the parts are told apart by a mark instead.
    const mark = this.#options.newId();
    const format = `--batch=${mark} %(objecttype)`;
    const output = await this.#git(['cat-file', format, '--filters'], { states: [state], input });
    const read = readBatch(output, mark, asked.length);
    const found = new Map(asked.map((file, at) => [file, read[at]]));
    return files.map(file => found.get(file));
  }

  async #copyIndex(to: string): Promise<void> {
    try {
      await copyFile(this.#repository.index, to);
    } catch (error) {
      // A repository without a first `git add` has no index.
      if (!isMissing(error)) throw error;
    }
  }

  /** Changed files relative to the top of the repository, empty folders to the folder. */
  async #changedPaths(
    index: string,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly changed: string[]; readonly empty: readonly string[] }> {
    const { prefix } = this.#repository;
    const inFolder = prefix === '' ? [] : ['--', prefix];
    const others = ['ls-files', '-z', '--others', '--exclude-standard'];
    const [tracked, untracked, folders] = await Promise.all([
      this.#git(['diff-files', '-z', '--name-only', ...inFolder], { index, signal }),
      this.#git([...others, ...inFolder], { index, signal }),
      this.#git([...others, '--directory', ...inFolder], { index, signal }),
    ]);
    const files = zeroSeparated(untracked);
    // A folder with a slash at its end is another repository inside of this one.
    const changed = [...new Set([...zeroSeparated(tracked), ...files])].filter(path => !path.endsWith('/'));
    const filled = foldersOf(
      files,
      files.filter(path => path.endsWith('/')),
    );
    const bare = zeroSeparated(folders).filter(path => path.endsWith('/') && !filled.has(path.slice(0, -1)));
    const empty = await emptyAmong(
      this.#repository.top,
      bare.map(path => path.slice(0, -1)),
    );
    return { changed, empty: empty.map(path => path.slice(this.#start.length)) };
  }

  async #withoutBig(paths: readonly string[]): Promise<{ wanted: string[]; big: Record<string, string> }> {
    const most = this.#options.mostBytes ?? bigFile;
    const { top } = this.#repository;
    const wanted: string[] = [];
    const big: Record<string, string> = {};
    for (let start = 0; start < paths.length; start += 64) {
      const group = paths.slice(start, start + 64);
      const stats = await Promise.all(group.map(async path => lookAt(join(top, path))));
      group.forEach((path, at) => {
        const stat = stats[at];
        if (stat === 'unreadable') return;
        if (stat === undefined || stat.size <= most) wanted.push(path);
        else big[path.slice(this.#start.length)] = `${stat.size}:${stat.mtimeMs}`;
      });
    }
    return { wanted, big };
  }

  /** What stands before paths of the folder in those of the repository. */
  get #start(): string {
    const { prefix } = this.#repository;
    return prefix === '' ? '' : `${prefix}/`;
  }

  #prefixOption(): string[] {
    const { prefix } = this.#repository;
    return prefix === '' ? [] : [`--prefix=${prefix}/`];
  }

  #git(
    args: readonly string[],
    options: {
      readonly index?: string;
      readonly input?: string;
      readonly signal?: AbortSignal | undefined;
      readonly states?: readonly GitState[];
    },
  ): Promise<Buffer> {
    const { storage, objects } = this.#options;
    const folders = new Set([objects, ...(options.states ?? []).map(state => state.objects)]);
    const others = [...folders].filter(folder => folder !== objects).map(folder => join(storage, folder));
    return runGit({
      cwd: this.#repository.top,
      args,
      env: {
        GIT_OBJECT_DIRECTORY: join(storage, objects),
        GIT_ALTERNATE_OBJECT_DIRECTORIES: [this.#repository.objects, ...others].map(quoted).join(listSeparator),
        ...(options.index === undefined ? {} : { GIT_INDEX_FILE: options.index }),
      },
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
  }
}

/** Git would read a folder with the list's separator in its name as two. */
function quoted(folder: string): string {
  return folder.startsWith('"') || folder.includes(listSeparator) ? JSON.stringify(folder) : folder;
}

/** `undefined`: gone meanwhile. `unreadable`: git would give up on it, and with it on all others. */
async function lookAt(path: string): Promise<{ size: number; mtimeMs: number } | 'unreadable' | undefined> {
  try {
    const stat = await lstat(path);
    if (stat.isFile()) await access(path, constants.R_OK);
    return stat;
  } catch (error) {
    if (isMissing(error)) return undefined;
    return 'unreadable';
  }
}
