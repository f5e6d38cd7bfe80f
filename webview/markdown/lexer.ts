import { Lexer, Marked } from 'marked';
import type { Links, MarkedToken, Token } from 'marked';
import { footnoteExtensions } from './footnotes.ts';

const { defaults } = new Marked({ gfm: true, extensions: footnoteExtensions });

/**
 * Markdown as tokens; nothing here makes HTML. `links` are the addresses defined so far (`[1]: …`); what the text defines is
 * added to them.
 */
export function lex(text: string, links: Links): Token[] {
  const lexer = new Lexer(defaults);
  Object.assign(lexer.tokens.links, links);
  lexer.lex(text);
  Object.assign(links, lexer.tokens.links);
  return lexer.tokens;
}

/** A place for addresses; without a prototype, since a label may be called anything. */
export function noLinks(): Links {
  return new Lexer(defaults).tokens.links;
}

const known: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

/** Whether the token is one of marked's own, so that its `type` tells its shape. */
export function isMarked(token: Token): token is MarkedToken {
  return known.has(token.type);
}
