import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore, toDisposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { HostAnswers, HostMessage, ViewOptions } from '../../bridge/hostMessages.ts';
import type { ViewStrings } from '../../bridge/strings.ts';
import type { ViewMessage, ViewRequest } from '../../bridge/viewMessages.ts';
import type { ErrorCard, SessionView } from '../../bridge/viewModel.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { AskOutcome } from '../../session/permissionAsk.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { PromptContent, PromptOptions, UndeliveredPrompt } from '../../session/prompt.ts';
import type { SessionState } from '../../session/sessionState.ts';
import { Transcript } from '../../session/transcript/transcript.ts';
import type { PermissionModeFlag, StartFrom } from '../../transport/flags.ts';
import { errorText } from '../errorText.ts';
import type { StartOutcome, StartRequest } from '../sessions/sessionStarter.ts';
import type { ChatServices } from './chatServices.ts';
import { fullText } from './fullText.ts';
import { PatchFeed } from './patchFeed.ts';
import { presentNotFound, presentStop } from './presentFailure.ts';
import { presentItem } from './presentItem.ts';
import { presentSession } from './presentSession.ts';
import { toDecision } from './toDecision.ts';
import { contentAgain, promptContent } from './promptContent.ts';
import type { Translate } from './words.ts';

export interface ChatOptions {
  readonly cwd: string;
  readonly start: (request: StartRequest) => Promise<StartOutcome>;
  readonly services: ChatServices;
  readonly strings: () => ViewStrings;
  readonly viewOptions: () => ViewOptions;
  readonly initial: () => { readonly model: string; readonly mode: PermissionModeFlag };
  readonly t: Translate;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** A session on its way: found, starting, running or over. */
interface Run {
  readonly session: AgentSession;
  readonly owned: DisposableStore;
}

/**
 * One chat: the conversation it shows, the session behind it and the view in front of it. Views come and go; the chat
 * keeps everything they need to be drawn again.
 */
export class Chat implements Disposable {
  readonly #options: ChatOptions;
  readonly #clock: Clock;
  readonly #changes: Emitter<SessionState | undefined>;
  readonly #outcomes = new Map<string, AskOutcome>();
  #transcript: Transcript;
  #feed: PatchFeed;
  #transcriptOwned = new DisposableStore();
  #post: ((message: HostMessage) => void) | undefined;
  #run: Run | undefined;
  /** The start that is under way; a prompt sent meanwhile waits for it. */
  #starting: Promise<AgentSession | undefined> | undefined;
  #failure: ErrorCard | undefined;
  /** Kept while a question waits: the turn goes on behind it. */
  #turnStartedAt: number | undefined;
  #disposed = false;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#changes = new Emitter(error => options.logger.error('A listener of the chat failed', error));
    this.#transcript = this.#newTranscript();
    this.#feed = this.#newFeed();
  }

  get state(): SessionState | undefined {
    return this.#run?.session.state;
  }

  get session(): AgentSession | undefined {
    return this.#run?.session;
  }

  get title(): string {
    return this.#run?.session.info.title ?? '';
  }

  /** State, title or questions changed. */
  get onDidChange(): Event<SessionState | undefined> {
    return this.#changes.event;
  }

  /** A page is there to draw into. It has to ask with `ready` before it gets anything. */
  attach(post: (message: HostMessage) => void): Disposable {
    this.#post = post;
    return toDisposable(() => {
      if (this.#post === post) this.#post = undefined;
    });
  }

  /** Starts the process if none runs, so that models and commands are known before the first prompt. */
  wake(): void {
    void this.#ensureSession();
  }

  /** Ends the present session and begins an empty conversation. */
  async newSession(): Promise<void> {
    const old = this.#run;
    this.#leave();
    this.#transcriptOwned.dispose();
    this.#feed.dispose();
    this.#outcomes.clear();
    this.#failure = undefined;
    this.#transcript = this.#newTranscript();
    this.#feed = this.#newFeed();
    if (this.#post !== undefined) this.#feed.snapshot();
    this.wake();
    await old?.session.stop();
  }

  async interrupt(): Promise<void> {
    await this.#run?.session.interrupt();
  }

  focusComposer(): void {
    this.#post?.({ type: 'focus', target: 'composer' });
  }

  async setModel(value: string): Promise<void> {
    await this.#orTell(this.#run?.session.setModel(value === 'default' ? null : value));
  }

  async setMode(value: string): Promise<void> {
    await this.#orTell(this.#run?.session.setPermissionMode(value));
  }

  /** Everything about the session, for the view and for pickers. */
  view(): SessionView {
    const { session } = this.#run ?? {};
    const { model, mode } = this.#options.initial();
    const state = this.#starting === undefined || session !== undefined ? session?.state : startingState;
    return presentSession(
      {
        state,
        info: session?.info,
        usage: this.#transcript.usage,
        tasks: this.#transcript.tasks.values(),
        prompts: session?.openPrompts ?? [],
        failure: this.#failure,
        openAsks: session?.desk.asks.map(ask => ask.id) ?? [],
        turnStartedAt: this.#turnStartedAt,
        recent: [],
        wantedModel: model,
        wantedMode: mode,
        allowBypass: false,
      },
      this.#options.t,
    );
  }

  onMessage(message: ViewMessage): void {
    void this.#orTell(this.#handle(message));
  }

  async onRequest(request: ViewRequest): Promise<HostAnswers[ViewRequest['name']]> {
    switch (request.name) {
      case 'readItems': {
        const items = this.#feed.page(request.from, request.count);
        return { revision: this.#feed.revision, total: this.#transcript.items.length, from: request.from, items };
      }
      case 'completeFile':
        return { paths: await this.#options.services.completeFile(request.query, this.#options.cwd) };
      case 'readFull':
        return { text: fullText(this.#transcript.find(request.itemId), request.part) };
    }
  }

  /** Ends the process with its tree; resolves when it is gone. */
  async stop(): Promise<void> {
    const run = this.#run;
    await run?.session.stop();
  }

  dispose(): void {
    if (this.#disposed) return;
    this.#disposed = true;
    const run = this.#run;
    this.#leave();
    this.#post = undefined;
    this.#feed.dispose();
    this.#transcriptOwned.dispose();
    this.#changes.dispose();
    run?.session.stop().catch((error: unknown) => this.#options.logger.error('A session did not stop', error));
  }

  async #handle(message: ViewMessage): Promise<void> {
    const { services, cwd } = this.#options;
    switch (message.type) {
      case 'ready':
        this.#post?.({ type: 'hello', strings: this.#options.strings(), options: this.#options.viewOptions() });
        this.#feed.snapshot();
        this.wake();
        return;
      case 'ack':
        this.#feed.acknowledge(message.revision);
        return;
      case 'send':
        await this.#send(promptContent(message.text, message.attachments), message.now ? { priority: 'now' } : {});
        return;
      case 'stop':
        await this.interrupt();
        return;
      case 'cancelQueued':
        await this.#run?.session.cancelQueued(message.id);
        return;
      case 'sendQueuedNow':
        await this.#sendQueuedNow(message.id);
        return;
      case 'answer':
        this.#answer(message.askId, message.answer);
        return;
      case 'openLink':
        await services.openLink(message.href);
        return;
      case 'openFile':
        await services.openFile(message.path, cwd, message.line, message.column);
        return;
      case 'copy':
        await services.copy(message.text);
        return;
      case 'insertAtCursor':
        await services.insertAtCursor(message.text);
        return;
      case 'setModel':
        await this.setModel(message.value);
        return;
      case 'setMode':
        await this.setMode(message.value);
        return;
      case 'setEffort':
        await this.#run?.session.setEffort(message.value);
        return;
      case 'resend':
        await this.#resend(message.itemId);
        return;
      case 'stopTask':
        await this.#run?.session.requests.stopTask(message.taskId);
        return;
      case 'action':
        await this.#act(message.action);
        return;
      case 'fault':
        this.#options.logger.error(`The chat view failed: ${message.message}`);
        return;
      case 'showProposal':
      case 'openDiff':
      case 'rewind':
      case 'openSession':
      case 'removeReference':
        this.#options.logger.debug(`Not offered yet: ${message.type}`);
        return;
    }
  }

  async #send(content: PromptContent, options: PromptOptions = {}): Promise<void> {
    const session = await this.#ensureSession();
    if (session === undefined)
      this.#giveBack([{ uuid: '', content, text: typeof content === 'string' ? content : '' }]);
    else session.prompt(content, options);
  }

  async #sendQueuedNow(id: string): Promise<void> {
    const session = this.#run?.session;
    const waiting = session?.openPrompts.find(prompt => prompt.uuid === id);
    if (session === undefined || waiting === undefined) return;
    // Taken back first: the same words must not run twice.
    if (await session.cancelQueued(id)) session.prompt(waiting.content, { priority: 'now' });
  }

  async #resend(itemId: string): Promise<void> {
    const item = this.#transcript.find(itemId);
    if (item?.kind === 'prompt') await this.#send(contentAgain(item.text, item.attachments));
  }

  async #act(action: Extract<ViewMessage, { type: 'action' }>['action']): Promise<void> {
    const { services } = this.#options;
    switch (action) {
      case 'restart':
        await this.#ensureSession();
        return;
      case 'retry': {
        const last = this.#transcript.items.findLast(item => item.kind === 'prompt' && !item.synthetic);
        if (last !== undefined) await this.#resend(last.id);
        return;
      }
      case 'stop':
        await this.interrupt();
        return;
      case 'newSession':
        await this.newSession();
        return;
      case 'showLog':
        services.showLog();
        return;
      case 'openSettings':
        await services.openSettings('handrail.claude');
        return;
      case 'signIn':
        await services.signIn();
        return;
    }
  }

  #answer(askId: string, answer: Extract<ViewMessage, { type: 'answer' }>['answer']): void {
    const desk = this.#run?.session.desk;
    const ask = desk?.find(askId);
    const { services, t } = this.#options;
    if (desk === undefined || ask === undefined) {
      services.tell(t('This question is already answered.'));
      return;
    }
    desk.settle(askId, toDecision(ask, answer, t));
  }

  /** The session, started if need be. Several callers share one start. */
  async #ensureSession(): Promise<AgentSession | undefined> {
    const running = this.#run?.session;
    if (running !== undefined && running.state.type !== 'stopped') return running;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
      this.#feed.sessionChanged();
    });
    return this.#starting;
  }

  async #start(): Promise<AgentSession | undefined> {
    const from = this.#startFrom();
    const transcript = this.#transcript;
    this.#failure = undefined;
    this.#feed.sessionChanged();
    const outcome = await this.#options.start({ cwd: this.#options.cwd, from, transcript, ...this.#options.initial() });
    if (outcome.type === 'notFound') {
      this.#failure = presentNotFound(outcome.search, this.#options.t);
      this.#announce();
      return undefined;
    }
    // The chat went away, or to another conversation, while the program was looked for.
    if (this.#disposed || transcript !== this.#transcript) {
      await outcome.session.stop();
      return undefined;
    }
    this.#leave();
    this.#adopt(outcome.session);
    return outcome.session;
  }

  /** A conversation that has begun goes on where it was; the CLI keeps a file only from the first prompt on. */
  #startFrom(): StartFrom {
    const sessionId = this.#run?.session.info.sessionId;
    const begun = this.#transcript.items.some(item => item.kind === 'prompt' && item.state !== 'cancelled');
    return sessionId !== undefined && begun ? { kind: 'resume', session: sessionId } : { kind: 'new' };
  }

  #adopt(session: AgentSession): void {
    const owned = new DisposableStore();
    this.#run = { session, owned };
    owned.add(session.onDidChangeState(state => this.#stateChanged(state)));
    owned.add(session.onDidChangeInfo(() => this.#announce()));
    owned.add(session.onDidNotDeliver(prompts => this.#giveBack(prompts)));
    owned.add(session.desk.onDidChange(change => this.#deskChanged(change)));
    this.#announce();
  }

  #leave(): void {
    this.#run?.owned.dispose();
    this.#run = undefined;
  }

  #stateChanged(state: SessionState): void {
    if (state.type === 'working') this.#turnStartedAt = state.since;
    else if (state.type !== 'awaitingPermission') this.#turnStartedAt = undefined;
    if (state.type === 'stopped') this.#failure = presentStop(state.reason, this.#options.t);
    this.#announce();
  }

  #deskChanged(change: DeskChange): void {
    const { toolUseId } = change.ask;
    if (toolUseId !== undefined) {
      if (change.type === 'closed') this.#outcomes.set(toolUseId, change.outcome);
      this.#feed.touch(toolUseId);
    }
    this.#announce();
  }

  /** Words that never reached the agent go back to the composer. */
  #giveBack(prompts: readonly UndeliveredPrompt[]): void {
    const text = prompts.map(prompt => prompt.text).join('\n\n');
    if (text !== '') this.#post?.({ type: 'composer', action: { type: 'insertText', text } });
  }

  #announce(): void {
    this.#feed.sessionChanged();
    this.#changes.fire(this.state);
  }

  #newTranscript(): Transcript {
    const { logger } = this.#options;
    this.#transcriptOwned = new DisposableStore();
    const transcript = this.#transcriptOwned.add(new Transcript({ clock: this.#clock, logger }));
    this.#transcriptOwned.add(transcript.onDidChange(change => this.#feed.change(change)));
    return transcript;
  }

  #newFeed(): PatchFeed {
    return new PatchFeed({
      source: this.#transcript,
      present: item =>
        presentItem(item, {
          cwd: this.#options.cwd,
          t: this.#options.t,
          task: taskId => this.#transcript.tasks.get(taskId),
          ask: toolUseId => this.#run?.session.desk.findByToolUse(toolUseId),
          outcome: toolUseId => this.#outcomes.get(toolUseId),
        }),
      session: () => this.view(),
      post: message => this.#post?.(message),
      clock: this.#clock,
    });
  }

  async #orTell<T>(work: Promise<T> | undefined): Promise<void> {
    try {
      await work;
    } catch (error) {
      this.#options.logger.warn('A wish of the chat could not be carried out', error);
      this.#options.services.tell(errorText(error));
    }
  }
}

const startingState: SessionState = { type: 'starting' };
