import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskSessionFiles } from '../../../src/host/disk/sessionFiles.ts';
import type { AgentSessionOptions } from '../../../src/session/agentSessionOptions.ts';
import { AgentSession } from '../../../src/session/agentSession.ts';
import type { PermissionAsk } from '../../../src/session/permissionAsk.ts';
import type { PromptOutcome } from '../../../src/session/prompt.ts';
import { SessionStore } from '../../../src/session/store/sessionStore.ts';
import type { Absence } from '../../../src/session/store/sessionStore.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import type { TranscriptItem } from '../../../src/session/transcriptModel.ts';
import type { ChildTimes, ChildTransport } from '../../../src/transport/childTransport.ts';
import { startChildTransport } from '../../../src/transport/childTransport.ts';
import { cliEnvironment as productEnvironment } from '../../../src/transport/environment.ts';
import type { CliOptions } from '../../../src/transport/flags.ts';
import { cliArguments } from '../../../src/transport/flags.ts';
import type { TempFolder } from '../../support/cli/realCli.ts';
import { cliEnvironment, cliPath, makeHome, makeWorkspace } from '../../support/cli/realCli.ts';
import type { FakeCliScript } from '../../support/cli/fakeCli.ts';
import { fakeCli } from '../../support/cli/fakeCli.ts';
import { ScriptedModel } from '../../support/model/scriptedModel.ts';
import { until } from '../../support/processes.ts';
import { MemoryLog } from './memoryLog.ts';
import { Wiretap } from './wiretap.ts';

export interface OpenOptions {
  readonly flags?: CliOptions;
  readonly session?: Partial<AgentSessionOptions>;
  readonly extraEnvironment?: Readonly<Record<string, string>>;
  readonly times?: ChildTimes;
  /** Items the transcript holds before the session begins. */
  readonly history?: readonly TranscriptItem[];
}

/**
 * A scripted model, a home and a folder for one test, and sessions of ours on them: the real program behind the real
 * transport. `dispose` ends whatever the test left running.
 */
export class Stage {
  readonly model: ScriptedModel;
  readonly home: TempFolder;
  readonly workspace: TempFolder;
  readonly #executable: string;
  readonly #opened: LiveSession[] = [];

  private constructor(model: ScriptedModel, home: TempFolder, workspace: TempFolder, executable: string) {
    this.model = model;
    this.home = home;
    this.workspace = workspace;
    this.#executable = executable;
  }

  static async set(files: Readonly<Record<string, string>> = {}): Promise<Stage> {
    const [model, home, workspace, executable] = await Promise.all([
      new ScriptedModel().start(),
      makeHome(),
      makeWorkspace(files),
      cliPath(),
    ]);
    return new Stage(model, home, workspace, executable);
  }

  get store(): SessionStore {
    return new SessionStore(new DiskSessionFiles(join(this.home.path, '.claude')));
  }

  path(name: string): string {
    return join(this.workspace.path, name);
  }

  environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
    const base = cliEnvironment({ model: this.model, home: this.home.path });
    return productEnvironment(base, { version: '0.0.0-test', cwd: this.workspace.path, extra });
  }

  /** A session that is on its way; `open` waits until it is ready. */
  launch(options: OpenOptions = {}): LiveSession {
    const transport = startChildTransport({
      command: this.#executable,
      args: cliArguments(options.flags ?? {}),
      cwd: this.workspace.path,
      env: this.environment(options.extraEnvironment),
      ...(options.times === undefined ? {} : { times: options.times }),
    });
    const live = new LiveSession(transport, this.workspace.path, options);
    this.#opened.push(live);
    return live;
  }

  async open(options: OpenOptions = {}): Promise<LiveSession> {
    const live = this.launch(options);
    await live.ready;
    return live;
  }

  /** Resumes a session with its history from disk, as the product does. */
  async resume(sessionId: string, options: OpenOptions = {}): Promise<LiveSession> {
    return this.open({
      ...options,
      flags: { ...options.flags, start: { kind: 'resume', session: sessionId } },
      session: { ...options.session, sessionId, resuming: true },
      history: options.history ?? (await this.history(sessionId)),
    });
  }

  /** Everything the disk knows of a session: one page. */
  async history(sessionId: string): Promise<TranscriptItem[]> {
    const found = await this.store.find(sessionId);
    if (found === undefined) throw new Error(`no transcript of ${sessionId}`);
    const history = await this.store.open({ project: found.project, sessionId }, { acrossCompaction: true });
    const pages: (readonly TranscriptItem[])[] = [];
    for (let page = await history.older(10_000); page; page = await history.older(10_000)) pages.push(page.items);
    return pages.reverse().flat();
  }

  explain(sessionId: string): Promise<Absence> {
    return this.store.explain(sessionId, this.workspace.path);
  }

  /** Names of the transcript files, without their extension. */
  async transcripts(): Promise<string[]> {
    const projects = join(this.home.path, '.claude', 'projects');
    const names = await readdir(projects, { recursive: true });
    return names.flatMap(name => /([^/\\]+)\.jsonl$/.exec(name)?.[1] ?? []);
  }

  async endSessions(): Promise<void> {
    for (const live of this.#opened.splice(0)) await live.end();
  }

  async dispose(): Promise<void> {
    await this.endSessions();
    await this.model.stop();
    await this.home.dispose();
    await this.workspace.dispose();
  }
}

/** One session of ours and everything that can be seen of it. */
export class LiveSession {
  readonly session: AgentSession;
  readonly tap: Wiretap;
  readonly transport: ChildTransport;
  readonly log = new MemoryLog();
  readonly ready: Promise<void>;
  /** Every state since the beginning, by name, without repetition. */
  readonly states: string[] = [];

  constructor(transport: ChildTransport, cwd: string, options: OpenOptions = {}) {
    this.transport = transport;
    this.tap = new Wiretap(transport);
    const transcript = new Transcript({ logger: this.log });
    if (options.history !== undefined) transcript.load(options.history);
    this.session = new AgentSession({
      transport: this.tap,
      transcript,
      cwd,
      logger: this.log,
      initialize: { perTaskStopAffordance: true },
      ...options.session,
    });
    this.session.onDidChangeState(state => {
      if (this.states.at(-1) !== state.type) this.states.push(state.type);
    });
    this.ready = this.session.start();
    // Whoever does not wait for it still sees the failure in the state.
    this.ready.catch(() => undefined);
  }

  get pid(): number {
    const { pid } = this.transport;
    if (pid === undefined) throw new Error('the child has no pid');
    return pid;
  }

  get id(): string {
    const { sessionId } = this.session.info;
    if (sessionId === undefined) throw new Error('the session has no id yet');
    return sessionId;
  }

  get items(): readonly TranscriptItem[] {
    return this.session.transcript.items;
  }

  /** Items of one kind, top level. */
  kind<Kind extends TranscriptItem['kind']>(kind: Kind): Extract<TranscriptItem, { kind: Kind }>[] {
    return this.items.filter((item): item is Extract<TranscriptItem, { kind: Kind }> => item.kind === kind);
  }

  /** What the model said, top level, joined. */
  get said(): string {
    return this.kind('text')
      .map(item => item.text)
      .join('\n');
  }

  get notices(): string[] {
    return this.kind('notice').map(item => item.notice.type);
  }

  turn(text: string): Promise<PromptOutcome> {
    return this.session.prompt(text).done;
  }

  /** The oldest open question; waits for it. */
  async ask(): Promise<PermissionAsk> {
    await until('a question is open', () => this.session.desk.asks.length > 0, 15_000);
    const [ask] = this.session.desk.asks;
    if (ask === undefined) throw new Error('the question is gone');
    return ask;
  }

  async asks(count: number): Promise<readonly PermissionAsk[]> {
    await until(`${count} questions are open`, () => this.session.desk.asks.length >= count, 15_000);
    return this.session.desk.asks;
  }

  async idle(): Promise<void> {
    await until('the session is idle', () => this.session.state.type === 'idle', 20_000);
  }

  /** Waits for something that can be seen from here. */
  async sees(what: string, condition: () => boolean, limitMs = 15_000): Promise<void> {
    await until(what, condition, limitMs);
  }

  async end(): Promise<void> {
    await this.session.stop();
  }
}

/** A session of ours on the fake program. */
export function openFake(script: FakeCliScript, options: OpenOptions = {}): LiveSession {
  const { command, args, cwd, env } = fakeCli(script);
  return new LiveSession(startChildTransport({ command, args, cwd, env }), cwd, options);
}
