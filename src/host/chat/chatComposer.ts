import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { HostAnswers } from '../../bridge/hostMessages.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import type { PromptContent } from '../../session/prompt.ts';
import { mentionedFiles, withoutMentions } from '../context/mentions.ts';
import { ChatDrafts } from './chatDrafts.ts';
import type { ChatOptions } from './chatOptions.ts';
import type { PageLink } from './pageLink.ts';
import type { ComposerContent } from './promptContent.ts';
import { composerContent } from './promptContent.ts';

/** The host's end of the composer: what stands in it, what is put into it, and what leaves it. */
export class ChatComposer {
  /** What was typed and attached and not sent. */
  readonly drafts: ChatDrafts;
  readonly #options: ChatOptions;
  readonly #page: PageLink;

  constructor(options: ChatOptions, page: PageLink) {
    this.#options = options;
    this.#page = page;
    const { restore } = options;
    const sessionId = restore?.fork === true ? undefined : restore?.sessionId;
    this.drafts = new ChatDrafts(options.drafts, options.draftKey, sessionId, page);
  }

  /** A page is there: it learns what it has to show. */
  greet(): void {
    this.drafts.tell();
    this.showSelection();
  }

  focus(): void {
    this.#page.deliver({ type: 'focus', target: 'composer' });
  }

  /** Puts something beside the words. */
  add(attachments: readonly ViewAttachment[]): void {
    void this.drafts.told.then(() => this.#page.deliver({ type: 'composer', action: { type: 'attach', attachments } }));
  }

  /** What was said, or was to be said, comes back with its pictures before what stands there. */
  giveBack(contents: readonly PromptContent[]): void {
    const draft = this.#draftOf(contents);
    if (draft.text !== '' || draft.attachments.length > 0) this.drafts.giveBack(draft);
  }

  /** A message leaves the composer. Until the agent has begun with it, or it is given back, it is kept on disk. */
  sending(uuid: string, content: PromptContent): void {
    this.drafts.sending(uuid, this.#draftOf([content]));
  }

  /** Files that a mention may name; those on the deny list are not offered. */
  async completeFile(query: string): Promise<HostAnswers['completeFile']['paths']> {
    const { context, services, cwd } = this.#options;
    const paths = await services.completeFile(query, cwd);
    return paths.filter(({ path }) => context?.deniesPath(resolve(cwd, path)) !== true);
  }

  /** Why a message out of the draft of this key cannot go out; it stays there then. */
  problemWith(key: string, text: string, attachments: readonly ViewAttachment[]): string | undefined {
    const { context, t, cwd } = this.#options;
    if (!this.drafts.isShown(key)) {
      return t(
        'Not sent: another session is open here now. Your message is kept as a draft in the session it was for.',
      );
    }
    const files = attachments.flatMap(one => (one.kind === 'file' ? [resolve(cwd, one.path)] : []));
    const denied = [...files, ...mentionedFiles(text, cwd)].find(path => context?.deniesPath(path) === true);
    if (denied === undefined) return undefined;
    return t('Not sent: {0} is on the deny list (handrail.context.deny).', basename(denied));
  }

  /** What goes out with a message: also the chip of the editor, as it was shown. No piece makes the CLI read a file. */
  outgoing(attachments: readonly ViewAttachment[], selection: string | undefined): readonly ViewAttachment[] {
    const { context, cwd } = this.#options;
    const selected = selection === undefined ? undefined : context?.take(selection, cwd);
    return [...attachments, ...(selected === undefined ? [] : [selected])].map(one =>
      one.kind === 'context' ? { ...one, text: withoutMentions(one.text, cwd, existsSync) } : one,
    );
  }

  showSelection(): void {
    const chip = this.#options.context?.chip(this.#options.cwd);
    this.#page.post({ type: 'selection', ...(chip === undefined ? {} : { chip }) });
  }

  removeSelection(id: string): void {
    this.#options.context?.remove(id);
  }

  #draftOf(contents: readonly PromptContent[]): ComposerContent {
    return composerContent(contents, this.#options.newId ?? randomUUID);
  }
}
