import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { TranscriptRef } from '../../session/store/sessionFiles.ts';
import { isMissing } from '../../base/errorCode.ts';
import type { DiskSessionFiles } from './sessionFiles.ts';

/** A session that was deleted and can come back. */
export interface TrashedSession {
  readonly ref: TranscriptRef;
  /** Its folder in the trash. */
  readonly folder: string;
}

export class TrashError extends Error {
  override readonly name = 'TrashError';
  readonly code: 'alreadyThere';

  constructor(code: TrashError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

/** Where deleted sessions go: out of every list, and still on the disk. */
export class SessionTrash {
  readonly #files: DiskSessionFiles;
  readonly #folder: string;
  readonly #now: () => number;

  constructor(files: DiskSessionFiles, folder: string, now: () => number = Date.now) {
    this.#files = files;
    this.#folder = folder;
    this.#now = now;
  }

  get folder(): string {
    return this.#folder;
  }

  async put(ref: TranscriptRef): Promise<TrashedSession> {
    const folder = join(this.#folder, `${this.#now()}-${ref.sessionId}`);
    const besides = join(folder, 'besides');
    await mkdir(folder, { recursive: true });
    // The transcript last: as long as it is where it was, so is the session, and what went before it can go back.
    await orNothing(move(this.#files.besides(ref), besides));
    try {
      await move(this.#files.path(ref), join(folder, 'transcript.jsonl'));
    } catch (error) {
      await orNothing(move(besides, this.#files.besides(ref)));
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
    return { ref, folder };
  }

  /** Brings it back to where it was. Never over a session that has come to be there meanwhile. */
  async restore({ ref, folder }: TrashedSession): Promise<void> {
    if ((await this.#files.stat(ref)) !== undefined) {
      throw new TrashError('alreadyThere', `There is a session ${ref.sessionId} again.`);
    }
    const target = this.#files.path(ref);
    await mkdir(dirname(target), { recursive: true });
    await orNothing(move(join(folder, 'besides'), this.#files.besides(ref)));
    await move(join(folder, 'transcript.jsonl'), target);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Renames, or copies where the trash is on another disk. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    await cp(from, to, { recursive: true, preserveTimestamps: true });
    await rm(from, { recursive: true });
  }
}

async function orNothing(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}
