import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { isMissing } from '../../base/errorCode.ts';
import type { Logger } from '../../base/logger.ts';
import { attachmentSchema } from '../../bridge/viewMessages.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import { readJson, removeFile, writeJson } from '../disk/jsonFile.ts';

const textFile = z.object({ text: z.string(), revision: z.optional(z.number()) });
const attachmentsFile = z.object({ attachments: z.array(attachmentSchema) });
const outgoingFile = z.object({
  outgoing: z.array(z.object({ id: z.string(), text: z.string(), attachments: z.array(attachmentSchema) })),
});

/** What was typed and attached and not sent. */
export interface KeptDraft {
  readonly text: string;
  readonly attachments: readonly ViewAttachment[];
  /** Of the page's last change to the text: tells what the page remembers from what it had sent since. */
  readonly revision?: number | undefined;
}

/** A message on its way: sent by the person, not begun with by the agent. */
interface Outgoing {
  readonly key: string;
  readonly message: KeptDraft;
}

type Part = 'draft' | 'attachments' | 'outgoing';

const nothing: KeptDraft = { text: '', attachments: [] };

/** Drafts of conversations that never began, and word that one was sent, are of no use to anybody after that. */
const keepMs = 30 * 24 * 3_600_000;
const unbegun = /^new-/;
/** A file that says no more than that. */
const emptySize = 40;

/**
 * The draft of a new conversation in the side bar of a folder. VS Code opens a workspace in one window only, and a folder once
 * more only as part of another workspace: two windows do not write over each other's words.
 */
export function draftKeyOf(folder: string, workspaceFile?: string): string {
  const place = workspaceFile === undefined ? folder : `${workspaceFile}\n${folder}`;
  return `new-${createHash('sha256').update(place).digest('hex').slice(0, 24)}`;
}

/**
 * Drafts by conversation, on disk: VS Code writes the state of a page seconds after the page told it, a browser may never.
 * What is noted here is being written when the call returns. Text and attachments lie apart, so that a key stroke does not
 * write a picture again.
 *
 * A message that was sent stays here until the agent has begun with it. If the window ends before that, the next one finds
 * its words in the draft again.
 */
export class DraftBook {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #drafts = new Map<string, Promise<KeptDraft>>();
  /** By id, in the order in which they were sent. */
  readonly #outgoing = new Map<string, Outgoing>();
  /** What is newer here than on disk. */
  readonly #unwritten = new Map<string, readonly [key: string, part: Part]>();
  #writing: Promise<void> | undefined;
  #swept = false;

  constructor(folder: string, logger: Logger, clock: Clock = systemClock) {
    this.#folder = folder;
    this.#logger = logger;
    this.#clock = clock;
  }

  /** Never rejects: a draft that cannot be read is none. */
  read(key: string): Promise<KeptDraft> {
    if (!this.#swept) {
      this.#swept = true;
      void this.#sweep();
    }
    const known = this.#drafts.get(key) ?? this.#load(key);
    this.#drafts.set(key, known);
    return known;
  }

  keepText(key: string, text: string, revision?: number): void {
    this.#change(key, 'draft', draft => ({ ...draft, text, revision: revision ?? draft.revision }));
  }

  keepAttachments(key: string, attachments: readonly ViewAttachment[]): void {
    this.#change(key, 'attachments', draft => ({ ...draft, attachments }));
  }

  /** The message leaves the composer. */
  sending(key: string, id: string, message: KeptDraft): void {
    this.#outgoing.set(id, { key, message });
    this.#change(key, 'outgoing');
  }

  /** The agent has begun with the message, or nobody wants it any more. */
  gone(id: string): void {
    const sent = this.#outgoing.get(id);
    this.#outgoing.delete(id);
    if (sent !== undefined) this.#change(sent.key, 'outgoing');
  }

  /** Words come back: they stand before what was typed since. */
  giveBack(key: string, given: KeptDraft): void {
    this.#change(key, 'draft', draft => ({ ...draft, text: joined([given, draft]).text }));
    this.#change(key, 'attachments', draft => ({ ...draft, attachments: joined([given, draft]).attachments }));
  }

  /** Messages on their way come back, each to the conversation that it was meant for. Says what went where. */
  giveBackSent(ids: readonly string[]): ReadonlyMap<string, KeptDraft> {
    const given = new Map<string, KeptDraft>();
    for (const { key, message } of ids.flatMap(id => this.#outgoing.get(id) ?? [])) {
      given.set(key, joined([given.get(key) ?? nothing, message]));
    }
    for (const [key, draft] of given) this.giveBack(key, draft);
    // Not before: what is in two places after a power loss is better than what is in none.
    for (const id of ids) this.gone(id);
    return given;
  }

  /** The conversation has another name from now on. */
  move(from: string, to: string): void {
    const moved = this.read(from);
    this.#change(to, 'draft', async draft => {
      const { text, revision } = await moved;
      return { ...draft, text: text || draft.text, revision };
    });
    this.#change(to, 'attachments', async draft => ({
      ...draft,
      attachments: [...(await moved).attachments, ...draft.attachments],
    }));
    for (const [id, { key, message }] of this.#outgoing) {
      if (key === from) this.#outgoing.set(id, { key: to, message });
    }
    this.#change(to, 'outgoing');
    this.keepText(from, '', 0);
    this.keepAttachments(from, []);
    this.#change(from, 'outgoing');
  }

  /** Resolves when everything noted so far is on disk. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #change(key: string, part: Part, change: (draft: KeptDraft) => KeptDraft | Promise<KeptDraft> = same => same): void {
    this.#drafts.set(key, this.read(key).then(change));
    this.#write(key, part);
  }

  #write(key: string, part: Part): void {
    const path = this.#path(key, part);
    // In the order of the last changes.
    this.#unwritten.delete(path);
    this.#unwritten.set(path, [key, part]);
    this.#writing ??= this.#writeAll();
  }

  async #load(key: string): Promise<KeptDraft> {
    try {
      const [words, things, sent] = await Promise.all([
        readJson(this.#path(key, 'draft')),
        readJson(this.#path(key, 'attachments')),
        readJson(this.#path(key, 'outgoing')),
      ]);
      const text = textFile.safeParse(words);
      const attached = attachmentsFile.safeParse(things);
      const left = outgoingFile.safeParse(sent);
      const draft = {
        ...nothing,
        ...(text.success ? text.data : {}),
        ...(attached.success ? { attachments: attached.data.attachments } : {}),
      };
      if (!left.success) return draft;
      for (const part of ['draft', 'attachments', 'outgoing'] as const) this.#write(key, part);
      return { ...draft, ...joined([...left.data.outgoing, draft]) };
    } catch (error) {
      this.#logger.warn('A draft could not be read', error);
      return nothing;
    }
  }

  /** Only the newest content of a file is written, however fast it changes. */
  async #writeAll(): Promise<void> {
    for (let [next] = this.#unwritten; next !== undefined; [next] = this.#unwritten) {
      const [path, [key, part]] = next;
      this.#unwritten.delete(path);
      const { text, attachments, revision } = await this.read(key);
      try {
        // An empty text of a known revision says that it was sent, to a page that remembers an earlier state.
        if (part === 'draft')
          await (text === '' && (revision ?? 0) === 0 ? removeFile(path) : writeJson(path, { text, revision }));
        else if (part === 'attachments')
          await (attachments.length === 0 ? removeFile(path) : writeJson(path, { attachments }));
        else await this.#writeOutgoing(path, key);
      } catch (error) {
        this.#logger.warn('A draft could not be kept', error);
      }
    }
    this.#writing = undefined;
    await this.#forgetEmpty();
  }

  async #writeOutgoing(path: string, key: string): Promise<void> {
    const outgoing = [...this.#outgoing].flatMap(([id, sent]) => (sent.key === key ? [{ id, ...sent.message }] : []));
    await (outgoing.length === 0 ? removeFile(path) : writeJson(path, { outgoing }));
  }

  /** What is empty is not on disk either: nothing has to be kept in mind of all the tabs there ever were. */
  async #forgetEmpty(): Promise<void> {
    for (const [key, kept] of [...this.#drafts]) {
      const { text, attachments } = await kept;
      const sends = [...this.#outgoing.values()].some(sent => sent.key === key);
      if (text === '' && attachments.length === 0 && !sends && this.#drafts.get(key) === kept) this.#drafts.delete(key);
    }
  }

  async #sweep(): Promise<void> {
    try {
      for (const name of await readdir(this.#folder)) {
        const path = join(this.#folder, name);
        const { mtimeMs, size } = await stat(path);
        const isOld = this.#clock.now() - mtimeMs > keepMs;
        if (isOld && (unbegun.test(name) || size < emptySize)) await removeFile(path);
      }
    } catch (error) {
      if (!isMissing(error)) this.#logger.warn('Old drafts could not be removed', error);
    }
  }

  #path(key: string, part: Part): string {
    return join(this.#folder, `${key.replace(/[^\w-]/g, '_')}.${part}.json`);
  }
}

/** Several drafts as one, in their order. */
function joined(drafts: readonly KeptDraft[]): KeptDraft {
  return {
    text: drafts
      .map(({ text }) => text)
      .filter(text => text.trim() !== '')
      .join('\n\n'),
    attachments: drafts.flatMap(({ attachments }) => attachments),
  };
}
