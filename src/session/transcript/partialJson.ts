/**
 * Reads the beginning of a JSON object as far as it goes: open strings, lists and objects are closed, a key without its
 * value is left out. An empty object when there is nothing to read yet, or when the text is no JSON object.
 */
export function readPartialObject(text: string): Record<string, unknown> {
  const closed = new Scan(text).closed();
  if (closed === undefined) return {};
  try {
    const value: unknown = JSON.parse(closed);
    return isObject(value) ? value : {};
  } catch (error) {
    // No JSON after all: a model may stream anything. The final frame tells.
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Level {
  readonly closer: '}' | ']';
  /** What comes next in an object; lists always expect a value. */
  expects: 'key' | 'value';
}

/** One pass over the text that remembers the last place where it could be closed. */
class Scan {
  readonly #text: string;
  readonly #levels: Level[] = [];
  #at = 0;
  /** End of the last whole value or bracket. Levels change only there, so they always fit it. */
  #keptEnd = 0;

  constructor(text: string) {
    this.#text = text;
  }

  closed(): string | undefined {
    while (this.#at < this.#text.length) {
      const open = this.#step(this.#text.charCodeAt(this.#at));
      if (open !== undefined) return open;
    }
    return this.#keptEnd === 0 ? undefined : this.#text.slice(0, this.#keptEnd) + this.#closers();
  }

  /** Reads one token; a string only if the text ended inside a value that can be shown so far. */
  #step(code: number): string | undefined {
    const level = this.#levels.at(-1);
    switch (code) {
      case 0x7b /* { */:
      case 0x5b /* [ */:
        this.#levels.push(code === 0x7b ? { closer: '}', expects: 'key' } : { closer: ']', expects: 'value' });
        this.#keep(this.#at + 1);
        return undefined;
      case 0x7d /* } */:
      case 0x5d /* ] */:
        this.#levels.pop();
        this.#keep(this.#at + 1);
        return undefined;
      case 0x3a /* : */:
        if (level) level.expects = 'value';
        this.#at++;
        return undefined;
      case 0x2c /* , */:
        if (level?.closer === '}') level.expects = 'key';
        this.#at++;
        return undefined;
      case 0x22 /* " */:
        return this.#string(level);
      default:
        this.#literalOrSpace(code);
        return undefined;
    }
  }

  #string(level: Level | undefined): string | undefined {
    const isKey = level?.expects === 'key';
    const end = this.#endOfString();
    if (end !== undefined) {
      if (isKey) this.#at = end;
      else this.#keep(end);
      return undefined;
    }
    const start = this.#at;
    this.#at = this.#text.length;
    if (isKey || level === undefined) return undefined;
    return `${this.#text.slice(0, this.#endOfWholeEscapes(start))}"${this.#closers()}`;
  }

  #endOfString(): number | undefined {
    for (let at = this.#at + 1; ;) {
      const quote = this.#text.indexOf('"', at);
      if (quote < 0) return undefined;
      if (this.#backslashesBefore(quote) % 2 === 0) return quote + 1;
      at = quote + 1;
    }
  }

  /** Where an open string ends without its last escape, if that is not whole yet. */
  #endOfWholeEscapes(start: number): number {
    const text = this.#text;
    for (let at = text.length - 1; at > start && at >= text.length - 5; at--) {
      if (text[at] !== '\\') continue;
      const begins = this.#backslashesBefore(at) % 2 === 0;
      const rest = text.slice(at + 1);
      const unfinished = rest === '' || (rest.startsWith('u') && rest.length < 5);
      return begins && unfinished ? at : text.length;
    }
    return text.length;
  }

  #backslashesBefore(at: number): number {
    let count = 0;
    while (this.#text.charCodeAt(at - 1 - count) === 0x5c) count++;
    return count;
  }

  /** A number or word is whole only when something follows it. */
  #literalOrSpace(code: number): void {
    if (code <= 0x20) {
      this.#at++;
      return;
    }
    let end = this.#at + 1;
    while (end < this.#text.length && !isDelimiter(this.#text.charCodeAt(end))) end++;
    if (end < this.#text.length) this.#keep(end);
    else this.#at = end;
  }

  #keep(end: number): void {
    this.#at = end;
    this.#keptEnd = end;
  }

  #closers(): string {
    let closers = '';
    for (let index = this.#levels.length - 1; index >= 0; index--) closers += this.#levels[index]?.closer ?? '';
    return closers;
  }
}

function isDelimiter(code: number): boolean {
  return code <= 0x20 || code === 0x2c || code === 0x7d || code === 0x5d;
}
