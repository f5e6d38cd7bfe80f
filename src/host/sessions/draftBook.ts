import { createHash } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { attachmentSchema } from '../../bridge/viewMessages.ts';
import type { ViewAttachment } from '../../bridge/viewMessages.ts';
import { isMissing, readJson, removeFile, writeJson } from '../disk/jsonFile.ts';

const textFile = z.object({ text: z.string() });
const attachmentsFile = z.object({ attachments: z.array(attachmentSchema) });

/** What was typed and attached and not sent. */
export interface KeptDraft {
  readonly text: string;
  readonly attachments: readonly ViewAttachment[];
}

type Part = 'draft' | 'attachments';

const nothing: KeptDraft = { text: '', attachments: [] };

/** Drafts of conversations that never began are of no use to anybody after that. */
const keepMs = 30 * 24 * 3_600_000;
const unbegun = /^new-/;

/** The draft of a new conversation in the side bar of a folder. */
export function draftKeyOf(folder: string): string {
  return `new-${createHash('sha256').update(folder).digest('hex').slice(0, 24)}`;
}

/**
 * Drafts by conversation, on disk: VS Code writes the state of a page seconds after the page told it, a browser may never.
 * What is noted here is being written when the call returns. Text and attachments lie apart, so that a key stroke does not
 * write a picture again.
 */
export class DraftBook {
  readonly #folder: string;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #drafts = new Map<string, Promise<KeptDraft>>();
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

  keepText(key: string, text: string): void {
    this.#change(key, 'draft', draft => ({ ...draft, text }));
  }

  keepAttachments(key: string, attachments: readonly ViewAttachment[]): void {
    this.#change(key, 'attachments', draft => ({ ...draft, attachments }));
  }

  /** The conversation has another name from now on. */
  move(from: string, to: string): void {
    const moved = this.read(from);
    this.#change(to, 'draft', async draft => ({ ...draft, text: (await moved).text || draft.text }));
    this.#change(to, 'attachments', async draft => ({
      ...draft,
      attachments: [...(await moved).attachments, ...draft.attachments],
    }));
    this.keepText(from, '');
    this.keepAttachments(from, []);
  }

  /** Resolves when everything noted so far is on disk. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #change(key: string, part: Part, change: (draft: KeptDraft) => KeptDraft | Promise<KeptDraft>): void {
    this.#drafts.set(key, this.read(key).then(change));
    this.#unwritten.set(this.#path(key, part), [key, part]);
    this.#writing ??= this.#writeAll();
  }

  async #load(key: string): Promise<KeptDraft> {
    try {
      const [words, things] = await Promise.all([
        readJson(this.#path(key, 'draft')),
        readJson(this.#path(key, 'attachments')),
      ]);
      const text = textFile.safeParse(words);
      const attached = attachmentsFile.safeParse(things);
      return {
        ...nothing,
        ...(text.success ? text.data : {}),
        ...(attached.success ? { attachments: attached.data.attachments } : {}),
      };
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
      const { text, attachments } = await this.read(key);
      try {
        if (part === 'draft') await (text === '' ? removeFile(path) : writeJson(path, { text }));
        else await (attachments.length === 0 ? removeFile(path) : writeJson(path, { attachments }));
      } catch (error) {
        this.#logger.warn('A draft could not be kept', error);
      }
    }
    this.#writing = undefined;
    await this.#forgetEmpty();
  }

  /** What is empty is not on disk either: nothing has to be kept in mind of all the tabs there ever were. */
  async #forgetEmpty(): Promise<void> {
    for (const [key, kept] of [...this.#drafts]) {
      const { text, attachments } = await kept;
      if (text === '' && attachments.length === 0 && this.#drafts.get(key) === kept) this.#drafts.delete(key);
    }
  }

  async #sweep(): Promise<void> {
    try {
      for (const name of (await readdir(this.#folder)).filter(one => unbegun.test(one))) {
        const path = join(this.#folder, name);
        if (this.#clock.now() - (await stat(path)).mtimeMs > keepMs) await removeFile(path);
      }
    } catch (error) {
      if (!isMissing(error)) this.#logger.warn('Old drafts could not be removed', error);
    }
  }

  #path(key: string, part: Part): string {
    return join(this.#folder, `${key.replace(/[^\w-]/g, '_')}.${part}.json`);
  }
}
