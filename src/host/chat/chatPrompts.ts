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

  constructor(options: ChatPromptsOptions) {
    this.#options = options;
    this.#newUuid = options.newUuid ?? randomUUID;
  }

  async send(content: PromptContent, options: PromptOptions = {}): Promise<void> {
    const uuid = this.#newUuid();
    // On disk before anything else: a process to start, or a folder to look at, may take its time.
    this.#options.chat.composer.sending(uuid, content);
    this.#outgoing = this.#outgoing.then(() => this.#sendNext(content, { ...options, uuid }));
    await this.#outgoing;
  }

  /** Takes a message that waits back: it is gone, or it goes to the composer. */
  async takeBack(id: string, toEdit: boolean): Promise<void> {
    const { chat, t } = this.#options;
    const { session, composer, services } = chat;
    const waiting = session?.openPrompts.find(prompt => prompt.uuid === id);
    // Not before the agent has let go of it: the same words must be in one place only.
    if (session === undefined || waiting === undefined || !(await session.cancelQueued(id))) {
      services.tell(t('The agent has already begun with this message.'));
    } else if (toEdit) composer.giveBack([waiting.content]);
  }

  /** A message that waits goes out at once, into the running turn. */
  async sendQueuedNow(id: string): Promise<void> {
    const { chat, rewind } = this.#options;
    const { session } = chat;
    const waiting = session?.openPrompts.find(prompt => prompt.uuid === id);
    if (session === undefined || waiting === undefined) return;
    // Taken back first: the same words must not run twice.
    if (!(await session.cancelQueued(id))) return;
    // The agent passes over an id that it has seen.
    const uuid = this.#newUuid();
    chat.composer.sending(uuid, waiting.content);
    this.#follow(session.prompt(waiting.content, { priority: 'now', uuid }));
    rewind?.sent(chat, uuid, undefined);
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

  async #sendNext(content: PromptContent, options: PromptOptions & { readonly uuid: string }): Promise<void> {
    try {
      if (!(await this.#deliver(content, options))) this.notDelivered([options.uuid]);
    } catch (error) {
      this.#options.logger.error('A prompt could not be sent', error);
      this.notDelivered([options.uuid]);
    }
  }

  /** False: there is no session, or the conversation was left while its folder was being looked at. */
  async #deliver(content: PromptContent, options: PromptOptions): Promise<boolean> {
    const { chat, ensureSession, rewind, logger } = this.#options;
    const session = await ensureSession();
    if (session === undefined) return false;
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

  /** What the agent has begun with is in its hands; what was taken back is where the person wants it. */
  #follow({ uuid, begun, done }: PromptHandle): void {
    const { drafts } = this.#options.chat.composer;
    void begun.then(hasBegun => {
      if (hasBegun) drafts.gone(uuid);
    });
    void done.then(outcome => {
      if (outcome !== 'undelivered') drafts.gone(uuid);
    });
  }
}
