const opening = /( {0,3})(`{3,}|~{3,})([^\n]*)\n/y;

/** A code fence at the top level whose end has not been seen. Looks at each line once, however long the code grows. */
export class OpenFence {
  readonly start: number;
  readonly language: string;
  readonly info: string;
  readonly #indent: number;
  readonly #contentStart: number;
  readonly #closing: RegExp;
  readonly #partOfClosing: RegExp;
  #scanned: number;

  /** The fence that opens exactly at this place. */
  static at(text: string, place: number): OpenFence | undefined {
    opening.lastIndex = place;
    const match = opening.exec(text);
    const [, indent = '', mark = '', info = ''] = match ?? [];
    if (!match || (mark.startsWith('`') && info.includes('`'))) return undefined;
    return new OpenFence(place, place + match[0].length, indent.length, mark, info);
  }

  private constructor(start: number, contentStart: number, indent: number, mark: string, info: string) {
    this.start = start;
    this.language = languageOf(info);
    this.info = info.trim();
    this.#indent = indent;
    this.#contentStart = contentStart;
    this.#scanned = contentStart;
    const character = mark.charAt(0);
    this.#closing = new RegExp(`^ {0,3}${character}{${mark.length},}[ \\t]*$`);
    this.#partOfClosing = new RegExp(`^ {0,3}${character}+[ \\t]*$`);
  }

  /** Reads on in the text. With an `end` the fence was closed there. */
  read(text: string, finished: boolean): { readonly code: string; readonly end?: number } {
    for (;;) {
      const newline = text.indexOf('\n', this.#scanned);
      const lineEnd = newline < 0 ? text.length : newline;
      if (newline < 0 && !finished) return { code: this.#code(text, this.#visibleEnd(text)) };
      const line = text.slice(this.#scanned, lineEnd);
      if (this.#closing.test(line)) {
        return { code: this.#code(text, this.#scanned), end: newline < 0 ? lineEnd : newline + 1 };
      }
      if (newline < 0) return { code: this.#code(text, lineEnd), end: lineEnd };
      this.#scanned = newline + 1;
    }
  }

  /** A last line that may become the closing fence is not shown as code. */
  #visibleEnd(text: string): number {
    return this.#partOfClosing.test(text.slice(this.#scanned)) ? this.#scanned : text.length;
  }

  #code(text: string, end: number): string {
    const content = text.slice(this.#contentStart, end);
    const code = content.endsWith('\n') ? content.slice(0, -1) : content;
    return this.#indent === 0 ? code : code.replace(new RegExp(`^ {1,${this.#indent}}`, 'gm'), '');
  }
}

/** The first word after the fence: `ts title="a"` and `{.ts}` are both `ts`. */
export function languageOf(info: string): string {
  return /[\w+#.-]+/.exec(info.replace(/^\s*[{.]+/, ''))?.[0].toLowerCase() ?? '';
}
