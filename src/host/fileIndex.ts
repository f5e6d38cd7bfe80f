import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import type { FilePath } from './fuzzyPaths.ts';
import { bestPaths, withFolders } from './fuzzyPaths.ts';

const run = promisify(execFile);
const mostFiles = 200_000;

/**
 * The files that `@` completes: what git tracks or would track (so ignored files stay out), or VS Code's own file search
 * where there is no repository. The list is kept until a file appears or goes; each key stroke only ranks it.
 */
export class FileIndex implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #lists = new Map<string, Promise<readonly FilePath[]>>();
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

  async #read(folder: string): Promise<readonly FilePath[]> {
    try {
      return withFolders(await listWithGit(folder));
    } catch (error) {
      this.#logger.debug(`git cannot list ${folder}; the file search does`, error);
      return withFolders(await listWithSearch(folder));
    }
  }
}

async function listWithGit(folder: string): Promise<readonly string[]> {
  const { stdout } = await run(
    'git',
    ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'],
    {
      cwd: folder,
      maxBuffer: 64 * 1024 * 1024,
      timeout: 10_000,
    },
  );
  return stdout.split('\0').filter(path => path !== '');
}

async function listWithSearch(folder: string): Promise<readonly string[]> {
  const base = vscode.Uri.file(folder);
  const prefix = base.path.endsWith('/') ? base.path : `${base.path}/`;
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(base, '**/*'), undefined, mostFiles);
  return found.map(uri => (uri.path.startsWith(prefix) ? uri.path.slice(prefix.length) : uri.path));
}
