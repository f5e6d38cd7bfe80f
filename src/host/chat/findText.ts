import { findPattern } from '../../bridge/findPattern.ts';
import type { HostAnswers } from '../../bridge/hostMessages.ts';
import type { TranscriptItem } from '../../session/transcriptModel.ts';
import { textOf } from './toolUse.ts';

export interface FindSource {
  readonly items: readonly TranscriptItem[];
  childrenOf(toolUseId: string): readonly TranscriptItem[];
}

const mostMatches = 2_000;
/** Of a tool's texts no more than its card shows. */
const longest = 16_000;

/** Where a text stands in the whole conversation, also in parts that the view has never loaded. */
export function findInConversation(source: FindSource, query: string): HostAnswers['find'] {
  const pattern = findPattern(query);
  const total = source.items.length;
  const matches: { index: number; count: number }[] = [];
  let found = 0;
  for (let index = 0; pattern !== undefined && index < total; index += 1) {
    const item = source.items[index];
    const count = item === undefined ? 0 : countIn(item, pattern, source);
    if (count === 0) continue;
    matches.push({ index, count });
    found += count;
    if (found >= mostMatches) return { matches, total, more: true };
  }
  return { matches, total, more: false };
}

function countIn(item: TranscriptItem, pattern: RegExp, source: FindSource): number {
  let count = 0;
  for (const text of textsOf(item)) count += text.match(pattern)?.length ?? 0;
  if (item.kind === 'tool') {
    for (const child of source.childrenOf(item.toolUseId)) count += countIn(child, pattern, source);
  }
  return count;
}

function textsOf(item: TranscriptItem): string[] {
  switch (item.kind) {
    case 'prompt':
      return [item.text];
    case 'text':
    case 'thinking':
      return [withoutMarks(item.text)];
    case 'tool':
      return [...stringsIn(item.input), textOf(item.resultContent).slice(0, longest)];
    case 'notice':
      return stringsIn(item.notice);
  }
}

/** Markdown as it is read: without emphasis, code marks and the addresses of links. */
function withoutMarks(markdown: string): string {
  if (!/[*_~`[]/.test(markdown)) return markdown;
  return markdown
    .replaceAll(/\[([^\]\n]*)\]\([^)\s]*\)/g, '$1')
    .replaceAll(/\*\*|__|~~|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)/g, '');
}

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value.slice(0, longest)];
  if (typeof value !== 'object' || value === null || depth > 5) return [];
  return Object.values(value).flatMap(part => stringsIn(part, depth + 1));
}
