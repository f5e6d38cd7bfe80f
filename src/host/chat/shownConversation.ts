import type { Disposable } from '../../base/disposable.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { NoticeItem } from '../../session/transcriptModel.ts';
import { woven } from '../rewind/chatRewind.ts';
import type { OpenedSession } from '../sessions/pastSessions.ts';
import type { ReturnNote } from '../sessions/presentReturn.ts';
import type { SessionTarget } from '../sessions/sessionTarget.ts';
import { firstPage } from '../sessions/sessionTarget.ts';
import type { ChatDrafts } from './chatDrafts.ts';
import type { ChatOptions } from './chatOptions.ts';
import type { ConversationFeed } from './conversationFeed.ts';
import type { PageLink } from './pageLink.ts';
import { ShownSession } from './shownSession.ts';

export interface ShownConversationOptions {
  readonly chat: Pick<ChatOptions, 'cwd' | 'past' | 'rewind' | 'restore' | 'services' | 't'>;
  readonly page: PageLink;
  readonly drafts: ChatDrafts;
  readonly newFeed: () => ConversationFeed;
  /** Lets go of what belongs to the conversation that is left and hands over its session, to be ended. */
  readonly leave: () => AgentSession | undefined;
  /** Another session is shown, or there is something else to know about it. */
  readonly changed: () => void;
  /** Does the work and tells the person if it fails. */
  readonly orTell: (work: Promise<unknown>) => Promise<boolean>;
}

/** A conversation that gave way to another one. Its session is to be ended. */
export interface LeftConversation {
  readonly session: AgentSession | undefined;
}

/** The conversation that a chat shows: an empty one, or one that is read from disk; one gives way to the next. */
export class ShownConversation implements Disposable {
  /** Which session it is. */
  readonly shown: ShownSession;
  readonly #options: ShownConversationOptions;
  #feed: ConversationFeed;
  #restoring = false;
  /** The session that is being read from disk. Never rejects. */
  #opening: Promise<void> = Promise.resolve();
  /** Goes up with every conversation begun or opened: what was read for an earlier one is then of no use. */
  #generation = 0;

  constructor(options: ShownConversationOptions) {
    this.#options = options;
    this.shown = new ShownSession(options.chat.restore);
    this.#feed = options.newFeed();
  }

  get feed(): ConversationFeed {
    return this.#feed;
  }

  /** Resolves when no session is being read from disk. */
  get settled(): Promise<void> {
    return this.#opening;
  }

  /** What the session is called: by a title it was given, or by its first words. */
  get title(): string {
    if (this.shown.savedTitle !== '') return this.shown.savedTitle;
    const first = this.#feed.transcript.items.find(item => item.kind === 'prompt' && !item.synthetic);
    return first?.kind === 'prompt' ? firstWords(first.text) : '';
  }

  /** Begins an empty conversation and hands over the session of the one that was left. */
  begin(): AgentSession | undefined {
    const old = this.#leave();
    this.#draw();
    return old;
  }

  /** Shows a session of the disk and hands over what was left for it. `undefined`: it is not shown. */
  open(target: SessionTarget): Promise<LeftConversation | undefined> {
    const opening = this.#open(target);
    const done = (): void => undefined;
    this.#opening = opening.then(done, done);
    return opening;
  }

  /**
   * Opens the session of an earlier window, if there was one: once, however often a page asks, and remembered until it is
   * done, so that a window that ends meanwhile finds it again.
   */
  async restore(open: (target: SessionTarget) => Promise<unknown>): Promise<void> {
    const target = this.shown.restore;
    if (this.#restoring || target === undefined) return;
    this.#restoring = true;
    try {
      await open(target);
    } finally {
      this.shown.restored();
      this.#restoring = false;
      this.#options.changed();
    }
  }

  /** The person has read what was to be known about the session. */
  dismissNote(): void {
    const { id, note } = this.shown;
    if (id !== undefined && note?.turn !== undefined) this.#options.chat.past.turnSeen(id);
    this.shown.note = undefined;
    this.#feed.sessionChanged();
  }

  /** The branch that begins here: at the end, or after one of the messages. `undefined`: there is nothing to branch off. */
  forkTarget(itemId?: string): SessionTarget | undefined {
    const { id, fork } = this.shown;
    const sessionId = id ?? fork?.sessionId;
    const item = itemId === undefined ? undefined : this.#feed.transcript.find(itemId);
    const at = item === undefined ? fork?.at : item.kind === 'text' || item.kind === 'tool' ? item.uuid : item.id;
    if (sessionId === undefined || (itemId !== undefined && at === undefined)) return undefined;
    return { sessionId, fork: true, ...(at === undefined ? {} : { at }) };
  }

  dispose(): void {
    this.#feed.dispose();
  }

  async #open(target: SessionTarget): Promise<LeftConversation | undefined> {
    const { chat } = this.#options;
    const { sessionId } = target;
    const generation = ++this.#generation;
    const opened = await chat.past.open(sessionId);
    if (opened === undefined) {
      chat.services.tell(chat.t('This session is no longer there.'));
      return undefined;
    }
    const page = await firstPage(opened.history, target.at);
    const rows = (await chat.rewind?.rows(chat.cwd, sessionId)) ?? [];
    // Another one was opened, or a new one begun, while this one was read.
    if (generation !== this.#generation) return undefined;
    const old = this.#leave();
    if (target.fork === true) this.shown.fork = target;
    else this.shown.id = sessionId;
    if (target.model !== undefined) this.shown.chooseModel(target.model);
    const { title, titleSource, firstPrompt = title } = opened.summary;
    // A list names a session by its last words, as the CLI's own does; while it is open it is named by its first.
    this.shown.savedTitle = titleSource === 'lastPrompt' ? firstWords(firstPrompt) : title;
    this.#feed.transcript.load(woven(page.items, target.at === undefined ? rows : []));
    this.#draw();
    void this.#options.orTell(this.#tellAbout(opened, page.corruptLines, rows));
    return { session: old };
  }

  #leave(): AgentSession | undefined {
    const old = this.#options.leave();
    this.#generation += 1;
    this.shown.clear();
    this.#feed.dispose();
    this.#feed = this.#options.newFeed();
    return old;
  }

  #draw(): void {
    this.#options.drafts.show(this.shown.id);
    if (this.#options.page.isThere) this.#feed.snapshot();
    this.#options.changed();
  }

  /** Reads the rest of an opened session and says what there is to know about it. */
  async #tellAbout(
    { summary, history, turn }: OpenedSession,
    corruptLines: number,
    rows: readonly NoticeItem[],
  ): Promise<void> {
    const { past } = this.#options.chat;
    const feed = this.#feed;
    const { sessionId } = summary;
    const isFork = this.shown.fork !== undefined;
    const say = (more: Partial<ReturnNote>): void => {
      if (this.#feed !== feed) return;
      this.shown.note = { corruptLines, ...this.shown.note, ...more };
      feed.sessionChanged();
    };
    say(turn === undefined || isFork ? {} : { turn });
    const [holder, read] = await Promise.all([
      isFork ? undefined : past.holderOf(sessionId),
      feed.loadOlder(history, corruptLines, rows),
    ]);
    say({ corruptLines: read, ...(holder === undefined ? {} : { holder }) });
  }
}

function firstWords(text: string): string {
  return (text.trim().split('\n', 1)[0] ?? '').slice(0, 60);
}
