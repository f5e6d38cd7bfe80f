import type { Links, Token, Tokens } from 'marked';
import type { Block, TableBlock } from './blocks.ts';
import { isMarked, lex, noLinks } from './lexer.ts';
import { closeInline, holdBack } from './liveTail.ts';
import { languageOf, OpenFence } from './openFence.ts';

/** Blocks are drawn in groups; a full group never changes again and is skipped as one. */
const groupSize = 16;
/** A list or table longer than this gives its finished entries away, so that the live rest stays short. */
const longList = 24;
const longTable = 40;
/** And a paragraph that nobody ever broke is broken at the end of a sentence. */
const longParagraph = 6_000;

interface GrowingTable {
  readonly block: TableBlock;
  /** Head and delimiter row: put before the live rows to read them. */
  readonly prefix: string;
}

/**
 * A text that grows, as blocks. Whatever is finished is read once; each update reads only what comes after it, so that a
 * token costs the same at the end of a long answer as at its beginning.
 */
export class MarkdownDocument {
  #text = '';
  /** Where the finished blocks end. */
  #done = 0;
  #finished: Block[] = [];
  #tail: Block[] = [];
  readonly #groups: (readonly Block[])[] = [];
  #links: Links = noLinks();
  #fence: OpenFence | undefined;
  #table: GrowingTable | undefined;
  #goesOn = false;

  /** Takes the whole text as it is now. `streaming`: more will come, and the end is not to be taken by its word. */
  update(given: string, streaming: boolean): void {
    const text = given.includes('\r') ? given.replace(/\r\n?/g, '\n') : given;
    if (!this.#continues(text, streaming)) this.#goBack(text);
    this.#text = text;
    this.#advance(streaming);
    if (!streaming) this.#resolveLinks();
    this.#regroup();
  }

  /** Groups of blocks in order. A group that did not change is the same object as before. */
  get groups(): readonly (readonly Block[])[] {
    return this.#groups;
  }

  #continues(text: string, streaming: boolean): boolean {
    const { length } = this.#text;
    if (text.length < length) return false;
    // While streaming only the seam is looked at; the final text is compared in whole.
    const from = streaming ? Math.max(0, length - 64) : 0;
    return text.startsWith(this.#text.slice(from), from);
  }

  /** The text is not what it was: keeps the blocks before the difference. */
  #goBack(text: string): void {
    let same = 0;
    const shorter = Math.min(text.length, this.#text.length);
    while (same < shorter && text.charCodeAt(same) === this.#text.charCodeAt(same)) same++;
    let keep = this.#finished.findIndex(block => block.end >= same);
    if (keep < 0) keep = this.#finished.length;
    // The one before the difference too: what follows a block can decide where it ends.
    keep = Math.max(0, keep - 1);
    this.#finished.length = keep;
    this.#done = this.#finished.at(-1)?.end ?? 0;
    this.#groups.length = Math.floor(keep / groupSize);
    this.#links = noLinks();
    this.#fence = undefined;
    this.#table = undefined;
    this.#goesOn = false;
  }

  #advance(streaming: boolean): void {
    this.#tail = [];
    for (let more = true; more;) {
      this.#skipBlankLines();
      this.#fence ??= this.#table === undefined ? OpenFence.at(this.#text, this.#done) : undefined;
      more = this.#fence ? this.#readFence(this.#fence, streaming) : this.#readBlocks(streaming);
    }
  }

  #skipBlankLines(): void {
    const blank = /(?:[ \t]*\n)+/y;
    blank.lastIndex = this.#done;
    if (this.#table !== undefined || !blank.test(this.#text)) return;
    this.#done = blank.lastIndex;
  }

  #readFence(fence: OpenFence, streaming: boolean): boolean {
    const { code, end } = fence.read(this.#text, !streaming);
    const block: Block = {
      kind: 'code',
      id: this.#finished.length,
      start: fence.start,
      end: end ?? this.#text.length,
      language: fence.language,
      info: fence.info,
      code,
      open: end === undefined,
    };
    if (end === undefined) {
      this.#tail = [block];
      return false;
    }
    this.#fence = undefined;
    this.#finish(block);
    return this.#done < this.#text.length;
  }

  /** Reads what is not finished. True: a fence has opened in it, and there is more to do. */
  #readBlocks(streaming: boolean): boolean {
    const prefix = this.#table?.prefix ?? '';
    const rest = this.#text.slice(this.#done);
    const shown = prefix + (streaming ? holdBack(rest) : rest);
    const tokens = this.#lex(shown);
    if (!tokens) {
      this.#tail = [{ kind: 'plain', ...this.#span(rest.length), text: rest }];
      return false;
    }
    if (this.#table) tokens[0] = withoutPrefix(tokens[0], prefix);
    const last = streaming ? tokens.findLastIndex(token => token.type !== 'space') : tokens.length;
    for (const token of tokens.slice(0, Math.max(0, last))) this.#finishToken(token);
    const live = tokens[last];
    if (!live) return false;
    if (live.type === 'code' && OpenFence.at(this.#text, this.#done)) return true;
    this.#tail = this.#liveBlocks(live);
    return false;
  }

  #lex(text: string): Token[] | undefined {
    try {
      return lex(text, this.#links);
    } catch {
      // The reader gave up on this text; it is shown as it is.
      return undefined;
    }
  }

  #span(length: number): { id: number; start: number; end: number } {
    return { id: this.#finished.length, start: this.#done, end: this.#done + length };
  }

  #finish(block: Block): void {
    this.#finished.push(block);
    this.#done = block.end;
    this.#goesOn = false;
  }

  #finishToken(token: Token): void {
    if (token.type === 'space') {
      this.#done += token.raw.length;
      return;
    }
    const block = this.#blockOf(token);
    this.#table = undefined;
    this.#finish(block);
  }

  #blockOf(token: Token): Block {
    const span = this.#span(token.raw.length);
    if (!isMarked(token)) return { kind: 'token', ...span, token, continued: false };
    if (token.type === 'code') {
      const info = token.lang ?? '';
      return { kind: 'code', ...span, language: languageOf(info), info, code: token.text, open: false };
    }
    if (token.type !== 'table') return { kind: 'token', ...span, token, continued: this.#goesOn };
    const growing = this.#table?.block;
    if (!growing) return { kind: 'table', ...span, head: token, parts: [token.rows] };
    return { ...growing, end: span.end, parts: [...growing.parts, token.rows] };
  }

  /** The block at the end, with its open marks closed for the eye. */
  #liveBlocks(token: Token): Block[] {
    const start = this.#done;
    if (isMarked(token) && token.type === 'list' && token.items.length > longList) return this.#splitList(token);
    if (isMarked(token) && token.type === 'table' && token.rows.length > longTable) return this.#splitTable(token);
    if (isMarked(token) && token.type === 'code') return [this.#blockOf(token)];
    if (token.type === 'paragraph' && token.raw.length > longParagraph) this.#splitParagraph(token.raw);
    const prefix = this.#table?.prefix ?? '';
    const raw = token.raw.slice(this.#done - start);
    const closed = closeInline(raw);
    if (closed === token.raw) return [this.#blockOf(token)];
    const [again] = this.#lex(prefix + closed) ?? [];
    if (!again) return [this.#blockOf(token)];
    return [this.#blockOf(this.#table ? withoutPrefix(again, prefix) : again)];
  }

  #splitList(list: Tokens.List): Block[] {
    const items = list.items.slice(0, -2);
    const raw = items.map(item => item.raw).join('');
    // An entry's source is trimmed of what follows the list; only an exact part may be cut off.
    if (!list.raw.startsWith(raw)) return [this.#blockOf(list)];
    const rest = list.raw.slice(raw.length).replace(/^\n+/, '');
    const head: Tokens.List = { ...list, items, raw: list.raw.slice(0, list.raw.length - rest.length) };
    const block = this.#blockOf(head);
    this.#finish(block);
    this.#goesOn = true;
    const [live] = this.#lex(closeInline(rest)) ?? [];
    return live ? [this.#blockOf(live)] : [];
  }

  /** Finishes the part of a paragraph up to a sentence's end at which no mark is open. */
  #splitParagraph(raw: string): void {
    for (let tries = 0, end = raw.length - 500; tries < 20; tries++) {
      end = raw.lastIndexOf('. ', end - 1);
      if (end < longParagraph / 4) return;
      const head = raw.slice(0, end + 2);
      if (!/^\p{L}/u.test(raw.slice(head.length)) || closeInline(head) !== head) continue;
      const [token] = this.#lex(head) ?? [];
      if (token?.type !== 'paragraph') return;
      this.#finish(this.#blockOf({ ...token, raw: head }));
      this.#goesOn = true;
      return;
    }
  }

  #splitTable(table: Tokens.Table): Block[] {
    const lines = table.raw.split('\n');
    const headLines = this.#table ? 0 : 2;
    const given = table.rows.length - 2;
    const raw = `${lines.slice(0, headLines + given).join('\n')}\n`;
    const prefix = this.#table?.prefix ?? `${lines.slice(0, 2).join('\n')}\n`;
    const before = this.#table?.block;
    const part = table.rows.slice(0, given);
    const block: TableBlock = before
      ? { ...before, end: this.#done + raw.length, parts: [...before.parts, part] }
      : { kind: 'table', ...this.#span(raw.length), head: table, parts: [part] };
    this.#table = { block, prefix };
    this.#done += raw.length;
    return [{ ...block, end: this.#done, parts: [...block.parts, table.rows.slice(given)] }];
  }

  /** Addresses may be defined after they are used: reads the blocks again that have brackets in them. */
  #resolveLinks(): void {
    if (Object.keys(this.#links).length === 0) return;
    this.#finished = this.#finished.map((block, index) => {
      const raw = this.#text.slice(block.start, block.end);
      if (block.kind !== 'token' || !/\[[^\]]+\](?!\()/.test(raw)) return block;
      const token = this.#lex(raw)?.find(one => one.type !== 'space');
      if (!token || token.type !== block.token.type) return block;
      this.#groups.length = Math.min(this.#groups.length, Math.floor(index / groupSize));
      return { ...block, token };
    });
  }

  #regroup(): void {
    const full = Math.floor(this.#finished.length / groupSize);
    const kept = Math.min(this.#groups.length, full);
    let from = kept;
    // A group is final once it is full of finished blocks and was built as such.
    while (from > 0 && this.#groups[from - 1]?.length !== groupSize) from--;
    if (from > 0 && !this.#isFinal(from - 1)) from--;
    const all = [...this.#finished.slice(from * groupSize), ...this.#tail];
    this.#groups.length = from;
    for (let at = 0; at < all.length; at += groupSize) this.#groups.push(all.slice(at, at + groupSize));
  }

  #isFinal(index: number): boolean {
    const group = this.#groups[index];
    return group?.every((block, at) => block === this.#finished[index * groupSize + at]) === true;
  }
}

/** The table that was read with the head put before it, with the source it really has. */
function withoutPrefix(token: Token | undefined, prefix: string): Token {
  if (!token) return { type: 'space', raw: '' };
  return { ...token, raw: token.raw.slice(prefix.length) };
}
