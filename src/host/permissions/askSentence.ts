import { existsSync } from 'node:fs';
import { readToolInput } from '../../protocol/toolInputs.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import { fileLink } from '../chat/fileLink.ts';
import type { Translate } from '../chat/words.ts';
import { noticeText } from '../noticeText.ts';

const longest = 120;

/** What a question is about in one line that starts with the tool: "Write wants to create src/a.ts". */
export function askSentence(
  ask: PermissionAsk,
  cwd: string,
  t: Translate,
  exists: (path: string) => boolean = existsSync,
): string {
  const read = readToolInput(ask.toolName, ask.input);
  const tool = noticeText(ask.displayName ?? ask.toolName);
  const file = (path: string): string => short(fileLink(path, cwd).label);
  switch (read.tool) {
    case 'Write':
      return exists(read.input.file_path)
        ? t('{0} wants to overwrite {1}', tool, file(read.input.file_path))
        : t('{0} wants to create {1}', tool, file(read.input.file_path));
    case 'Edit':
    case 'MultiEdit':
      return t('{0} wants to change {1}', tool, file(read.input.file_path));
    case 'NotebookEdit':
      return t('{0} wants to change {1}', tool, file(read.input.notebook_path));
    case 'Read':
      return t('{0} wants to read {1}', tool, file(read.input.file_path));
    case 'Bash':
      return t('{0} wants to run: {1}', tool, short(read.input.command));
    case 'WebFetch':
      return t('{0} wants to open {1}', tool, short(read.input.url));
    case 'AskUserQuestion':
      return t('The agent asks: {0}', short(read.input.questions[0]?.question ?? ''));
    case 'ExitPlanMode':
      return t('The agent has a plan for you to read');
    case 'mcp':
      return t('{0} of {1} wants to run', short(read.name), short(read.server));
    default:
      return t('{0} wants to run', tool);
  }
}

function short(text: string): string {
  const line = noticeText(text).replace(/\s+/g, ' ').trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}
