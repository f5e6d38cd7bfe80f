import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import { isMissing } from '../../base/errorCode.ts';
import type { Logger } from '../../base/logger.ts';
import { joinTexts } from '../../bridge/joinTexts.ts';
import { attachmentSchema } from '../../bridge/viewMessages.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import { readJson, removeFile, writeJson } from '../disk/jsonFile.ts';
import { namesIn } from './namesIn.ts';
import type { RunningCommand } from './sessionHolder.ts';
import { runningCommands, sameProgram } from './sessionHolder.ts';

const textFile = z.object({ text: z.string(), revision: z.optional(z.number()), given: z.optional(z.string()) });
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
  /** The part of the text that came back since then. */
  readonly given?: string | undefined;
}

export interface DraftBookOptions {
  readonly clock?: Clock;
  /** This process, as it is named in the files of messages on their way. */
  readonly pid?: number;
  readonly list?: () => Promise<readonly RunningCommand[]>;
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
 * its words in the draft again. Until then they are that window's alone, also where another one shows the same session.
 */
export class DraftBook {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #pid: number;
  readonly #list: () => Promise<readonly RunningCommand[]>;
  readonly #drafts = new Map<string, Promise<KeptDraft>>();
  /** By id, in the order in which they were sent. */
  readonly #outgoing = new Map<string, Outgoing>();
  /** What is newer here than on disk. */
  readonly #unwritten = new Map<string, readonly [key: string, part: Part]>();
  #writing: Promise<void> | undefined;
  #swept = false;

  constructor(folder: string, logger: Logger, options: DraftBookOptions = {}) {
    this.#folder = folder;
    this.#logger = logger;
    this.#clock = options.clock ?? systemClock;
    this.#pid = options.pid ?? process.pid;
    this.#list = options.list ?? runningCommands;
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
    this.#change(key, 'draft', draft => ({
      ...draft,
      text,
      revision: revision ?? draft.revision,
      given: undefined,
    }));
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
    this.#change(key, 'draft', draft => ({
      ...draft,
      text: joined([given, draft]).text,
      given: joinTexts([given.text, draft.given ?? '']),
    }));
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
      const { revision, given } = await moved;
      return { ...draft, text: joined([await moved, draft]).text, revision, given };
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

  /**
   * The window closes. What is on its way comes back now, and not when its agent has ended: the next window may begin to read
   * before this process is gone.
   */
  async closing(): Promise<void> {
    this.giveBackSent([...this.#outgoing.keys()]);
    await this.settled();
  }

  /** Resolves when everything noted so far is on disk. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #change(key: string, part: Part, change: (draft: KeptDraft) => KeptDraft | Promise<KeptDraft> = same => same): void {
    this.#drafts.set(key, this.read(key).then(change));
    this.#write(key, part);
  }

  #write(key: string, part: Part, path = this.#path(key, part)): void {
    // In the order of the last changes.
    this.#unwritten.delete(path);
    this.#unwritten.set(path, [key, part]);
    this.#writing ??= this.#writeAll();
  }

  async #load(key: string): Promise<KeptDraft> {
    try {
      const [words, things, left] = await Promise.all([
        readJson(this.#path(key, 'draft')),
        readJson(this.#path(key, 'attachments')),
        this.#leftOver(key),
      ]);
      const text = textFile.safeParse(words);
      const attached = attachmentsFile.safeParse(things);
      const draft: KeptDraft = {
        ...nothing,
        ...(text.success ? text.data : {}),
        ...(attached.success ? { attachments: attached.data.attachments } : {}),
      };
      if (left.length === 0) return draft;
      this.#write(key, 'draft');
      this.#write(key, 'attachments');
      for (const { path } of left) this.#write(key, 'outgoing', path);
      const given = joined(left.flatMap(({ outgoing }) => outgoing));
      return { ...draft, ...joined([given, draft]), given: joinTexts([given.text, draft.given ?? '']) };
    } catch (error) {
      this.#logger.warn('A draft could not be read', error);
      return nothing;
    }
  }

  /** Messages of windows that ended while these were on their way. */
  async #leftOver(key: string) {
    const names = (await namesIn(this.#folder)).filter(name => name.startsWith(`${safe(key)}.`));
    const files = names.flatMap(name => {
      const pid = /\.(\d+)\.outgoing\.json$/.exec(name)?.[1];
      return pid === undefined ? [] : [{ path: join(this.#folder, name), pid: Number(pid) }];
    });
    // What this process has sent itself is not read: a file of the same number is of one before it.
    const others = files.filter(({ pid }) => pid !== this.#pid);
    const living = others.length === 0 ? undefined : await this.#windows();
    const left = files.filter(({ pid }) => pid === this.#pid || living?.has(pid) === false);
    const read = await Promise.all(
      left.map(async ({ path }) => ({ path, content: outgoingFile.safeParse(await readJson(path)) })),
    );
    return read.flatMap(({ path, content }) => (content.success ? [{ path, outgoing: content.data.outgoing }] : []));
  }

  /** The processes that may be windows; `undefined` when the system does not say. */
  async #windows(): Promise<ReadonlySet<number> | undefined> {
    try {
      return sameProgram(await this.#list(), this.#pid);
    } catch (error) {
      this.#logger.warn('Messages of another window were left alone: nobody knows whether it is still there', error);
      return undefined;
    }
  }

  /** Only the newest content of a file is written, however fast it changes. */
  async #writeAll(): Promise<void> {
    for (let [next] = this.#unwritten; next !== undefined; [next] = this.#unwritten) {
      const [path, [key, part]] = next;
      this.#unwritten.delete(path);
      const { text, attachments, revision, given } = await this.read(key);
      try {
        // An empty text of a known revision says that it was sent, to a page that remembers an earlier state.
        if (part === 'draft')
          await (text === '' && (revision ?? 0) === 0 ? removeFile(path) : writeJson(path, { text, revision, given }));
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
    // Those of a window that is gone are in the draft by now.
    const own = path === this.#path(key, 'outgoing') ? [...this.#outgoing] : [];
    const outgoing = own.flatMap(([id, sent]) => (sent.key === key ? [{ id, ...sent.message }] : []));
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
      for (const name of await namesIn(this.#folder)) {
        const path = join(this.#folder, name);
        const isOld = this.#clock.now() - (await stat(path)).mtimeMs > keepMs;
        if (isOld && (unbegun.test(name) || isEmptied(await readJson(path)))) await removeFile(path);
      }
    } catch (error) {
      // Somebody has just sent what was in the file.
      if (!isMissing(error)) this.#logger.warn('Old drafts could not be removed', error);
    }
  }

  #path(key: string, part: Part): string {
    const owner = part === 'outgoing' ? `.${this.#pid}` : '';
    return join(this.#folder, `${safe(key)}${owner}.${part}.json`);
  }
}

function safe(key: string): string {
  return key.replace(/[^\w-]/g, '_');
}

/** A file that says no more than that something was sent. */
function isEmptied(content: unknown): boolean {
  const text = textFile.safeParse(content);
  const attached = attachmentsFile.safeParse(content);
  return text.success ? text.data.text === '' : attached.success && attached.data.attachments.length === 0;
}

/** Several drafts as one, in their order. */
function joined(drafts: readonly KeptDraft[]): KeptDraft {
  return {
    text: joinTexts(drafts.map(({ text }) => text)),
    attachments: drafts.flatMap(({ attachments }) => attachments),
  };
}
