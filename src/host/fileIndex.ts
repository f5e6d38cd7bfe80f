import { join } from 'node:path';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { FilePath, IndexedPath } from './fuzzyPaths.ts';
import { bestPaths, withFolders } from './fuzzyPaths.ts';
import { runGit, zeroSeparated } from './runGit.ts';
import { walkFolder } from './walkFolder.ts';

const mostFiles = 200_000;

/**
 * The files that `@` completes: what git tracks or would track, or, where there is no repository or no git, everything that
 * the `.gitignore` files of the folder do not leave out. The list is kept until a file appears or goes; each key stroke only
 * ranks it.
 */
export class FileIndex implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #lists = new Map<string, Promise<readonly IndexedPath[]>>();
  readonly #logger: Logger;
  #watching = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  async complete(query: string, folder: string): Promise<readonly FilePath[]> {
    this.#watch();
    let list = this.#lists.get(folder);
    if (list === undefined) {
      list = this.#read(folder);
      this.#lists.set(folder, list);
      list.catch(() => this.#lists.delete(folder));
    }
    return bestPaths(query, await list, 50);
  }

  dispose(): void {
    this.#owned.dispose();
    this.#lists.clear();
  }

  #watch(): void {
    if (this.#watching) return;
    this.#watching = true;
    const watcher = this.#owned.add(vscode.workspace.createFileSystemWatcher('**/*', false, true, false));
    const forget = (): void => this.#lists.clear();
    this.#owned.add(watcher.onDidCreate(forget));
    this.#owned.add(watcher.onDidDelete(forget));
  }

  async #read(folder: string): Promise<readonly IndexedPath[]> {
    try {
      return withFolders(await listWithGit(folder));
    } catch (error) {
      this.#logger.debug(`git cannot list ${folder}; it is walked through`, error);
      return withFolders(await walkFolder(folder, mostFiles));
    }
  }
}

/** What git tracks or would track. A repository inside that git only names is asked itself. */
async function listWithGit(folder: string, depth = 0): Promise<readonly string[]> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const output = await runGit({ cwd: folder, args, signal: AbortSignal.timeout(10_000) });
  const paths = zeroSeparated(output);
  const inner = depth < 2 ? paths.filter(path => path.endsWith('/')) : [];
  const lists = await Promise.all(
    inner.map(async path => (await listWithGit(join(folder, path), depth + 1)).map(name => path + name)),
  );
  return [...paths.filter(path => !path.endsWith('/')), ...lists.flat()];
}
