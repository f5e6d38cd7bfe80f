import type { Token, TokenizerExtension, Tokens } from 'marked';

export interface FootnoteRef {
  readonly type: 'footnoteRef';
  readonly raw: string;
  readonly label: string;
}

export interface FootnoteNote {
  readonly type: 'footnoteNote';
  readonly raw: string;
  readonly label: string;
  readonly tokens: readonly Token[];
}

/** `[^1]` in a text. */
const reference: TokenizerExtension = {
  name: 'footnoteRef',
  level: 'inline',
  start: source => source.indexOf('[^'),
  tokenizer(source): Tokens.Generic | undefined {
    const match = /^\[\^([^\]\s[]{1,40})\](?!:)/.exec(source);
    return match ? { type: 'footnoteRef', raw: match[0], label: match[1] } : undefined;
  },
};

/** `[^1]: …` at the start of a line, with the lines that continue it. */
const note: TokenizerExtension = {
  name: 'footnoteNote',
  level: 'block',
  // Only after a line break: the reader asks from the second character on.
  start(source) {
    const place = source.search(/\n {0,3}\[\^[^\]\s[]{1,40}\]:/);
    return place < 0 ? undefined : place + 1;
  },
  tokenizer(source): Tokens.Generic | undefined {
    const match = /^ {0,3}\[\^([^\]\s[]{1,40})\]:[ \t]*([^\n]*(?:\n(?!\s*\n| {0,3}\[\^)[^\n]+)*)(?:\n|$)/.exec(source);
    if (!match) return undefined;
    return { type: 'footnoteNote', raw: match[0], label: match[1], tokens: this.lexer.inline(match[2] ?? '', []) };
  },
};

export const footnoteExtensions = [reference, note];

export function isFootnoteRef(token: Token): token is FootnoteRef & Tokens.Generic {
  return token.type === 'footnoteRef';
}

export function isFootnoteNote(token: Token): token is FootnoteNote & Tokens.Generic {
  return token.type === 'footnoteNote';
}
