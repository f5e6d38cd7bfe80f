import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { HostAnswers, HostMessage } from '../../bridge/hostMessages.ts';
import type { ViewMessage, ViewRequest } from '../../bridge/viewMessages.ts';
import type { SessionView } from '../../bridge/sessionView.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { PromptContent, PromptOptions } from '../../session/prompt.ts';
import type { SessionState } from '../../session/sessionState.ts';
import { Transcript } from '../../session/transcript/transcript.ts';
import { errorText } from '../errorText.ts';
import type { SessionTarget } from '../sessions/sessionTarget.ts';
import { ChatChoices } from './chatChoices.ts';
import { ChatComposer } from './chatComposer.ts';
import type { ChatOptions } from './chatOptions.ts';
import { ChatPrompts } from './chatPrompts.ts';
import { ChatQuestions } from './chatQuestions.ts';
import type { ChatServices } from './chatServices.ts';
import { ChatSessionView } from './chatSessionView.ts';
import { ConversationFeed } from './conversationFeed.ts';
import { PageLink } from './pageLink.ts';
import { promptContent } from './promptContent.ts';
import { SessionSlot } from './sessionSlot.ts';
import { ShownConversation } from './shownConversation.ts';
import type { ShownSession } from './shownSession.ts';
import { carryOut } from './viewOrders.ts';
import { answerView } from './viewQuestions.ts';

/**
 * One chat: the conversation it shows, the session behind it and the view in front of it. Views come and go; the chat
 * keeps everything they need to be drawn again.
 */
export class Chat implements Disposable {
  readonly composer: ChatComposer;
  readonly choices: ChatChoices;
  readonly questions: ChatQuestions;
  readonly prompts: ChatPrompts;
  readonly #options: ChatOptions;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #changes: Emitter<SessionState | undefined>;
  readonly #slot: SessionSlot;
  readonly #view: ChatSessionView;
  readonly #page = new PageLink();
  readonly #conversation: ShownConversation;

  constructor(options: ChatOptions) {
    this.#options = options;
    this.composer = new ChatComposer(options, this.#page);
    this.#clock = options.clock ?? systemClock;
    this.#changes = this.#owned.add(new Emitter(error => options.logger.error('A listener of the chat failed', error)));
    this.#slot = this.#owned.add(
      new SessionSlot(
        options.start,
        prompts => this.prompts.notDelivered(prompts.map(prompt => prompt.uuid)),
        options.logger,
      ),
    );
    this.#view = new ChatSessionView(options, this.#slot, () => this.#conversation);
    this.questions = this.#owned.add(
      new ChatQuestions({
        session: () => this.#slot.session,
        shaper: options.shaper,
        changeNotes: options.changeNotes,
        tell: message => options.services.tell(message),
        t: options.t,
        logger: options.logger,
      }),
    );
    this.prompts = new ChatPrompts({
      chat: this,
      transcript: () => this.transcript,
      // Words sent while a session is being read from disk are meant for that session.
      ensureSession: () => this.#conversation.settled.then(() => this.ensureSession()),
      rewind: options.rewind,
      t: options.t,
      logger: options.logger,
    });
    const { shaper } = this.questions;
    if (shaper !== undefined) this.#owned.add(shaper.onDidChange(toolUseId => this.feed.touch(toolUseId)));
    this.#owned.add(this.#slot.onDidChange(() => this.#slotChanged()));
    if (options.context !== undefined)
      this.#owned.add(options.context.onDidChange(() => this.composer.showSelection()));
    this.#owned.add(this.#slot.onDidChangeDesk(change => this.#deskChanged(change)));
    this.#conversation = this.#owned.add(
      new ShownConversation({
        chat: options,
        page: this.#page,
        drafts: this.composer.drafts,
        newFeed: () => this.#newFeed(),
        leave: () => {
          this.questions.shaper?.reset();
          return this.#slot.empty();
        },
        changed: () => this.#slotChanged(),
        orTell: work => this.#orTell(work),
      }),
    );
    this.choices = new ChatChoices({
      slot: this.#slot,
      shown: () => this.#shown,
      bypass: options.bypass,
      refresh: () => {
        this.feed.sessionChanged();
        this.#changes.fire(this.state);
      },
      orTell: work => this.#orTell(work),
    });
  }

  get cwd(): string {
    return this.#options.cwd;
  }

  get state(): SessionState | undefined {
    return this.#slot.state;
  }

  get session(): AgentSession | undefined {
    return this.#slot.session;
  }

  /** What the session is called: by its own title, or by its first words. */
  get title(): string {
    return this.#conversation.title;
  }

  /** The session to come back to after a restart of the window; nothing while nothing was said. */
  get sessionId(): string | undefined {
    return this.#shown.comeBackTo;
  }

  get chosenModel(): string | undefined {
    return this.#shown.chosenModel;
  }

  get transcript(): Transcript {
    return this.feed.transcript;
  }

  /** The conversation as its pages draw it. */
  get feed(): ConversationFeed {
    return this.#conversation.feed;
  }

  get services(): ChatServices {
    return this.#options.services;
  }

  /** State, title or questions changed. */
  get onDidChange(): Event<SessionState | undefined> {
    return this.#changes.event;
  }

  get onDidChangeDesk(): Event<DeskChange> {
    return this.#slot.onDidChangeDesk;
  }

  /** A page is there to draw into. It has to ask with `ready` before it gets anything. */
  attach(post: (message: HostMessage) => void): Disposable {
    return this.#page.attach(post);
  }

  /** The page went out of sight and is thrown away; what must reach the person waits for the next one. */
  pageHidden(): void {
    this.#page.hidden();
  }

  /** A page has loaded, or has lost the thread. */
  greet(): void {
    this.#page.post({ type: 'hello', strings: this.#options.strings(), options: this.#options.viewOptions() });
    this.feed.snapshot();
    this.#page.ready();
    this.composer.greet();
    if (this.#shown.restore !== undefined) {
      void this.#orTell(this.#conversation.restore(target => this.openSession(target)));
    }
    // A conversation from disk is there to be read; its process starts with the next prompt.
    else if (this.#shown.id === undefined) this.wake();
    void this.#orTell(this.#readRecent());
  }

  /** Starts the process if none runs, so that models and commands are known before the first prompt. */
  wake(): void {
    void this.#orTell(this.ensureSession());
  }

  /** The running session or a new one. A conversation that has begun goes on where it was. */
  ensureSession(again = false): Promise<AgentSession | undefined> {
    return this.#slot.ensure(
      () => ({
        cwd: this.#options.cwd,
        from: this.#shown.startFrom(),
        transcript: this.feed.transcript,
        ...this.#shown.wanted(this.#options.initial()),
      }),
      again,
    );
  }

  /** Ends the present session and begins an empty conversation. False: the person would rather stay with what runs here. */
  async newSession(): Promise<boolean> {
    if (!(await this.#mayLeave())) return false;
    const old = this.#conversation.begin();
    this.wake();
    void this.#orTell(this.#readRecent());
    await old?.stop();
    return true;
  }

  /** Shows a session of the disk, its last page at once and older ones as they are read. False: it is not shown here. */
  async openSession(target: SessionTarget): Promise<boolean> {
    const { sessionId, fork = false } = target;
    if (!fork && sessionId === this.#shown.id) {
      this.composer.focus();
      return true;
    }
    if (!fork && (await this.#options.showElsewhere?.(sessionId, this)) === true) return false;
    if (!(await this.#mayLeave(target))) return false;
    const left = await this.#conversation.open(target);
    await left?.session?.stop();
    return left !== undefined;
  }

  /** Goes on with a turn that was interrupted. */
  async continueTurn(): Promise<void> {
    await this.ensureSession(true);
    await this.send(this.#options.t('Go on where you were interrupted.'));
  }

  dismissNote(): void {
    this.#conversation.dismissNote();
  }

  /** Branches the session off: as it is, or after one of its messages. */
  fork(itemId?: string): void {
    const { openTab, services, t, cwd } = this.#options;
    const target = this.#conversation.forkTarget(itemId);
    if (target === undefined) services.tell(t('There is nothing to fork yet.'));
    else openTab?.(target, cwd);
  }

  /** A process is there, and nothing runs, nothing is asked, no task works in the background. */
  get isIdle(): boolean {
    return this.#slot.state?.type === 'idle' && !this.isBusy;
  }

  /** Work would be lost if the process ended now. */
  get isBusy(): boolean {
    if (!this.#isLive) return false;
    const { session, state } = this.#slot;
    if (state?.type === 'working' || state?.type === 'awaitingPermission') return true;
    const tasks = [...this.feed.transcript.tasks.values()];
    const inBackground = tasks.some(
      ({ ambient, status }) => !ambient && (status === 'running' || status === 'pending'),
    );
    return inBackground || (session?.openPrompts ?? []).length > 0;
  }

  /** Ends the process and keeps the conversation: the next prompt goes on with it. */
  async rest(): Promise<void> {
    const old = this.#slot.empty();
    this.#slotChanged();
    await old?.stop();
  }

  async restart(): Promise<void> {
    await this.rest();
    await this.ensureSession(true);
  }

  /** Tells the process, if one runs; without one the file has to be told. */
  async rename(title: string): Promise<void> {
    if (this.#isLive) await this.#slot.session?.settings.rename(title);
    this.#shown.savedTitle = title;
    this.#slotChanged();
  }

  async send(content: PromptContent, options: PromptOptions = {}): Promise<void> {
    this.#shown.note = undefined;
    await this.prompts.send(content, options);
  }

  /** Takes a message out of the composer, or says why not. What becomes of it is not waited for. */
  take({ key, text, attachments, selection, now }: Extract<ViewRequest, { name: 'send' }>): HostAnswers['send'] {
    const problem = this.composer.problemWith(key, text, attachments);
    if (problem !== undefined) return { problem };
    const content = promptContent(text, this.composer.outgoing(attachments, selection));
    void this.#orTell(this.send(content, now ? { priority: 'now' } : {}));
    this.composer.drafts.clear();
    return {};
  }

  /** Takes the files back to before a message: preview, choice, and then perhaps the conversation too. */
  async rewindTo(itemId: string): Promise<void> {
    await this.#options.rewind?.rewindTo(this, itemId);
  }

  async undoRewind(itemId: string): Promise<void> {
    await this.#options.rewind?.undo(this, itemId);
  }

  /** Stops the turn and all that waits behind it. */
  async interrupt(): Promise<void> {
    await this.prompts.stop();
  }

  /** Opens the search of the conversation. */
  focusFind(): void {
    this.#page.deliver({ type: 'focus', target: 'find' });
  }

  focusAsk(askId: string): void {
    this.#page.deliver({ type: 'focus', target: { askId } });
  }

  /** Everything about the session, for the view and for pickers. */
  view(): SessionView {
    return this.#view.present();
  }

  onMessage(message: ViewMessage): void {
    if (message.type === 'keyboard') this.#options.keyboard?.(message.here);
    void this.#orTell(carryOut(this, message, this.#options.logger));
  }

  onRequest(request: ViewRequest): Promise<HostAnswers[ViewRequest['name']]> {
    return answerView(this, request);
  }

  /** Ends the process with its tree; resolves when it is gone. */
  async stop(): Promise<void> {
    await this.#slot.session?.stop();
  }

  dispose(): void {
    this.#page.close();
    this.#owned.dispose();
  }

  /** Whether the conversation may give way to another one: what runs in it ends only at a person's word. */
  async #mayLeave(target?: SessionTarget): Promise<boolean> {
    const { leaving, openTab, cwd } = this.#options;
    if (leaving === undefined || !this.isBusy) return true;
    const way = await leaving();
    if (way === 'tab') openTab?.(target, cwd);
    return way === 'stop';
  }

  async #readRecent(): Promise<void> {
    await this.#view.readRecent();
    this.feed.sessionChanged();
  }

  #slotChanged(): void {
    // The CLI keeps a file only from the first prompt on: before that there is nothing to resume.
    const { session } = this.#slot;
    if (!this.#isLive) this.questions.sessionOver();
    if (this.feed.hasBegun) this.#shown.id = session?.info.sessionId ?? this.#shown.id;
    if (this.#shown.id !== undefined) this.composer.drafts.follow(this.#shown.id);
    if (session !== undefined && this.#isLive) this.#shown.follow(session.info);
    this.feed.sessionChanged();
    this.#changes.fire(this.state);
  }

  #deskChanged(change: DeskChange): void {
    this.questions.changed(change);
    this.feed.deskChanged(change);
    this.#slotChanged();
  }

  get #isLive(): boolean {
    const { session } = this.#slot;
    return session !== undefined && session.state.type !== 'stopped';
  }

  get #shown(): ShownSession {
    return this.#conversation.shown;
  }

  #newFeed(): ConversationFeed {
    const { cwd, t, logger } = this.#options;
    return new ConversationFeed({
      transcript: new Transcript({ clock: this.#clock, logger }),
      cwd,
      t,
      ask: toolUseId => this.#slot.session?.desk.findByItem(toolUseId),
      shaped: toolUseId => this.questions.shaper?.present(toolUseId),
      session: () => this.view(),
      post: message => this.#page.post(message),
      clock: this.#clock,
      logger,
    });
  }

  /** Whether it went well; the person was told if not. */
  async #orTell(work: Promise<unknown> | undefined): Promise<boolean> {
    try {
      await work;
      return true;
    } catch (error) {
      this.#options.logger.warn('A wish of the chat could not be carried out', error);
      this.#options.services.tell(errorText(error));
      return false;
    }
  }
}
