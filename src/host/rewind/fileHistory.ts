import { join, isAbsolute, resolve } from 'node:path';
import { isFields } from '../../protocol/schemaKit.ts';
import { CheckpointBook, checkpointLineStart } from '../../session/rewind/checkpointBook.ts';
import type { SessionFiles } from '../../session/store/sessionFiles.ts';
import { insidePath } from '../paths.ts';

const block = 4 * 1024 * 1024;
const LF = 0x0a;
const own = ['plans', 'projects'];
const start = Buffer.from(checkpointLineStart);

/** The CLI's own copies of files and its notes about them. Reads only. */
export class FileHistory {
  readonly #files: SessionFiles;
  readonly #config: string;

  constructor(files: SessionFiles, configFolder: string) {
    this.#files = files;
    this.#config = configFolder;
  }

  /** The checkpoints of a session, from its transcript; only lines that are one are parsed. */
  async book(sessionId: string): Promise<CheckpointBook | undefined> {
    for (const project of await this.#files.listProjects()) {
      const ref = { project, sessionId };
      const stat = await this.#files.stat(ref);
      if (stat === undefined) continue;
      const book = new CheckpointBook();
      let rest: Uint8Array = new Uint8Array(0);
      for (let at = 0; at < stat.size; at += block) {
        const bytes = await this.#files.readRange(ref, at, Math.min(at + block, stat.size));
        rest = readLines(Buffer.concat([rest, bytes]), book);
      }
      readLine(Buffer.from(rest), book);
      return book;
    }
    return undefined;
  }

  /** Whether the CLI wrote a file for itself: its plans and memories are none of the person's files. */
  isOwn(path: string): boolean {
    return own.some(name => insidePath(path, join(this.#config, name)) !== undefined);
  }

  /** Where a copy lies. */
  backupPath(sessionId: string, backup: string): string {
    return join(this.#config, 'file-history', safe(sessionId), safe(backup));
  }
}

/** A path of the CLI's notes: relative to the session's folder, or absolute when it lies outside. */
export function trackedPath(path: string, folder: string): string {
  return isAbsolute(path) ? path : resolve(folder, path);
}

function readLines(bytes: Buffer, book: CheckpointBook): Uint8Array {
  let from = 0;
  for (let end = bytes.indexOf(LF); end >= 0; end = bytes.indexOf(LF, from)) {
    readLine(bytes.subarray(from, end), book);
    from = end + 1;
  }
  return bytes.subarray(from);
}

function readLine(line: Buffer, book: CheckpointBook): void {
  if (line.length < start.length || line.compare(start, 0, start.length, 0, start.length) !== 0) return;
  let value: unknown;
  try {
    value = JSON.parse(line.toString('utf8'));
  } catch (error) {
    // A line that is still being written: it costs only itself.
    if (error instanceof SyntaxError) return;
    throw error;
  }
  if (isFields(value)) book.read(value);
}

function safe(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\:\0]/.test(name))
    throw new Error(`Not a plain name: ${name}`);
  return name;
}
