import type { SessionFiles, TranscriptRef } from './sessionFiles.ts';

export interface RawLine {
  /** Byte offset of its first byte. */
  readonly offset: number;
  readonly bytes: Uint8Array;
}

const BLOCK = 256 * 1024;
const LF = 0x0a;

/** Lines of a transcript from the end to the beginning, a block at a time; what grows at the end meanwhile is not seen. */
export class BackwardLines {
  readonly #files: SessionFiles;
  readonly #ref: TranscriptRef;
  readonly #blockSize: number;
  #unread: number;
  /** Beginning of the line whose start has not been read, in blocks, last first. */
  #open: Uint8Array[] = [];
  #lines: RawLine[] = [];
  #nextLine = 0;

  constructor(files: SessionFiles, ref: TranscriptRef, size: number, blockSize = BLOCK) {
    this.#files = files;
    this.#ref = ref;
    this.#unread = size;
    this.#blockSize = blockSize;
  }

  /** The next line towards the beginning; `undefined` at the beginning. Empty lines are left out. */
  async next(): Promise<RawLine | undefined> {
    for (;;) {
      const line = this.#lines[this.#nextLine++];
      if (line) return line;
      this.#lines = [];
      this.#nextLine = 0;
      if (this.#unread === 0) return this.#rest();
      await this.#readBlock();
    }
  }

  async #readBlock(): Promise<void> {
    const start = Math.max(0, this.#unread - this.#blockSize);
    const block = await this.#files.readRange(this.#ref, start, this.#unread);
    this.#unread = start;
    let end = block.length;
    for (let at = block.lastIndexOf(LF); at >= 0; at = at === 0 ? -1 : block.lastIndexOf(LF, at - 1)) {
      this.#close(block.subarray(at + 1, end), start + at + 1);
      end = at;
    }
    if (end > 0) this.#open.push(block.subarray(0, end));
  }

  #close(tail: Uint8Array, offset: number): void {
    const bytes = join(tail, this.#open);
    this.#open = [];
    if (bytes.length > 0) this.#lines.push({ offset, bytes });
  }

  #rest(): RawLine | undefined {
    if (this.#open.length === 0) return undefined;
    const bytes = join(new Uint8Array(0), this.#open);
    this.#open = [];
    return { offset: 0, bytes };
  }
}

/** The parts were read from the back: the newest is the front. */
function join(front: Uint8Array, laterFirst: readonly Uint8Array[]): Uint8Array {
  if (laterFirst.length === 0) return front;
  const parts = [front, ...laterFirst.toReversed()];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/**
 * Recorded requests are most of a transcript and none of the conversation: known by how the CLI writes them, without
 * parsing. One that is written otherwise is parsed and then left out by its type.
 */
const SKIPPED = new TextEncoder().encode('{"type":"api-request');

export function isRecordedRequest(bytes: Uint8Array): boolean {
  if (bytes.length < SKIPPED.length) return false;
  for (let at = 0; at < SKIPPED.length; at++) if (bytes[at] !== SKIPPED[at]) return false;
  return true;
}
