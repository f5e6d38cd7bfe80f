import { v4 as uuidV4 } from 'uuid';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { Deferred } from '../base/deferred.ts';
import type { Event } from '../base/emitter.ts';
import { Emitter } from '../base/emitter.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { InitializeRequest } from '../protocol/initialize.ts';
import type { Transport, TransportClose } from '../protocol/transport.ts';
import type { AgentSessionOptions, InterruptOutcome, SessionLimits } from './agentSessionOptions.ts';
import { ControlChannel } from './controlChannel.ts';
import type { TurnToEnd } from './endTurn.ts';
import { endTurn } from './endTurn.ts';
import { asError, SessionError } from './errors.ts';
import { routeOf } from './frameRoute.ts';
import { HookRegistry } from './hooks.ts';
import { HostRequests } from './hostRequests.ts';
import { InfoKeeper } from './infoKeeper.ts';
import { initialInfo } from './infoReducer.ts';
import { McpHost } from './mcpHost.ts';
import type { DeskChange } from './permissionDesk.ts';
import { PermissionDesk } from './permissionDesk.ts';
import type { OpenPrompt, PromptContent, PromptHandle, PromptOptions, UndeliveredPrompt } from './prompt.ts';
import { PromptQueue } from './promptQueue.ts';
import { recordAsk } from './recordAsk.ts';
import type { RewindOutcome } from './rewindFiles.ts';
import { rewindFiles } from './rewindFiles.ts';
import type { SessionInfo } from './sessionInfo.ts';
import { SessionSettings } from './sessionSettings.ts';
import type { SessionState, StopReason } from './sessionState.ts';
import { sameState } from './sessionState.ts';
import { stopReasonOf } from './stopReason.ts';
import type { Transcript } from './transcript/transcript.ts';
import { TurnTracker } from './turnTracker.ts';
import { serveDialogs } from './userDialogs.ts';

const LIMITS: SessionLimits = { initializeMs: 180_000, interruptMs: 2_000 };
/** Reaches the CLI only; with the turn ended at once the model does not see it. */
const CLOSING_MESSAGE = 'The session was closed before this question was answered.';

/**
 * One conversation over one line. It says what goes on (`state`), what is known (`info`), what was said (`transcript`) and
 * what is asked (`desk`); it takes prompts and orders. A session ends once and is not started again.
 */
export class AgentSession {
  readonly transcript: Transcript;
  readonly desk: PermissionDesk;
  readonly settings: SessionSettings;
  /** Every other request to the CLI, by name. */
  readonly requests: HostRequests;
  readonly #transport: Transport;
  readonly #options: AgentSessionOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #newUuid: () => string;
  readonly #limits: SessionLimits;
  readonly #channel: ControlChannel;
  readonly #hooks: HookRegistry;
  readonly #mcp: McpHost;
  readonly #turns: TurnTracker;
  readonly #info: InfoKeeper;
  readonly #states: Emitter<SessionState>;
  readonly #frames: Emitter<CliFrame>;
  readonly #prompts: PromptQueue;
  readonly #ended = new Deferred<StopReason>();
  #state: SessionState = { type: 'starting' };
  #started = false;
  #ready = false;
  /** The end was asked for, by us or by whoever owns the session. */
  #asked = false;
  #stopping: Promise<StopReason> | undefined;
  #startFailure: string | undefined;
  #stopped: StopReason | undefined;

  constructor(options: AgentSessionOptions) {
    this.#options = options;
    this.#transport = options.transport;
    this.transcript = options.transcript;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    this.#newUuid = options.newUuid ?? uuidV4;
    this.#limits = { ...LIMITS, ...options.limits };
    const report = (error: unknown): void => this.#logger.error(`A listener failed: ${asError(error).message}`);
    this.#states = new Emitter(report);
    this.#frames = new Emitter(report);
    this.#info = new InfoKeeper(initialInfo(options.cwd, options.mode ?? 'default', options.sessionId), report);
    this.#turns = new TurnTracker(this.#clock, this.#logger);
    this.desk = new PermissionDesk({ mode: () => this.info.mode, clock: this.#clock, onListenerError: report });
    this.desk.onDidChange(change => this.#deskChanged(change));
    this.#hooks = options.hooks ?? new HookRegistry();
    this.#mcp = new McpHost({
      servers: options.mcpServers ?? [],
      carry: (server, message) => this.requests.mcpMessage(server, message),
      logger: this.#logger,
    });
    this.#channel = new ControlChannel({
      send: frame => this.#transport.send(frame),
      clock: this.#clock,
      logger: this.#logger,
      newId: this.#newUuid,
      handlers: {
        can_use_tool: open => this.desk.open(open),
        hook_callback: open => this.#hooks.serve(open),
        mcp_message: open => this.#mcp.serve(open),
        elicitation: open => this.desk.openElicitation(open),
        request_user_dialog: serveDialogs(options.dialogs ?? new Map()),
      },
    });
    this.requests = new HostRequests(this.#channel);
    this.settings = new SessionSettings(this.requests, this.#info);
    this.#prompts = new PromptQueue({
      send: frame => this.#transport.send(frame),
      requests: this.requests,
      turns: this.#turns,
      transcript: this.transcript,
      newUuid: this.#newUuid,
      logger: this.#logger,
      onListenerError: report,
      onChange: () => this.#refresh(),
    });
  }

  get state(): SessionState {
    return this.#state;
  }

  get onDidChangeState(): Event<SessionState> {
    return this.#states.event;
  }

  get info(): SessionInfo {
    return this.#info.current;
  }

  /** Also after a refused change, with the old value: whoever showed the wish shows the truth again. */
  get onDidChangeInfo(): Event<SessionInfo> {
    return this.#info.onDidChange;
  }

  /** Every frame of the conversation, after transcript, state and info have taken it in. */
  get onDidReceiveFrame(): Event<CliFrame> {
    return this.#frames.event;
  }

  /** Prompts the CLI never began with: their texts belong back to the person. */
  get onDidNotDeliver(): Event<readonly UndeliveredPrompt[]> {
    return this.#prompts.onDidNotDeliver;
  }

  /** Prompts sent and not finished, oldest first. */
  get openPrompts(): readonly OpenPrompt[] {
    return this.#turns.prompts;
  }

  /** Resolves with the reason once the session is over. */
  get ended(): Promise<StopReason> {
    return this.#ended.promise;
  }

  /** Opens the line and resolves when the CLI is ready. Prompts need not wait for it. */
  async start(): Promise<void> {
    if (this.#started || this.#asked) throw new SessionError('invalidState', 'Started before.');
    this.#started = true;
    this.#transport.open({
      onFrame: frame => this.#onFrame(frame),
      onProblem: ({ code, message, excerpt }) => {
        this.#logger.warn(`${code}: ${message}`);
        // A piece of the wire, so it may hold anything: only where every frame is written too.
        this.#logger.trace(excerpt);
      },
      onClose: close => this.#onClose(close),
    });
    const ready = this.#initialize();
    this.#prompts.open();
    await ready;
  }

  /** After a gap in the line: announces everything again and takes up questions that were missed, none of them twice. */
  async resync(): Promise<void> {
    this.#info.initialized(await this.requests.initialize(this.#announcement()));
  }

  /** Never throws and never loses the text: what cannot be delivered is reported as such. */
  prompt(content: PromptContent, options: PromptOptions = {}): PromptHandle {
    return this.#prompts.send(content, options);
  }

  /** Stops the running turn. Queued prompts then run, unless they are cancelled with it. */
  interrupt(options: { readonly cancelQueued?: boolean } = {}): Promise<InterruptOutcome> {
    return this.#prompts.interrupt(options);
  }

  /** Takes a waiting prompt back. False: too late, it runs or is done. */
  cancelQueued(uuid: string): Promise<boolean> {
    return this.#prompts.cancel(uuid);
  }

  /** Takes the files back to before a prompt. */
  rewindFiles(promptUuid: string, options: { readonly dryRun: boolean }): Promise<RewindOutcome> {
    return rewindFiles(this.requests, promptUuid, options);
  }

  /** Ends the session: open questions are denied, a running turn is interrupted, then the line is stopped. */
  stop(): Promise<StopReason> {
    this.#asked = true;
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<StopReason> {
    if (this.#stopped !== undefined) return this.#stopped;
    this.#prompts.closing();
    if (this.#started) {
      this.desk.denyAll(CLOSING_MESSAGE);
      if (this.#turns.busy) await this.#endTurn();
    }
    const close = await this.#transport.stop();
    // A line that was never opened tells nobody of its end.
    if (!this.#started) this.#onClose(close);
    return this.ended;
  }

  /** Returns when the turn is over, the line is gone, or the time is up. */
  #endTurn(): Promise<void> {
    const turn: TurnToEnd = {
      interrupt: () => this.interrupt({ cancelQueued: true }),
      isOver: () => !this.#turns.turnOpen,
      onDidChange: this.onDidChangeState,
      onFailure: error => this.#logger.warn(`The turn could not be interrupted: ${asError(error).message}`),
    };
    return endTurn(turn, this.#clock, this.#limits.interruptMs);
  }

  #announcement(): InitializeRequest {
    const hooks = this.#hooks.announcement();
    return {
      ...this.#options.initialize,
      ...(hooks === undefined ? {} : { hooks }),
      ...(this.#mcp.names.length === 0 ? {} : { sdkMcpServers: [...this.#mcp.names] }),
      supportedDialogKinds: [...(this.#options.dialogs?.keys() ?? [])],
    };
  }

  async #initialize(): Promise<void> {
    try {
      const answer = await this.requests.initialize(this.#announcement(), { timeoutMs: this.#limits.initializeMs });
      this.#info.initialized(answer);
      this.settings.learn().catch((error: unknown) => {
        this.#logger.debug(`The settings in force are unknown: ${asError(error).message}`);
      });
    } catch (error) {
      const code = error instanceof SessionError ? error.code : undefined;
      if (code === 'closed') throw error;
      if (code !== 'unsupported') {
        this.#startFailure = asError(error).message;
        await this.stop();
        throw error;
      }
      this.#logger.warn('This CLI does not know initialize; going on without it.');
    }
    this.#becomeReady();
  }

  #becomeReady(): void {
    if (this.#ready) return;
    this.#ready = true;
    this.#refresh();
  }

  #onFrame(frame: CliFrame): void {
    const route = routeOf(frame);
    if (route === 'control') this.#channel.receive(frame);
    if (route !== 'conversation') return;
    this.transcript.apply(frame);
    this.#info.apply(frame);
    if (this.#turns.apply(frame)) this.#refresh();
    if (frame.type === 'system' && frame.subtype === 'init') this.#becomeReady();
    if (frame.type === 'system' && frame.subtype === 'elicitation_complete') {
      this.desk.elicitationDone(frame.mcp_server_name, frame.elicitation_id);
    }
    this.#frames.fire(frame);
  }

  #onClose(close: TransportClose): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = this.#reasonOf(close);
    try {
      this.#channel.close(new SessionError('closed', `The session ended: ${this.#stopped.code}.`));
      this.#mcp.close();
    } finally {
      this.#prompts.close();
      this.#refresh();
      this.#ended.resolve(this.#stopped);
    }
  }

  #reasonOf(close: TransportClose): StopReason {
    if (this.#startFailure !== undefined) {
      return { code: 'failedToStart', message: this.#startFailure, stderrTail: close.stderrTail };
    }
    return stopReasonOf(close, {
      asked: this.#asked,
      ready: this.#ready,
      resuming: this.#options.resuming === true,
      duringTurn: this.#turns.busy,
      lastResult: this.#turns.lastResult,
    });
  }

  #deskChanged(change: DeskChange): void {
    recordAsk(this.transcript, change);
    this.#refresh();
  }

  #refresh(): void {
    const state = this.#stateNow();
    if (sameState(state, this.#state)) return;
    this.#state = state;
    this.#states.fire(state);
  }

  #stateNow(): SessionState {
    if (this.#stopped !== undefined) return { type: 'stopped', reason: this.#stopped };
    const asks = this.desk.asks;
    if (asks[0] !== undefined) {
      return { type: 'awaitingPermission', since: asks[0].openedAt, askIds: asks.map(ask => ask.id) };
    }
    if (!this.#ready) return { type: 'starting' };
    if (!this.#turns.busy) return { type: 'idle' };
    return { type: 'working', since: this.#turns.since, promptIds: this.#turns.prompts.map(prompt => prompt.uuid) };
  }
}
