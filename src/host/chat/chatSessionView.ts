import type { SessionView } from '../../bridge/sessionView.ts';
import { presentReturn } from '../sessions/presentReturn.ts';
import type { ChatOptions } from './chatOptions.ts';
import { presentFailure } from './presentFailure.ts';
import { presentSession } from './presentSession.ts';
import type { SessionSlot } from './sessionSlot.ts';
import type { ShownConversation } from './shownConversation.ts';

/** What the view, and pickers, are told about the session of a chat. */
export class ChatSessionView {
  readonly #options: ChatOptions;
  readonly #slot: SessionSlot;
  readonly #conversation: () => ShownConversation;
  #recent: SessionView['recent'] = [];

  constructor(options: ChatOptions, slot: SessionSlot, conversation: () => ShownConversation) {
    this.#options = options;
    this.#slot = slot;
    this.#conversation = conversation;
  }

  /** Which sessions the folder has seen last. */
  async readRecent(): Promise<void> {
    const { past, cwd } = this.#options;
    this.#recent = await past.recent(cwd, 5);
  }

  present(): SessionView {
    const { session, state, failure, turnStartedAt } = this.#slot;
    const { feed, shown } = this.#conversation();
    const { t, cwd, draftKey, bypass } = this.#options;
    const { model, mode } = shown.wanted(this.#options.initial());
    return presentSession(
      {
        state,
        info: session?.info,
        usage: feed.transcript.usage,
        tasks: feed.transcript.tasks.values(),
        prompts: session?.openPrompts ?? [],
        failure: presentFailure(failure, t) ?? (shown.note && presentReturn(shown.note, t)),
        openAsks: session?.desk.asks.map(ask => ask.id) ?? [],
        turnStartedAt,
        recent: this.#recent,
        resume: { ...shown.resumeView(cwd), draftKey },
        wantedModel: model,
        wantedMode: mode,
        allowBypass: bypass?.offered() === true,
      },
      t,
    );
  }
}
