import { existsSync } from 'node:fs';
import { readToolInput } from '../../protocol/toolInputs.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import { fileLink } from '../chat/fileLink.ts';
import type { Translate } from '../chat/words.ts';
import { noticeText } from '../noticeText.ts';

const longest = 120;

export interface AskSentence {
  /** One line that starts with the tool: "Write wants to create src/a.ts". */
  readonly text: string;
  /** It holds all that matters of the input, word for word: nothing was cut, folded into one line, cleaned or left out. */
  readonly whole: boolean;
}

/** What a question is about, for a place with room for one line. */
export function askSentence(
  ask: PermissionAsk,
  cwd: string,
  t: Translate,
  exists: (path: string) => boolean = existsSync,
): AskSentence {
  if (ask.elicitation !== undefined) {
    const { mcp_server_name: server, message } = ask.elicitation;
    return { text: t('{0} asks: {1}', short(server).text, short(message).text), whole: false };
  }
  const read = readToolInput(ask.toolName, ask.input);
  const tool = short(ask.displayName ?? ask.toolName).text;
  const about = (value: string, say: (shown: string) => string): AskSentence => {
    const { text, whole } = short(value);
    return { text: say(text), whole };
  };
  const file = (path: string, say: (shown: string) => string): AskSentence => about(fileLink(path, cwd).label, say);
  switch (read.tool) {
    case 'Write':
      return file(read.input.file_path, path =>
        exists(read.input.file_path)
          ? t('{0} wants to overwrite {1}', tool, path)
          : t('{0} wants to create {1}', tool, path),
      );
    case 'Edit':
    case 'MultiEdit':
      return file(read.input.file_path, path => t('{0} wants to change {1}', tool, path));
    case 'NotebookEdit':
      return file(read.input.notebook_path, path => t('{0} wants to change {1}', tool, path));
    case 'Read':
      return file(read.input.file_path, path => t('{0} wants to read {1}', tool, path));
    case 'Bash': {
      const { text, whole } = about(read.input.command, command => t('{0} wants to run: {1}', tool, command));
      return { text, whole: whole && ask.input['dangerouslyDisableSandbox'] !== true };
    }
    case 'WebFetch':
      return about(read.input.url, url => t('{0} wants to open {1}', tool, url));
    case 'AskUserQuestion': {
      const first = read.input.questions[0]?.question ?? '';
      return { text: t('{0} asks: {1}', tool, short(first).text), whole: false };
    }
    case 'ExitPlanMode':
      return { text: t('{0} has a plan for you to read', tool), whole: false };
    case 'mcp':
      return { text: t('{0} of {1} wants to run', short(read.name).text, short(read.server).text), whole: false };
    default:
      return { text: t('{0} wants to run', tool), whole: false };
  }
}

function short(text: string): AskSentence {
  const line = noticeText(text).replace(/\s+/g, ' ').trim();
  return line.length <= longest
    ? { text: line, whole: line === text.trim() }
    : { text: `${line.slice(0, longest - 1)}…`, whole: false };
}
