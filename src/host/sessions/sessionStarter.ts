import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { AgentSession } from '../../session/agentSession.ts';
import type { HookRegistry } from '../../session/hooks.ts';
import type { Transcript } from '../../session/transcript/transcript.ts';
import type { ExecutableSearch, FoundExecutable } from '../../transport/findExecutable.ts';
import type { PermissionModeFlag, StartFrom } from '../../transport/flags.ts';
import type { ProcessLedger } from '../processes/processLedger.ts';
import type { Connection } from './spareProcess.ts';
import { SpareProcess } from './spareProcess.ts';

/** What a chat wants to talk to. */
export interface StartRequest {
  readonly cwd: string;
  readonly from: StartFrom;
  /** Already holds the history when a session goes on. */
  readonly transcript: Transcript;
  readonly mode: PermissionModeFlag;
  /** Empty: the CLI's default. */
  readonly model: string;
}

export interface Launch extends Omit<StartRequest, 'transcript'> {
  readonly executable: string;
}

/** A command line with everything that decides how the program behaves. */
export interface LaunchPlan {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

export type StartOutcome =
  | { readonly type: 'started'; readonly session: AgentSession }
  | { readonly type: 'notFound'; readonly search: ExecutableSearch };

export interface SessionStarterOptions {
  find(): Promise<ExecutableSearch>;
  /** What to start; the same request gives the same plan as long as no setting changes. */
  plan(launch: Launch): LaunchPlan;
  /** Builds the line to a new process. The one place where session and transport meet. */
  connect(plan: LaunchPlan): Connection;
  readonly ledger: ProcessLedger;
  /** What every session calls on its way: see `AgentSessionOptions`. */
  readonly hooks?: HookRegistry;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Finds the program, starts it and gives back the session on it. The session may still be starting. */
export class SessionStarter implements Disposable {
  readonly #options: SessionStarterOptions;
  readonly #clock: Clock;
  readonly #spare: SpareProcess;
  /** New conversations begun in this window. */
  #begun = 0;

  constructor(options: SessionStarterOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#spare = new SpareProcess({ clock: this.#clock, logger: options.logger });
  }

  /** For the list of processes; undefined while there is none. */
  get sparePid(): number | undefined {
    return this.#spare.pid;
  }

  stopSpare(): void {
    this.#spare.dispose();
  }

  async start(request: StartRequest): Promise<StartOutcome> {
    const search = await this.#options.find();
    if (search.found === undefined) return { type: 'notFound', search };
    const { transcript, ...launch } = request;
    const { logger, ledger, clock, hooks } = this.#options;
    const plan = this.#options.plan({ ...launch, executable: search.found.path });
    const { transport, pid } = this.#connectionFor(request.from, plan);
    logger.info(
      `Started ${search.found.path} ${search.found.version ?? '(version unknown)'} in ${request.cwd}, pid ${pid ?? 'none'}`,
    );
    const { from } = request;
    const session = new AgentSession({
      transport,
      transcript,
      cwd: request.cwd,
      mode: request.mode,
      resuming: from.kind === 'resume',
      ...(from.kind === 'resume' && from.fork === undefined ? { sessionId: from.session } : {}),
      initialize: { perTaskStopAffordance: true },
      logger,
      ...(hooks === undefined ? {} : { hooks }),
      ...(clock === undefined ? {} : { clock }),
    });
    if (pid !== undefined) ledger.add({ pid, session, cwd: request.cwd, ...versionOf(search.found) });
    this.#keepSpare(session, request, search.found);
    // The failure shows in the session's state; here it would only be told a second time.
    session.start().catch((error: unknown) => logger.debug('The session did not become ready', error));
    return { type: 'started', session };
  }

  dispose(): void {
    this.#spare.dispose();
  }

  #connectionFor(from: StartFrom, plan: LaunchPlan): Connection {
    const spare = from.kind === 'new' ? this.#spare.take(JSON.stringify(plan)) : undefined;
    return spare ?? this.#options.connect(plan);
  }

  /**
   * Whoever begins a second conversation in a window will begin a third: from then on one process waits for it. With one
   * conversation a window there is none, for nobody would ever use it.
   */
  #keepSpare(session: AgentSession, request: StartRequest, found: FoundExecutable): void {
    if (request.from.kind !== 'new') return;
    let working = false;
    const listener = session.onDidChangeState(state => {
      if (state.type === 'working') working = true;
      if (state.type === 'stopped') listener.dispose();
      if (state.type !== 'idle' || !working) return;
      listener.dispose();
      this.#begun += 1;
      if (this.#begun < 2) return;
      const { cwd, mode, model } = request;
      const plan = this.#options.plan({ cwd, mode, model, from: { kind: 'new' }, executable: found.path });
      this.#spare.prepare(JSON.stringify(plan), () => this.#options.connect(plan));
    });
  }
}

function versionOf({ version }: FoundExecutable): { version?: string } {
  return version === undefined ? {} : { version };
}
