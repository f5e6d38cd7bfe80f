import { execFile } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, readlink, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { silentLogger } from '../../src/base/logger.ts';
import { DiskSessionFiles } from '../../src/host/disk/sessionFiles.ts';
import { FileHistory } from '../../src/host/rewind/fileHistory.ts';
import { PromptStates } from '../../src/host/rewind/promptStates.ts';
import { Rewinder } from '../../src/host/rewind/rewinder.ts';
import type { RewindPreview } from '../../src/host/rewind/rewindPreview.ts';
import { Safekeeping } from '../../src/host/rewind/safekeeping.ts';
import { agentChanges } from '../../src/session/rewind/agentChanges.ts';
import { Stage } from '../conformance/support/stage.ts';
import type { LiveSession, OpenOptions } from '../conformance/support/stage.ts';
import type { Turn } from '../support/model/script.ts';
import { say } from '../support/model/script.ts';

const execute = promisify(execFile);

/** Path (with `/`) to hash, and whether it can be run, of every file below a folder but git's own. */
export type Tree = ReadonlyMap<string, string>;

export async function treeOf(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree = new Map<string, string>();
  for (const entry of entries) {
    const path = relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/');
    if (path === '.git' || path.startsWith('.git/')) continue;
    if (entry.isSymbolicLink()) tree.set(path, `link to ${await readlink(join(folder, path))}`);
    if (!entry.isFile()) continue;
    const bytes = await readFile(join(folder, path));
    const runs = ((await stat(join(folder, path))).mode & 0o100) === 0 ? '' : ' runs';
    tree.set(path, `${createHash('sha256').update(bytes).digest('hex')}${runs}`);
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Paths by which two trees differ. */
export function difference(one: Tree, other: Tree): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(path => one.get(path) !== other.get(path)).sort();
}

/** Files that a preview says will differ. Its empty folders are in no tree. */
export function foretoldFiles({ leftovers }: RewindPreview): string[] {
  return leftovers
    .map(leftover => leftover.path)
    .filter(path => !path.endsWith('/'))
    .sort();
}

/** Everything of a repository that a person would miss: index, refs, stash, logs, config and objects. */
export async function gitState(folder: string): Promise<string> {
  const tree = await treeOf(join(folder, '.git'));
  return [...tree].map(([path, hash]) => `${path} ${hash}`).join('\n');
}

/** A real CLI, a folder and our rewinder on them. */
export class RewindRig {
  readonly stage: Stage;
  readonly live: LiveSession;
  readonly states: PromptStates;
  readonly safe: Safekeeping;
  readonly rewinder: Rewinder;
  readonly storage: string;
  readonly #closers: (() => Promise<void>)[];

  private constructor(stage: Stage, live: LiveSession, storage: string) {
    this.stage = stage;
    this.live = live;
    this.storage = storage;
    const folder = stage.workspace.path;
    const config = join(stage.home.path, '.claude');
    this.states = new PromptStates({
      folder,
      storage: join(storage, 'states'),
      logger: silentLogger,
      newId: randomUUID,
      limits: { waitMs: 20_000 },
    });
    this.safe = new Safekeeping({
      storage: join(storage, 'rewinds'),
      logger: silentLogger,
      newId: randomUUID,
      now: () => Date.now(),
    });
    const history = new FileHistory(new DiskSessionFiles(config), config);
    this.rewinder = new Rewinder({ folder, history, states: this.states, safe: this.safe, logger: silentLogger });
    this.#closers = [() => stage.dispose(), () => rm(storage, { recursive: true, force: true })];
  }

  static async set(
    files: Readonly<Record<string, string>>,
    options: { readonly git: boolean; readonly open?: OpenOptions },
  ): Promise<RewindRig> {
    const stage = await Stage.set(files);
    const storage = await realpath(await mkdtemp(join(tmpdir(), 'handrail-storage-')));
    if (options.git) await makeRepository(stage.workspace.path, stage.home.path);
    const live = await stage.open({
      ...options.open,
      flags: { permissionMode: 'acceptEdits', allowedTools: ['Bash'], ...options.open?.flags },
    });
    return new RewindRig(stage, live, storage);
  }

  get folder(): string {
    return this.stage.workspace.path;
  }

  tree(): Promise<Tree> {
    return treeOf(this.folder);
  }

  /** Another window on the same storage, with a disk that may have less room. */
  anotherWindow(freeBytes?: number): Rewinder {
    const config = join(this.stage.home.path, '.claude');
    const history = new FileHistory(new DiskSessionFiles(config), config);
    const { folder, states, safe } = this;
    const disk = freeBytes === undefined ? {} : { freeBytes: () => Promise.resolve(freeBytes) };
    return new Rewinder({ folder, history, states, safe, logger: silentLogger, ...disk });
  }

  /** One turn as the product plays it: the state first, then the prompt. Returns the prompt's id. */
  async turn(text: string, steps: readonly Turn[], live = this.live): Promise<string> {
    this.stage.model.enqueue(...steps, say('Done.'));
    const pending = await this.states.before();
    const prompt = live.session.prompt(text);
    await this.states.keep(prompt.uuid, pending);
    const outcome = await prompt.done;
    if (outcome !== 'completed') throw new Error(`The turn was ${outcome}`);
    return prompt.uuid;
  }

  look(promptId: string, live = this.live, unsaved: ReadonlySet<string> = new Set()): Promise<RewindPreview> {
    const { session } = live;
    return this.rewinder.look({
      sessionId: live.id,
      promptId,
      agent: session,
      changes: agentChanges(session.transcript),
      unsaved,
    });
  }

  async dispose(): Promise<void> {
    for (const close of this.#closers) await close();
  }
}

export async function git(folder: string, ...args: readonly string[]): Promise<string> {
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(folder, '.no-such-config'),
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.invalid',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.invalid',
  };
  return (await execute('git', [...args], { cwd: folder, env })).stdout;
}

/** A repository with a commit, a stash, something staged and something not. */
async function makeRepository(folder: string, home: string): Promise<void> {
  await git(folder, 'init', '-q', '-b', 'main');
  await git(folder, 'add', '-A');
  await git(folder, 'commit', '-q', '--allow-empty', '-m', 'first');
  // Known to the CLI's own git calls as well.
  await rm(join(home, '.gitconfig'), { force: true });
}
