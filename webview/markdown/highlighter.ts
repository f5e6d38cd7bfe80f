import hljs from 'highlight.js/lib/common';
import type { CodePiece, CodeToken } from './highlight.ts';

/** Loaded when the first code block is finished. Turns code into pieces; no HTML leaves this file. */
export function highlightCode(code: string, language: string): readonly CodePiece[] | undefined {
  if (!hljs.getLanguage(language)) return undefined;
  return readPieces(hljs.highlight(code, { language, ignoreIllegals: true }).value);
}

/** Reads the spans the library writes back into pieces: its own markup, in which the code is escaped. */
function readPieces(markup: string): CodePiece[] {
  const pieces: CodePiece[] = [];
  const open: (CodeToken | undefined)[] = [];
  for (const [part, scope] of markup.matchAll(/<span class="([^"]*)">|<\/span>|[^<]+/g)) {
    if (scope !== undefined) open.push(tokenOf(scope) ?? open.at(-1));
    else if (part === '</span>') open.pop();
    else pieces.push(piece(unescape(part), open.at(-1)));
  }
  return pieces;
}

function piece(text: string, token: CodeToken | undefined): CodePiece {
  return token === undefined ? { text } : { text, token };
}

const tokens: Readonly<Partial<Record<string, CodeToken>>> = {
  comment: 'comment',
  quote: 'comment',
  meta: 'comment',
  keyword: 'keyword',
  built_in: 'type',
  literal: 'keyword',
  doctag: 'keyword',
  'selector-tag': 'keyword',
  name: 'keyword',
  tag: 'keyword',
  section: 'keyword',
  type: 'type',
  class: 'type',
  title: 'function',
  string: 'string',
  regexp: 'string',
  char: 'string',
  link: 'string',
  addition: 'added',
  deletion: 'removed',
  number: 'number',
  symbol: 'number',
  bullet: 'number',
  attr: 'property',
  attribute: 'property',
  property: 'property',
  variable: 'property',
  'template-variable': 'property',
  'selector-class': 'property',
  'selector-id': 'property',
};

function tokenOf(scope: string): CodeToken | undefined {
  const names = scope.split(' ');
  if (names.includes('class_')) return 'type';
  return tokens[(names[0] ?? '').replace(/^hljs-/, '')];
}

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&');
}
