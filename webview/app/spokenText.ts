import type { Token } from 'marked';
import { decodeEntities } from '../markdown/entities.ts';
import { isMarked, lex, noLinks } from '../markdown/lexer.ts';

/** Marks of emphasis whose other half is in another sentence. */
const loneMarks = /(?<=^|[\s("'])[*_~`]+(?=\S)|(?<=\S)[*_~`]+(?=[\s.,;:!?)"']|$)/g;
const address = /\b[a-z][a-z0-9+.-]*:\/\/([^\s/?#]+)\S*/gi;

/** A sentence of markdown as one would say it: without marks, tags and the addresses behind links. */
export function spokenText(markdown: string): string {
  return say(lex(markdown.trim(), noLinks())).replaceAll(/\s+/g, ' ').trim();
}

function say(tokens: readonly Token[]): string {
  return tokens.map(sayOne).join('');
}

function sayOne(token: Token): string {
  if (!isMarked(token)) return '';
  switch (token.type) {
    case 'text':
      return token.tokens ? say(token.tokens) : plain(token.text);
    case 'escape':
      return token.text;
    case 'codespan':
      return decodeEntities(token.text);
    case 'code':
      return token.codeBlockStyle === 'indented' ? token.text : '';
    case 'br':
    case 'space':
      return ' ';
    case 'image':
      return token.text;
    case 'link':
    case 'em':
    case 'strong':
    case 'del':
    case 'heading':
    case 'paragraph':
    case 'blockquote':
      return `${say(token.tokens)}${isBlock(token.type) ? ' ' : ''}`;
    case 'list':
      return token.items.map(item => say(item.tokens)).join(' ');
    case 'list_item':
      return say(token.tokens);
    case 'table':
      return [token.header, ...token.rows].map(row => row.map(cell => say(cell.tokens)).join(', ')).join('. ');
    case 'html':
    case 'def':
    case 'hr':
    case 'checkbox':
      return '';
  }
}

function isBlock(type: string): boolean {
  return type === 'heading' || type === 'paragraph' || type === 'blockquote';
}

/** A row of a table whose head is in another sentence is read cell by cell; of an address, only whose it is. */
function plain(text: string): string {
  const cells = /^\s*\|.*\|\s*$/.test(text) ? text.split('|').map(cell => cell.trim()) : [text];
  const words = cells.filter(cell => cell !== '' && !/^:?-+:?$/.test(cell)).join(', ');
  return decodeEntities(words).replaceAll(address, '$1').replaceAll(loneMarks, '');
}
