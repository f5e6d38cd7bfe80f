import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { UndeliveredPrompt } from '../../session/prompt.ts';
import type { SessionState, StopReason } from '../../session/sessionState.ts';
import type { ExecutableSearch } from '../../transport/findExecutable.ts';
import { errorText } from '../errorText.ts';
import type { StartOutcome, StartRequest } from '../sessions/sessionStarter.ts';

/** Why there is no session although one was wanted. */
export type SlotFailure =
  | { readonly type: 'notFound'; readonly search: ExecutableSearch }
  /** It could not even be tried: a setting that makes no sense, for example. */
  | { readonly type: 'rejected'; readonly message: string }
  /** `times`: how often in a row it died without finishing a turn. */
  | { readonly type: 'stopped'; readonly reason: StopReason; readonly times: number };

interface Run {
  readonly session: AgentSession;
  readonly owned: DisposableStore;
}

/** After this many deaths in a row a new try needs a person's word. */
export const mostCrashes = 3;

const starting: SessionState = { type: 'starting' };

/**
 * The place in a chat where its session is: none yet, on its way, running, or over. A chat lives longer than its sessions;
 * whoever needs one asks here and gets the running one or a new one, never two.
 */
export class SessionSlot implements Disposable {
  readonly #startSession: (request: StartRequest) => Promise<StartOutcome>;
  readonly #logger: Logger;
  readonly #changes: Emitter<undefined>;
  readonly #deskChanges: Emitter<DeskChange>;
  readonly #notDelivered: (prompts: readonly UndeliveredPrompt[]) => void;
  #run: Run | undefined;
  #pending: Promise<AgentSession | undefined> | undefined;
  #failure: SlotFailure | undefined;
  /** Goes up when the slot is emptied: a start that was under way then belongs to nobody. */
  #generation = 0;
  #turnStartedAt: number | undefined;
  /** Deaths since the last turn that came to its end. */
  #crashes = 0;

  /** `notDelivered`: prompts that the agent never began with. Called also for a session that was let go of, whenever it ends. */
  constructor(
    startSession: (request: StartRequest) => Promise<StartOutcome>,
    notDelivered: (prompts: readonly UndeliveredPrompt[]) => void,
    logger: Logger,
  ) {
    this.#startSession = startSession;
    this.#notDelivered = notDelivered;
    this.#logger = logger;
    const report = (error: unknown): void => logger.error('A listener of the session failed', error);
    this.#changes = new Emitter(report);
    this.#deskChanges = new Emitter(report);
  }

  get session(): AgentSession | undefined {
    return this.#run?.session;
  }

  get state(): SessionState | undefined {
    return this.#pending === undefined ? this.#run?.session.state : starting;
  }

  get failure(): SlotFailure | undefined {
    return this.#failure;
  }

  /** When the running turn began; kept while a question waits, for the turn goes on behind it. */
  get turnStartedAt(): number | undefined {
    return this.#turnStartedAt;
  }

  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  get onDidChangeDesk(): Event<DeskChange> {
    return this.#deskChanges.event;
  }

  /**
   * The session, started if need be. Several callers share one start. `undefined`: see `failure`. `again`: a person asked for
   * it, so it is tried however often it failed.
   */
  async ensure(request: () => StartRequest, again = false): Promise<AgentSession | undefined> {
    const running = this.#run?.session;
    if (this.#pending !== undefined) return this.#pending;
    if (running !== undefined && running.state.type !== 'stopped') return running;
    if (again) this.#crashes = 0;
    else if (this.#crashes >= mostCrashes) return undefined;
    const pending = this.#start(request()).finally(() => {
      if (this.#pending !== pending) return;
      this.#pending = undefined;
      this.#changes.fire(undefined);
    });
    this.#pending = pending;
    this.#failure = undefined;
    this.#changes.fire(undefined);
    return pending;
  }

  /** The session that takes orders: one that is being started counts, one that ended does not. */
  async live(): Promise<AgentSession | undefined> {
    const session = await (this.#pending ?? this.#run?.session);
    return session?.state.type === 'stopped' ? undefined : session;
  }

  /** Forgets the session and hands it over, for the caller to end. */
  empty(): AgentSession | undefined {
    const session = this.#run?.session;
    this.#generation += 1;
    this.#pending = undefined;
    this.#failure = undefined;
    this.#turnStartedAt = undefined;
    this.#release();
    return session;
  }

  dispose(): void {
    this.empty()
      ?.stop()
      .catch((error: unknown) => this.#logger.error('A session did not stop', error));
    this.#changes.dispose();
    this.#deskChanges.dispose();
  }

  async #start(request: StartRequest): Promise<AgentSession | undefined> {
    const generation = this.#generation;
    const outcome = await this.#tryStart(request);
    if (generation !== this.#generation) {
      // The chat went away, or to another conversation, while the program was looked for.
      if (outcome.type === 'started') await outcome.session.stop();
      return undefined;
    }
    if (outcome.type !== 'started') {
      this.#failure = outcome;
      return undefined;
    }
    this.#release();
    this.#adopt(outcome.session);
    return outcome.session;
  }

  async #tryStart(request: StartRequest): Promise<StartOutcome | Extract<SlotFailure, { type: 'rejected' }>> {
    try {
      return await this.#startSession(request);
    } catch (error) {
      this.#logger.error('A session could not be started', error);
      return { type: 'rejected', message: errorText(error) };
    }
  }

  #adopt(session: AgentSession): void {
    const owned = new DisposableStore();
    this.#run = { session, owned };
    owned.add(session.onDidChangeState(state => this.#stateChanged(state)));
    owned.add(session.onDidChangeInfo(() => this.#changes.fire(undefined)));
    owned.add(session.onDidNotDeliver(this.#notDelivered));
    // What waits and what runs changes with these, also when the state as a whole does not.
    owned.add(
      session.onDidReceiveFrame(frame => {
        if (frame.type === 'command_lifecycle') this.#changes.fire(undefined);
      }),
    );
    owned.add(session.desk.onDidChange(change => this.#deskChanges.fire(change)));
  }

  /** Lets go of the session; only words it could not deliver still come back, for they are nobody else's. */
  #release(): void {
    const run = this.#run;
    this.#run = undefined;
    if (run === undefined) return;
    run.owned.dispose();
    const left = run.session.onDidNotDeliver(this.#notDelivered);
    void run.session.ended.then(() => left.dispose());
  }

  #stopped(reason: StopReason): void {
    if (reason.code === 'crashed' || reason.code === 'failedToStart') this.#crashes += 1;
    this.#failure = { type: 'stopped', reason, times: this.#crashes };
  }

  #stateChanged(state: SessionState): void {
    // A turn that came to its end: whatever happened before is over.
    if (state.type === 'idle' && this.#turnStartedAt !== undefined) this.#crashes = 0;
    if (state.type === 'working') this.#turnStartedAt = state.since;
    else if (state.type !== 'awaitingPermission') this.#turnStartedAt = undefined;
    if (state.type === 'stopped') this.#stopped(state.reason);
    this.#changes.fire(undefined);
  }
}
