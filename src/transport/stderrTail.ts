import { printable } from './printable.ts';

/**
 * The last bytes of a stream of human text. Takes any amount and keeps a bounded one, so that a chatty child can
 * neither block on a full pipe nor fill our memory.
 */
export class StderrTail {
  readonly #limit: number;
  #pieces: Buffer[] = [];
  #bytes = 0;
  #cut = false;

  constructor(limit = 16 * 1024) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const kept = chunk.length > this.#limit ? chunk.subarray(chunk.length - this.#limit) : chunk;
    if (kept.length < chunk.length) this.#cut = true;
    // A copy: a view would keep the whole chunk of the pipe alive.
    this.#pieces.push(Buffer.from(kept));
    this.#bytes += kept.length;
    // Joined only when twice the limit has gathered, which keeps many small writes cheap.
    if (this.#bytes > 2 * this.#limit) this.#trim();
  }

  /** For people: escape sequences and control characters removed, never half a character, at most the limit. */
  text(): string {
    this.#trim();
    const bytes = this.#pieces[0] ?? Buffer.alloc(0);
    let start = 0;
    // A cut may have left the tail of a character: continuation bytes are 10xxxxxx, at most three.
    while (this.#cut && start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
    return printable(bytes.toString('utf8', start)).trim();
  }

  #trim(): void {
    if (this.#pieces.length === 0) return;
    const whole = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#bytes);
    if (whole === undefined) return;
    const excess = whole.length - this.#limit;
    if (excess > 0) this.#cut = true;
    this.#pieces = [excess > 0 ? Buffer.from(whole.subarray(excess)) : whole];
    this.#bytes = Math.min(whole.length, this.#limit);
  }
}
