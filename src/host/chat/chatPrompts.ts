import { randomUUID } from 'node:crypto';
import type { Logger } from '../../base/logger.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { PromptContent, PromptHandle, PromptOptions } from '../../session/prompt.ts';
import type { Transcript } from '../../session/transcript/transcript.ts';
import type { ChatRewind } from '../rewind/chatRewind.ts';
import type { Chat } from './chat.ts';
import { contentAgain } from './promptContent.ts';
import type { Translate } from './words.ts';

export interface ChatPromptsOptions {
  readonly chat: Chat;
  readonly transcript: () => Transcript;
  /** The running session or a new one. */
  readonly ensureSession: () => Promise<AgentSession | undefined>;
  readonly rewind: ChatRewind<Chat> | undefined;
  readonly t: Translate;
  readonly logger: Logger;
  readonly newUuid?: () => string;
}

/** What a person sends, on its way out: in order, one after the other, and never lost. */
export class ChatPrompts {
  readonly #options: ChatPromptsOptions;
  readonly #newUuid: () => string;
  /** The prompt that is on its way; the next one waits for it, so that none overtakes another. Never rejects. */
  #outgoing: Promise<void> = Promise.resolve();
  /** How many requests to let go of messages the agent has not answered. */
  #asking = 0;
  /** What it has let go of meanwhile, in that order. */
  readonly #letGo = new Set<string>();

  constructor(options: ChatPromptsOptions) {
    this.#options = options;
    this.#newUuid = options.newUuid ?? randomUUID;
  }

  async send(content: PromptContent, options: PromptOptions = {}): Promise<void> {
    const uuid = this.#newUuid();
    const { composer } = this.#options.chat;
    const { key } = composer.drafts;
    // On disk before anything else: a process to start, or a folder to look at, may take its time.
    composer.sending(uuid, content);
    this.#outgoing = this.#outgoing.then(() => this.#sendNext(content, { ...options, uuid }, key));
    await this.#outgoing;
  }

  /** Stops the turn and all that waits behind it: the CLI would begin with that at once. The words come back. */
  async stop(): Promise<void> {
    await this.#ask(async () => this.#options.chat.session?.interrupt({ cancelQueued: true }));
  }

  /** Takes a message that waits back: it is gone, or it goes to the composer. */
  async takeBack(id: string, toEdit: boolean): Promise<void> {
    const { chat, t } = this.#options;
    const { session, composer, services } = chat;
    const isWaiting = session?.openPrompts.some(prompt => prompt.uuid === id) === true;
    await this.#ask(async () => {
      // Not before the agent has let go of it: the same words must be in one place only.
      if (session === undefined || !isWaiting || !(await session.cancelQueued(id))) {
        services.tell(t('The agent has already begun with this message.'));
      } else if (!toEdit) composer.drafts.gone(id);
    });
  }

  /** A message that waits goes out at once, into the running turn. */
  async sendQueuedNow(id: string): Promise<void> {
    const { chat, rewind } = this.#options;
    const { session } = chat;
    const waiting = session?.openPrompts.find(prompt => prompt.uuid === id);
    if (session === undefined || waiting === undefined) return;
    await this.#ask(async () => {
      // Taken back first: the same words must not run twice.
      if (!(await session.cancelQueued(id)) || chat.session !== session) return;
      // The agent passes over an id that it has seen.
      const uuid = this.#newUuid();
      chat.composer.sending(uuid, waiting.content);
      chat.composer.drafts.gone(id);
      this.#follow(session.prompt(waiting.content, { priority: 'now', uuid }));
      rewind?.sent(chat, uuid, undefined);
    });
  }

  /** Sends a message of the conversation again; without an id the last one that a person wrote. */
  async resend(itemId?: string): Promise<void> {
    const transcript = this.#options.transcript();
    const item =
      itemId === undefined
        ? transcript.items.findLast(one => one.kind === 'prompt' && !one.synthetic)
        : transcript.find(itemId);
    if (item?.kind === 'prompt') await this.send(contentAgain(item.text, item.attachments));
  }

  /** The agent will not have them: they go back to where they came from. */
  notDelivered(uuids: readonly string[]): void {
    this.#options.chat.composer.drafts.giveBackSent(uuids);
  }

  async #sendNext(
    content: PromptContent,
    options: PromptOptions & { readonly uuid: string },
    key: string,
  ): Promise<void> {
    try {
      if (!(await this.#deliver(content, options, key))) this.notDelivered([options.uuid]);
    } catch (error) {
      this.#options.logger.error('A prompt could not be sent', error);
      this.notDelivered([options.uuid]);
    }
  }

  /** False: there is no session, or the conversation of this key was left while others went first or its folder was looked at. */
  async #deliver(content: PromptContent, options: PromptOptions, key: string): Promise<boolean> {
    const { chat, ensureSession, rewind, logger } = this.#options;
    const session = await ensureSession();
    if (session === undefined || !chat.composer.drafts.isShown(key)) return false;
    const waits = session.state.type === 'working' || session.state.type === 'awaitingPermission';
    const held = rewind === undefined || waits ? undefined : rewind.before(chat.cwd);
    const state = await held?.catch((error: unknown) => {
      logger.warn('The state of the folder could not be held', error);
      return undefined;
    });
    if (chat.session !== session) return false;
    const prompt = session.prompt(content, options);
    this.#follow(prompt);
    rewind?.sent(chat, prompt.uuid, state);
    return true;
  }

  /** What the agent has begun with is in its hands; what it lets go of without is the person's again. */
  #follow({ uuid, begun, done }: PromptHandle): void {
    const { drafts } = this.#options.chat.composer;
    void begun.then(hasBegun => {
      if (hasBegun) drafts.gone(uuid);
    });
    void done.then(outcome => {
      if (outcome !== 'cancelled') return;
      this.#letGo.add(uuid);
      this.#giveBack();
    });
  }

  /**
   * Asks the agent to let go of messages. It may do so and end before it has answered: whatever `work` did not decide about
   * then comes back too.
   */
  async #ask(work: () => Promise<unknown>): Promise<void> {
    this.#asking += 1;
    try {
      await work();
    } finally {
      this.#asking -= 1;
      this.#giveBack();
    }
  }

  /** All that was let go of at once, and in its order; what is in the agent's hands or already back is passed over. */
  #giveBack(): void {
    if (this.#asking > 0) return;
    this.#options.chat.composer.drafts.giveBackSent([...this.#letGo]);
    this.#letGo.clear();
  }
}
