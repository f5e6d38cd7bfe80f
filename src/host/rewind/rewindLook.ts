import { join } from 'node:path';
import type { Logger } from '../../base/logger.ts';
import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { lastWritten, plain } from '../../session/rewind/agentChanges.ts';
import { RewindError } from '../../session/rewind/rewindError.ts';
import type { RewindOutcome } from '../../session/rewindFiles.ts';
import { resolvePath } from '../paths.ts';
import type { Presence } from './disk.ts';
import { eachOf, hashOf, presenceOf, readOrNothing } from './disk.ts';
import type { FileHistory } from './fileHistory.ts';
import { trackedPath } from './fileHistory.ts';
import { insidePath } from '../paths.ts';
import { findLeftovers } from './findLeftovers.ts';
import type { FolderState } from './folderStates.ts';
import type { PromptStates } from './promptStates.ts';
import type { Backup, RewindFile, RewindPreview } from './rewindPreview.ts';

/** The one who rewinds: a session fits it. */
export interface RewindAgent {
  rewindFiles(promptUuid: string, options: { readonly dryRun: boolean }): Promise<RewindOutcome>;
}

export interface LookRequest {
  readonly sessionId: string;
  readonly promptId: string;
  readonly agent: RewindAgent;
  /** Everything the agent's tools wrote in this conversation. */
  readonly changes: readonly AgentChange[];
  /** Files with changes in an editor that are not saved. */
  readonly unsaved: ReadonlySet<string>;
  /** Called once with the files that will change: they are shown while the folder is still being compared. */
  readonly found?: (files: readonly RewindFile[]) => Promise<void>;
}

export interface LookOptions {
  readonly folder: string;
  readonly history: FileHistory;
  readonly states: PromptStates;
  readonly logger: Logger;
  /** Contents that earlier rewinds left at paths, as `path` + NUL + hash: nobody edited these. */
  readonly leftByUs: () => Promise<ReadonlySet<string>>;
}

interface Target {
  readonly path: string;
  /** `undefined`: the file goes. */
  readonly backup: string | undefined;
}

type Looked = { readonly file?: RewindFile; readonly skipped?: RewindPreview['skipped'][number] } | undefined;

interface Knowledge {
  readonly written: ReadonlyMap<string, string | undefined>;
  readonly ours: ReadonlySet<string>;
  readonly unsaved: ReadonlySet<string>;
}

/** Finds out what a rewind would do and what it would not, without changing anything. */
export class RewindLook {
  readonly #options: LookOptions;

  constructor(options: LookOptions) {
    this.#options = options;
  }

  async look(request: LookRequest): Promise<RewindPreview> {
    const { sessionId, promptId } = request;
    const watch = new StopWatch();
    // Both on their way while the CLI makes up its mind, whose word comes first; failures show where they are waited for.
    const now = watch.time('state', this.#stateNow());
    const reading = watch.time('files', this.#read(request));
    for (const early of [now, reading]) early.catch(() => undefined);
    const dry = await watch.time('dry run', request.agent.rewindFiles(promptId, { dryRun: true }));
    if (!dry.canRewind) throw refusal(dry.message);
    const { targets, looked } = await reading;
    const known = new Set(targets.map(target => target.path));
    const strangers = dry.filesChanged.filter(path => !known.has(path));
    if (strangers.length > 0) {
      throw new RewindError('refused', 'The CLI names files that are not in its notes.', { paths: strangers });
    }
    const { history } = this.#options;
    const found = looked.flatMap(one => (one?.file === undefined ? [] : [one.file]));
    const files = found.filter(file => !history.isOwn(file.path));
    const own = found.filter(file => history.isOwn(file.path)).map(file => file.path);
    const skipped = looked.flatMap(one => (one?.skipped === undefined ? [] : [one.skipped]));
    const [compared] = await Promise.all([
      watch.time('comparison', this.#compare(promptId, files, now)),
      watch.time('show', request.found?.(files)),
    ]);
    this.#options.logger.info(`Looked at ${targets.length} files for a rewind: ${watch.told()}`);
    return { sessionId, promptId, files, own, skipped, ...compared };
  }

  async #read({
    sessionId,
    promptId,
    changes,
    unsaved,
  }: LookRequest): Promise<{ targets: Target[]; looked: Looked[] }> {
    const targets = await this.#targets(sessionId, promptId);
    const written = new Map(
      [...lastWritten(changes)].map(([path, text]) => [resolvePath(path, this.#options.folder), text]),
    );
    const ours = await this.#options.leftByUs();
    const looked = await eachOf(targets, target => this.#lookAt(target, { written, ours, unsaved }));
    return { targets, looked };
  }

  async #targets(sessionId: string, promptId: string): Promise<Target[]> {
    const { history, folder } = this.#options;
    const targets = (await history.book(sessionId))?.targets(promptId);
    if (targets === undefined) throw new RewindError('unknownPoint', `No checkpoint for ${promptId}.`);
    return [...targets].map(([path, backup]) => ({
      path: trackedPath(path, folder),
      backup: backup === null ? undefined : history.backupPath(sessionId, backup),
    }));
  }

  async #lookAt(target: Target, knowledge: Knowledge): Promise<Looked> {
    const { path, backup } = target;
    const present = await presenceOf(path);
    if (present.kind === 'other') return { skipped: { path, reason: 'link' } };
    let kept: { readonly backup?: Backup } = {};
    let modeOnly = false;
    if (backup === undefined) {
      if (present.kind === 'absent') return undefined;
    } else {
      const copy = await presenceOf(backup);
      if (copy.kind !== 'file') return { skipped: { path, reason: 'copyGone' } };
      modeOnly = present.kind === 'file' && (await sameContent(path, present, backup, copy));
      if (modeOnly && present.kind === 'file' && present.mode === copy.mode) return undefined;
      kept = { backup: { path: backup, size: copy.size, mode: copy.mode } };
    }
    return {
      file: {
        path,
        change: backup === undefined ? 'delete' : present.kind === 'absent' ? 'create' : 'restore',
        modeOnly,
        ...kept,
        editedSince: present.kind === 'file' && !modeOnly && (await isEdited(path, knowledge)),
        unsaved: knowledge.unsaved.has(path),
        outside: insidePath(path, this.#options.folder) === undefined,
        readOnly: present.kind === 'file' && (present.mode & 0o200) === 0,
        stamp: present.kind === 'file' ? present.stamp : '',
      },
    };
  }

  async #stateNow(): Promise<FolderState> {
    return (await this.#options.states.taker()).take();
  }

  async #compare(
    promptId: string,
    files: readonly RewindFile[],
    taken: Promise<FolderState>,
  ): Promise<Pick<RewindPreview, 'leftovers' | 'compared' | 'state'>> {
    const then = await this.#options.states.of(promptId);
    if (then === undefined) return { leftovers: [], compared: 'not' };
    const { folder, states } = this.#options;
    const taker = await states.taker();
    const now = await taken;
    if (now.kind !== then.state.kind) return { leftovers: [], compared: 'not' };
    const left = await findLeftovers(taker, { then: then.state, now, files, folder });
    const found = await eachOf(left, async one => {
      const present = await presenceOf(join(folder, one.path));
      // A folder that is there, or gone, after all: with ignored files in it, it only looked as if.
      if (one.path.endsWith('/') && (present.kind === 'other') !== (one.change === 'created')) return [];
      const stamp = present.kind === 'file' ? present.stamp : '';
      return [{ ...one, stamp, inTheWay: present.kind === 'other' }];
    });
    const partly = then.state.kind === 'stamps' && then.state.truncated;
    return {
      leftovers: found.flat(),
      compared: partly ? 'partly' : then.exact ? 'exact' : 'late',
      state: then.state,
    };
  }
}

/** Compared as the agent sees text. A file whose last content it did not tell is not called edited. */
async function isEdited(path: string, { written, ours }: Knowledge): Promise<boolean> {
  const expected = written.get(path);
  if (expected === undefined) return false;
  const bytes = await readOrNothing(path);
  if (bytes === undefined || plain(bytes.toString('utf8')) === expected) return false;
  return !ours.has(`${path}\0${hashOf(bytes)}`);
}

async function sameContent(
  path: string,
  present: Extract<Presence, { kind: 'file' }>,
  backup: string,
  copy: Extract<Presence, { kind: 'file' }>,
): Promise<boolean> {
  if (present.size !== copy.size) return false;
  const [one, other] = await Promise.all([readOrNothing(path), readOrNothing(backup)]);
  return one !== undefined && other !== undefined && one.equals(other);
}

/** Where the time goes, for the log: parts that run side by side overlap. */
class StopWatch {
  readonly #start = performance.now();
  readonly #ends: string[] = [];

  async time<T>(name: string, work: T): Promise<Awaited<T>> {
    try {
      return await work;
    } finally {
      this.#ends.push(`${name} at ${Math.round(performance.now() - this.#start)} ms`);
    }
  }

  told(): string {
    return this.#ends.join(', ');
  }
}

function refusal(message: string): RewindError {
  if (/not enabled/i.test(message)) return new RewindError('notEnabled', message);
  if (/no file checkpoint|not found/i.test(message)) return new RewindError('unknownPoint', message);
  return new RewindError('refused', message);
}
