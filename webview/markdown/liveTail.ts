/**
 * The end of a text that is still being written. What a half-written mark will become is not known yet, so either it is held
 * back for a moment or it is closed for the eye; both keep what is already on the screen from changing its shape.
 */

// A last line that may still turn into a rule, a heading, a list, a table, a fence, a task or a definition.
const undecided =
  /^[ \t]*(?:>[ \t]*)*(?:[-+*_=~`#|:>\s]+|\d{1,9}[.)]?[ \t]*|(?:[-+*]|\d{1,9}[.)])[ \t]+\[[ xX]?\]?[ \t]*|(?:`{3,}|~{3,})[^\n`]*|\[[^\]\n]{0,80}\]?:?[ \t]*)$/;

/** Leaves out a last line, or the head of a table, that does not show yet what it is. */
export function holdBack(text: string): string {
  const lineStart = text.lastIndexOf('\n') + 1;
  const decided = undecided.test(text.slice(lineStart)) ? text.slice(0, lineStart) : text;
  const blockStart = lastBlockStart(decided);
  return isHeadOfTable(text.slice(blockStart)) ? decided.slice(0, blockStart) : decided;
}

function lastBlockStart(text: string): number {
  let lineEnd = text.length;
  for (;;) {
    const newline = text.lastIndexOf('\n', lineEnd - 1);
    if (newline < 0 || lineEnd === 0) return 0;
    const before = newline === 0 ? -1 : text.lastIndexOf('\n', newline - 1);
    if (text.slice(before + 1, newline).trim() === '') return newline + 1;
    lineEnd = newline;
  }
}

/** A line of cells whose delimiter row is not complete: it would be a paragraph now and a table in a moment. */
function isHeadOfTable(block: string): boolean {
  const [head = '', delimiter, ...rows] = block.split('\n');
  if (!/^[ \t]{0,3}\|/.test(head) || rows.length > 0) return false;
  return delimiter === undefined || /^[ \t]*[|:\-\s]*$/.test(delimiter);
}

/** Closes the marks that are open at the end of the block, or leaves them out when nothing follows them yet. */
export function closeInline(block: string): string {
  if (isInFence(block)) return block;
  const start = inlineStart(block);
  return block.slice(0, start) + new InlineEnd(block.slice(start)).closed();
}

function isInFence(block: string): boolean {
  let fence: string | undefined;
  for (const line of block.split('\n')) {
    const mark = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+)*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (fence === undefined) fence = mark;
    else if (mark.startsWith(fence)) fence = undefined;
  }
  return fence !== undefined;
}

/** Marks do not reach over a blank line, a list marker, a heading or a cell. */
function inlineStart(block: string): number {
  let at = block.lastIndexOf('\n') + 1;
  for (;;) {
    const line = block.slice(at);
    if (/^[ \t>]*\|/.test(line)) return at + line.search(/\|[^|]*$/) + 1;
    const marker = /^[ \t>]*(?:(?:[-+*]|\d{1,9}[.)])[ \t]+|#{1,6}[ \t]+|>[ \t]*)/.exec(line);
    if (marker) return at + marker[0].length;
    if (at === 0) return 0;
    const before = block.lastIndexOf('\n', at - 2) + 1;
    if (block.slice(before, at).trim() === '') return at;
    at = before;
  }
}

interface OpenMark {
  readonly mark: string;
  readonly end: number;
}

/** Reads one run of inline text to its end and knows what is open there. */
class InlineEnd {
  readonly #text: string;
  readonly #open: OpenMark[] = [];
  /** Brackets of a link that is not complete: left out, so that its text already reads as it will. */
  readonly #dropped: number[] = [];
  #at = 0;
  #cut: number;
  #codeMark = '';

  constructor(text: string) {
    this.#text = text;
    this.#cut = text.length;
  }

  closed(): string {
    while (this.#at < this.#cut) this.#step();
    const complete = this.#open.length + this.#dropped.length === 0 && this.#cut === this.#text.length;
    if (complete && this.#codeMark === '') return this.#text;
    let text = '';
    for (let at = 0; at < this.#cut; at++) if (!this.#dropped.includes(at)) text += this.#text.charAt(at);
    text = this.#codeMark === '' ? text.trimEnd() : text + this.#codeMark;
    for (const { mark, end } of this.#open.reverse()) {
      const hasContent = this.#text.slice(end, this.#cut).trim() !== '';
      text = hasContent ? text + mark : text.slice(0, text.lastIndexOf(mark));
    }
    return text;
  }

  #step(): void {
    switch (this.#text.charAt(this.#at)) {
      case '\\':
        if (this.#at === this.#text.length - 1) this.#cut = this.#at;
        this.#at += 2;
        return;
      case '`':
        this.#code();
        return;
      case '*':
      case '_':
      case '~':
        this.#emphasis();
        return;
      case '!':
        if (this.#text.charAt(this.#at + 1) === '[') this.#link(true);
        else this.#at++;
        return;
      case '[':
        this.#link(false);
        return;
      case '<':
        if (/^<(?:[a-zA-Z/!][^>\n]{0,300})?$/.test(this.#text.slice(this.#at))) this.#cut = this.#at;
        this.#at++;
        return;
      default:
        this.#at++;
    }
  }

  #run(): string {
    const character = this.#text.charAt(this.#at);
    let end = this.#at;
    while (this.#text.charAt(end) === character) end++;
    return this.#text.slice(this.#at, end);
  }

  #code(): void {
    const mark = this.#run();
    const start = this.#at + mark.length;
    for (const match of this.#text.slice(start).matchAll(/`+/g)) {
      if (match[0].length !== mark.length) continue;
      this.#at = start + match.index + mark.length;
      return;
    }
    const content = this.#text.slice(start).replace(/`+$/, '');
    this.#cut = content.trim() === '' ? this.#at : start + content.length;
    if (content.trim() !== '') this.#codeMark = mark;
    this.#at = this.#text.length;
  }

  #emphasis(): void {
    const run = this.#run();
    const before = this.#text.charAt(this.#at - 1);
    const after = this.#text.charAt(this.#at + run.length);
    const start = this.#at;
    this.#at += run.length;
    if (run.startsWith('~') && run.length !== 2) return;
    const inWord = run.startsWith('_') && /\w/.test(before) && /\w/.test(after);
    if (inWord) return;
    if (after === '' && !(before.trim() !== '' && this.#closes(run))) {
      // The last characters: an opener without content, or half of a closer.
      this.#cut = start;
      return;
    }
    if (before.trim() !== '' && this.#closes(run)) this.#close(run);
    else if (after.trim() !== '') this.#push(run);
  }

  #closes(run: string): boolean {
    const top = this.#open.at(-1);
    return top !== undefined && top.mark.charAt(0) === run.charAt(0) && top.mark.length <= run.length;
  }

  #close(run: string): void {
    let left = run.length;
    for (let top = this.#open.at(-1); top?.mark.startsWith(run.charAt(0)); top = this.#open.at(-1)) {
      if (top.mark.length > left) return;
      left -= top.mark.length;
      this.#open.pop();
    }
  }

  #push(run: string): void {
    const character = run.charAt(0);
    const marks = run.length >= 3 ? [character.repeat(2), character] : [run];
    for (const mark of marks) this.#open.push({ mark, end: this.#at });
  }

  #link(image: boolean): void {
    const bracket = image ? this.#at + 1 : this.#at;
    const close = this.#closingBracket(bracket);
    const next = close < 0 ? '' : this.#text.charAt(close + 1);
    const paren = next === '(' ? this.#text.indexOf(')', close + 2) : -1;
    const incomplete = close < 0 || next === '' || (next === '(' && paren < 0);
    if (!incomplete) {
      this.#at = next === '(' ? paren + 1 : bracket + 1;
      return;
    }
    if (image) {
      this.#cut = this.#at;
      return;
    }
    this.#dropped.push(bracket);
    if (close >= 0) this.#cut = close;
    this.#at = bracket + 1;
  }

  #closingBracket(from: number): number {
    let depth = 0;
    for (let at = from; at < this.#text.length; at++) {
      const character = this.#text.charAt(at);
      if (character === '\\') at++;
      else if (character === '[') depth++;
      else if (character === ']' && --depth === 0) return at;
    }
    return -1;
  }
}
