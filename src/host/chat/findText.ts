import { findPattern } from '../../bridge/findPattern.ts';
import type { HostAnswers } from '../../bridge/hostMessages.ts';
import type { ElicitationRequest } from '../../protocol/cliRequests.ts';
import type { TranscriptItem } from '../../session/transcriptModel.ts';
import { splitContext } from '../context/contextText.ts';
import { elicitationCard } from '../permissions/elicitation.ts';
import { presentNotice } from './presentNotice.ts';
import { textOf } from './toolUse.ts';
import type { Translate } from './words.ts';

export interface FindSource {
  readonly items: readonly TranscriptItem[];
  childrenOf(toolUseId: string): readonly TranscriptItem[];
}

const mostMatches = 2_000;
/** Of a tool's texts no more than its card shows. */
const longest = 16_000;

/** Where a text stands in the whole conversation, also in parts that the view has never loaded. */
export function findInConversation(source: FindSource, query: string, t: Translate): HostAnswers['find'] {
  const pattern = findPattern(query);
  const total = source.items.length;
  const matches: { index: number; count: number }[] = [];
  let found = 0;
  for (let index = 0; pattern !== undefined && index < total; index += 1) {
    const item = source.items[index];
    const count = item === undefined ? 0 : countIn(item, pattern, source, t);
    if (count === 0) continue;
    matches.push({ index, count });
    found += count;
    if (found >= mostMatches) return { matches, total, more: true };
  }
  return { matches, total, more: false };
}

function countIn(item: TranscriptItem, pattern: RegExp, source: FindSource, t: Translate): number {
  let count = 0;
  for (const text of textsOf(item, t)) count += text.match(pattern)?.length ?? 0;
  if (item.kind === 'tool') {
    for (const child of source.childrenOf(item.toolUseId)) count += countIn(child, pattern, source, t);
  }
  return count;
}

function textsOf(item: TranscriptItem, t: Translate): string[] {
  switch (item.kind) {
    case 'prompt':
      // What waits is shown above the composer, and what went along as a chip: neither can be gone to.
      return item.state === 'queued' ? [] : [splitContext(item.text).words];
    case 'text':
    case 'thinking':
      return [withoutMarks(item.text)];
    case 'tool':
      return item.elicitation === undefined
        ? [...stringsIn(item.input), textOf(item.resultContent).slice(0, longest)]
        : elicitationTexts(item.elicitation);
    case 'notice': {
      const { text, detail = '' } = presentNotice(item, t);
      return [text, detail];
    }
  }
}

/** What the card of it shows. */
function elicitationTexts(request: ElicitationRequest): string[] {
  const card = elicitationCard(request);
  if (card === undefined) return [];
  const fields = card.fields.flatMap(({ title, description, choices }) => [
    title,
    description,
    ...choices.map(({ label }) => label),
  ]);
  return [card.server, card.message, card.page?.href ?? '', ...fields];
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
