import type { WireProblem } from '../protocol/transport.ts';
import { excerptOf } from '../protocol/wireProblem.ts';

/** A line may be as long as this unless told otherwise: an Edit carries the whole file twice, a replayed prompt all it was sent. */
export const defaultMaxLineBytes = 256 * 1024 * 1024;
/** A lower limit would refuse lines that the CLI is known to write. */
export const leastMaxLineBytes = 64 * 1024 * 1024;

export interface LineSink {
  /** One line that looks like a record, without its line end. `terminated` is false for a last line that had no LF. */
  onLine(line: string, terminated: boolean): void;
  onProblem(problem: WireProblem): void;
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const openingBrace = 0x7b;
/** More than an excerpt ever shows. */
const excerptBytes = 1000;
/** JSON's own white space and the byte order mark: what may stand before the brace. */
const leadingSpace = /^[\ufeff \t\r]+/;

/**
 * Bytes in, lines out. Splits on LF alone: a lone CR and U+2028 are ordinary characters inside a JSON string. The byte of
 * LF never occurs inside a multi-byte character of UTF-8, so whatever lies between two of them can be decoded whole,
 * however the pipe has cut it.
 *
 * Linear in the size of the input. All complete lines of a chunk are decoded in one go and cut as strings, which is
 * what makes many short lines cheap; the pieces of a long line wait in a list and are joined once, when its end is seen.
 */
export class LineSplitter {
  readonly #sink: LineSink;
  readonly #maxLineBytes: number;
  #pieces: Buffer[] = [];
  #heldBytes = 0;
  #failed = false;

  constructor(sink: LineSink, maxLineBytes = defaultMaxLineBytes) {
    this.#sink = sink;
    this.#maxLineBytes = maxLineBytes;
  }

  /** Returns false once a line was longer than allowed. From then on nothing is kept or delivered: the line is broken. */
  push(chunk: Buffer): boolean {
    if (this.#failed) return false;
    const last = chunk.lastIndexOf(lineFeed);
    if (last === -1) return this.#hold(chunk);
    let start = 0;
    if (this.#heldBytes > 0) {
      const first = chunk.indexOf(lineFeed);
      if (!this.#hold(chunk.subarray(0, first))) return false;
      this.#deliver(this.#takeHeld(), true);
      start = first + 1;
    }
    if (start <= last && !this.#deliverAll(chunk, start, last)) return false;
    return last + 1 === chunk.length || this.#hold(chunk.subarray(last + 1));
  }

  /** The stream is over: what is held is the last line, whole or cut. */
  end(): void {
    if (this.#failed || this.#heldBytes === 0) return;
    this.#deliver(this.#takeHeld(), false);
  }

  #hold(piece: Buffer): boolean {
    if (piece.length === 0) return true;
    if (this.#heldBytes + piece.length > this.#maxLineBytes) return this.#fail(piece, this.#heldBytes + piece.length);
    this.#pieces.push(piece);
    this.#heldBytes += piece.length;
    return true;
  }

  #takeHeld(): string {
    const pieces = this.#pieces;
    const single = pieces.length === 1 ? pieces[0] : undefined;
    const whole = single ?? Buffer.concat(pieces, this.#heldBytes);
    this.#pieces = [];
    this.#heldBytes = 0;
    // Let the pieces go before the text is made: three copies of a 100 MB line need not exist at once.
    pieces.length = 0;
    return whole.toString('utf8');
  }

  /** The lines that lie wholly inside one chunk. */
  #deliverAll(chunk: Buffer, start: number, last: number): boolean {
    if (last - start > this.#maxLineBytes) return this.#deliverEach(chunk, start, last);
    const text = chunk.toString('utf8', start, last + 1);
    let from = 0;
    for (let to = text.indexOf('\n'); to !== -1; to = text.indexOf('\n', from)) {
      this.#deliver(text.slice(from, to), true);
      from = to + 1;
    }
    return true;
  }

  /** The same for a chunk that is larger than a line may be (a test's or a socket's, never a pipe's): each line is measured. */
  #deliverEach(chunk: Buffer, start: number, last: number): boolean {
    let from = start;
    while (from <= last) {
      const to = chunk.indexOf(lineFeed, from);
      if (to - from > this.#maxLineBytes) return this.#fail(chunk.subarray(from, to), to - from);
      this.#deliver(chunk.toString('utf8', from, to), true);
      from = to + 1;
    }
    return true;
  }

  #deliver(raw: string, terminated: boolean): void {
    const line = raw.charCodeAt(raw.length - 1) === carriageReturn ? raw.slice(0, -1) : raw;
    if (line.charCodeAt(0) === openingBrace) {
      this.#sink.onLine(line, terminated);
      return;
    }
    const record = line.replace(leadingSpace, '');
    if (record.length === 0) return;
    if (record.charCodeAt(0) === openingBrace) this.#sink.onLine(record, terminated);
    else
      this.#sink.onProblem({
        code: 'noise',
        message: 'A line that is not a record was skipped.',
        excerpt: excerptOf(line),
      });
  }

  #fail(piece: Buffer, bytes: number): false {
    this.#failed = true;
    const pieces = [...this.#pieces.slice(0, excerptBytes), piece];
    const head = Buffer.concat(pieces, Math.min(bytes, excerptBytes));
    this.#pieces = [];
    this.#heldBytes = 0;
    this.#sink.onProblem({
      code: 'lineTooLong',
      message: `A line of more than ${this.#maxLineBytes} bytes arrived (${bytes} so far).`,
      excerpt: excerptOf(head.toString('utf8')),
    });
    return false;
  }
}
