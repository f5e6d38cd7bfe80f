import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { Chat } from '../chat/chat.ts';
import type { Chats } from '../chat/chats.ts';
import type { OpenTurn, TurnJournal } from './turnJournal.ts';

const mostInput = 20_000;

/** Writes down what each chat is in the middle of, as it changes. */
export class JournalKeeper implements Disposable {
  readonly #chats: Chats;
  readonly #journal: TurnJournal;
  readonly #owned = new DisposableStore();
  /** Sessions that had a turn in this window: only their rest means that a turn came to its end. */
  readonly #seenWorking = new WeakSet<AgentSession>();
  readonly #followed = new WeakSet<AgentSession>();

  constructor(chats: Chats, journal: TurnJournal) {
    this.#chats = chats;
    this.#journal = journal;
  }

  start(): void {
    this.#owned.add(this.#chats.onDidChange(() => this.#chats.all.forEach(chat => this.#note(chat))));
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #note(chat: Chat): void {
    const { sessionId, session } = chat;
    if (session !== undefined) this.#follow(chat, session);
    if (sessionId === undefined || session === undefined) return;
    const turn = turnOf(session);
    if (turn !== undefined) {
      this.#seenWorking.add(session);
      this.#journal.note(sessionId, turn);
    } else if (session.state.type !== 'stopped' && this.#seenWorking.delete(session)) {
      this.#journal.note(sessionId, undefined);
    }
  }

  /** That the agent has begun with a prompt changes nothing about the state of the session, and everything for its words. */
  #follow(chat: Chat, session: AgentSession): void {
    if (this.#followed.has(session)) return;
    this.#followed.add(session);
    const listener = this.#owned.add(
      session.onDidReceiveFrame(frame => {
        if (frame.type === 'command_lifecycle' && chat.session === session) this.#note(chat);
      }),
    );
    void session.ended.then(() => this.#owned.delete(listener));
  }
}

/** What the session is in the middle of; nothing when the agent has not begun with anything, and nothing new when it ended. */
export function turnOf(session: Pick<AgentSession, 'state' | 'openPrompts' | 'desk'>): OpenTurn | undefined {
  const { state } = session;
  if (state.type !== 'working' && state.type !== 'awaitingPermission') return undefined;
  if (!session.openPrompts.some(prompt => prompt.state === 'started')) return undefined;
  return {
    since: state.since,
    asks: session.desk.asks.map(({ toolName, input }) => ({
      tool: toolName,
      input: JSON.stringify(input, null, 2).slice(0, mostInput),
    })),
  };
}
