import type { TranscriptNode } from '../../protocol/transcriptLine.ts';
import { itemsFromLines } from '../transcript/fromLines.ts';
import type { TranscriptItem } from '../transcriptModel.ts';
import type { BranchOptions } from './branchReader.ts';
import { BranchReader } from './branchReader.ts';
import { History } from './history.ts';
import { isProjectOf } from './projectKey.ts';
import type { RewindPoint } from './rewindPoints.ts';
import { rewindPoints } from './rewindPoints.ts';
import type { SessionFileEntry, SessionFiles, SubagentEntry, TranscriptRef } from './sessionFiles.ts';
import type { HiddenReason, SessionSummary } from './sessionSummary.ts';
import { summarize } from './sessionSummary.ts';

/** Read of each end of a file for a list: never more than twice this of one session. */
const END = 64 * 1024;
const AT_ONCE = 16;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Subagents of subagents, and what a page shows of each. */
const MAX_DEPTH = 5;
const NESTED_ITEMS = 200;

export class SessionStoreError extends Error {
  override readonly name = 'SessionStoreError';
  readonly code: 'sessionNotFound';

  constructor(code: SessionStoreError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export type Absence =
  /** It is in the list of that folder. */
  | { readonly reason: 'listed'; readonly session: SessionSummary }
  | { readonly reason: HiddenReason | 'otherFolder'; readonly session: SessionSummary }
  | { readonly reason: 'notFound' };

/** A summary and the state of the file it was made from. Good for as long as the file has this size and time. */
export interface KnownSummary {
  readonly size: number;
  readonly mtimeMs: number;
  readonly summary: SessionSummary;
}

/** A session from its first item to its last. */
export interface WholeSession {
  readonly items: readonly TranscriptItem[];
  /** Lines that could not be read and are missing. */
  readonly corruptLines: number;
}

/** Sessions as the CLI keeps them on disk: lists, history, points to go back to. Reads only. */
export class SessionStore {
  readonly #files: SessionFiles;
  readonly #summaries = new Map<string, KnownSummary>();

  constructor(files: SessionFiles) {
    this.#files = files;
  }

  /** What the last lists were made from, to be kept over a restart. */
  get known(): readonly KnownSummary[] {
    return [...this.#summaries.values()];
  }

  /** Takes over what an earlier run knew; files that have changed since are read again. */
  remember(known: readonly KnownSummary[]): void {
    for (const one of known) {
      const key = `${one.summary.project}/${one.summary.sessionId}`;
      if (!this.#summaries.has(key)) this.#summaries.set(key, one);
    }
  }

  /** Sessions of all folders, or of those working directories; newest first, hidden ones with their reason. */
  async list(folders?: readonly string[]): Promise<readonly SessionSummary[]> {
    const projects = await this.#projects(folders);
    const found: SessionSummary[][] = [];
    for (const project of projects) found.push(await this.#listProject(project));
    return found.flat().sort((a, b) => b.modifiedAt - a.modifiedAt);
  }

  async find(sessionId: string): Promise<SessionSummary | undefined> {
    for (const project of await this.#files.listProjects()) {
      const stat = await this.#files.stat({ project, sessionId });
      if (stat) return this.#summary(project, { name: sessionId, ...stat });
    }
    return undefined;
  }

  /** Why a session is not in the list of a folder. */
  async explain(sessionId: string, folder: string): Promise<Absence> {
    const session = await this.find(sessionId);
    if (!session) return { reason: 'notFound' };
    if (session.hiddenReason !== undefined) return { reason: session.hiddenReason, session };
    const real = await this.#files.realPath(folder);
    return { reason: isProjectOf(session.project, real) ? 'listed' : 'otherFolder', session };
  }

  /** The current branch, newest page first. Rejects with `sessionNotFound`. */
  async open(ref: TranscriptRef, options: BranchOptions = {}): Promise<History> {
    const branch = await this.#branch(ref, options);
    return new History(branch, items => this.#nested(ref, items, 0));
  }

  /** All pages of the current branch at once, for an export. Rejects with `sessionNotFound`. */
  async whole(ref: TranscriptRef): Promise<WholeSession> {
    const history = await this.open(ref, { acrossCompaction: true });
    const pages: (readonly TranscriptItem[])[] = [];
    let corruptLines = 0;
    for (let page = await history.older(1_000); page; page = await history.older(1_000)) {
      pages.push(page.items);
      ({ corruptLines } = page);
    }
    return { items: pages.reverse().flat(), corruptLines };
  }

  /** What a subagent did, as items under the tool use that started it. */
  async subagent(ref: TranscriptRef, agentId: string, toolUseId: string): Promise<readonly TranscriptItem[]> {
    const items = await this.#subagent(ref, agentId, toolUseId);
    return [...items, ...(await this.#nested(ref, items, 1))];
  }

  subagents(ref: TranscriptRef): Promise<readonly SubagentEntry[]> {
    return this.#files.listSubagents(ref);
  }

  /** Prompts of the current branch one can go back to, oldest first. Reads the whole branch. */
  async rewindPoints(ref: TranscriptRef): Promise<readonly RewindPoint[]> {
    const branch = await this.#branch(ref, {});
    const steps: TranscriptNode[][] = [];
    for (let step = await branch.next(); step; step = await branch.next()) steps.push(step.map(({ node }) => node));
    return rewindPoints(steps.reverse().flat(), branch.checkpoints);
  }

  async #projects(folders: readonly string[] | undefined): Promise<readonly string[]> {
    const all = await this.#files.listProjects();
    if (!folders) return all;
    const real = await Promise.all(folders.map(folder => this.#files.realPath(folder)));
    return all.filter(project => real.some(path => isProjectOf(project, path)));
  }

  async #listProject(project: string): Promise<SessionSummary[]> {
    const entries = (await this.#files.listSessions(project)).filter(entry => UUID.test(entry.name));
    const summaries: SessionSummary[] = [];
    for (let start = 0; start < entries.length; start += AT_ONCE) {
      const group = entries.slice(start, start + AT_ONCE);
      for (const summary of await Promise.all(group.map(entry => this.#summary(project, entry)))) {
        if (summary) summaries.push(summary);
      }
    }
    return summaries;
  }

  /** `undefined` if it went away meanwhile. */
  async #summary(project: string, entry: SessionFileEntry): Promise<SessionSummary | undefined> {
    const key = `${project}/${entry.name}`;
    const cached = this.#summaries.get(key);
    if (cached?.size === entry.size && cached.mtimeMs === entry.mtimeMs) return cached.summary;
    const ref = { project, sessionId: entry.name };
    const whole = entry.size <= 2 * END;
    const head = await this.#files.readRange(ref, 0, whole ? entry.size : END);
    const tail = whole ? new Uint8Array(0) : await this.#files.readRange(ref, entry.size - END, entry.size);
    if (head.length === 0 && entry.size > 0) return undefined;
    const summary = summarize({ sessionId: entry.name, project }, entry, head, tail);
    this.#summaries.set(key, { size: entry.size, mtimeMs: entry.mtimeMs, summary });
    return summary;
  }

  async #branch(ref: TranscriptRef, options: BranchOptions): Promise<BranchReader> {
    const stat = await this.#files.stat(ref);
    if (!stat) throw new SessionStoreError('sessionNotFound', `No transcript for session ${ref.sessionId}.`);
    return new BranchReader(this.#files, ref, stat.size, { sidechain: ref.agentId !== undefined, ...options });
  }

  async #nested(
    ref: TranscriptRef,
    items: readonly TranscriptItem[],
    depth: number,
  ): Promise<readonly TranscriptItem[]> {
    const tools = items.filter(item => item.kind === 'tool' && (item.name === 'Agent' || item.name === 'Task'));
    if (tools.length === 0 || depth >= MAX_DEPTH) return [];
    const agents = await this.#files.listSubagents(ref);
    const found: TranscriptItem[] = [];
    for (const tool of tools) {
      const started = agents.find(agent => agent.toolUseId === tool.id);
      const agentId = started?.agentId ?? (tool.kind === 'tool' ? tool.taskId : undefined);
      if (agentId === undefined) continue;
      const nested = await this.#subagent(ref, agentId, tool.id);
      found.push(...nested, ...(await this.#nested(ref, nested, depth + 1)));
    }
    return found;
  }

  async #subagent(ref: TranscriptRef, agentId: string, toolUseId: string): Promise<TranscriptItem[]> {
    const file: TranscriptRef = { project: ref.project, sessionId: ref.sessionId, agentId };
    const stat = await this.#files.stat(file);
    if (!stat) return [];
    const branch = new BranchReader(this.#files, file, stat.size, { sidechain: true });
    const steps: TranscriptNode[][] = [];
    let count = 0;
    for (let step = await branch.next(); step && count < NESTED_ITEMS; step = await branch.next()) {
      steps.push(step.map(({ node }) => node));
      count += step.length;
    }
    return itemsFromLines(steps.reverse().flat(), { parentToolUseId: toolUseId }).items;
  }
}
