import { assertNever } from '../../base/assertNever.ts';
import type { SessionSummary } from '../../session/store/sessionSummary.ts';
import type { WholeSession } from '../../session/store/sessionStore.ts';
import type { ToolItem, TranscriptItem } from '../../session/transcriptModel.ts';
import { textOf } from '../chat/toolUse.ts';
import type { Translate } from '../chat/words.ts';

const mostOutput = 20_000;

/** A session as a document for people. What could not be read is said, never left out in silence. */
export function sessionMarkdown(summary: SessionSummary, { items, corruptLines }: WholeSession, t: Translate): string {
  const title = summary.title === '' ? summary.sessionId : summary.title;
  const facts = [
    `${t('Session')}: \`${summary.sessionId}\``,
    ...(summary.cwd === undefined ? [] : [`${t('Folder')}: \`${summary.cwd}\``]),
    ...(summary.branch === undefined ? [] : [`${t('Branch')}: \`${summary.branch}\``]),
    ...(summary.createdAt === 0 ? [] : [`${t('Begun')}: ${new Date(summary.createdAt).toISOString()}`]),
    ...(corruptLines === 0 ? [] : [`**${missingText(corruptLines, t)}**`]),
  ];
  const body = items
    .filter(item => item.parentToolUseId === undefined)
    .map(item => itemMarkdown(item, t))
    .filter(text => text !== '');
  return `${[`# ${title}`, facts.map(fact => `- ${fact}`).join('\n'), ...body].join('\n\n')}\n`;
}

/** Everything we know of a session, for programs. */
export function sessionJson(summary: SessionSummary, { items, corruptLines }: WholeSession): string {
  return `${JSON.stringify({ format: 'handrail-session', version: 1, session: summary, corruptLines, items }, null, 2)}\n`;
}

function missingText(lines: number, t: Translate): string {
  return lines === 1
    ? t('1 damaged line could not be read and is missing')
    : t('{0} damaged lines could not be read and are missing', lines);
}

function itemMarkdown(item: TranscriptItem, t: Translate): string {
  switch (item.kind) {
    case 'prompt':
      return item.synthetic ? '' : `## ${t('You')}\n\n${item.text}`;
    case 'text':
      return item.text.trim() === '' ? '' : `## ${t('Agent')}\n\n${item.text}`;
    case 'thinking':
      return '';
    case 'tool':
      return toolMarkdown(item);
    case 'notice':
      return item.notice.type === 'stopped' ? `_${t('Stopped')}_` : '';
    default:
      return assertNever(item);
  }
}

function toolMarkdown(item: ToolItem): string {
  const output = textOf(item.resultContent).trim();
  const input = fenced(JSON.stringify(item.input, null, 2), 'json');
  return [`### ${item.name} (${item.state})`, input, ...(output === '' ? [] : [fenced(cut(output), '')])].join('\n\n');
}

function cut(text: string): string {
  return text.length <= mostOutput ? text : `${text.slice(0, mostOutput)}\n… (${text.length - mostOutput})`;
}

/** A fence longer than any in the text, so that the text cannot end it. */
function fenced(text: string, language: string): string {
  const longest = [...text.matchAll(/`+/g)].reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}
