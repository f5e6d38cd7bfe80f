import type { CutText, FileLink, ToolCard } from '../../bridge/toolCard.ts';
import type { ToolInput, ToolInputOf } from '../../protocol/toolInputs.ts';
import { readToolInput } from '../../protocol/toolInputs.ts';
import { readToolResult } from '../../protocol/toolResults.ts';
import type { ToolItem } from '../../session/transcriptModel.ts';
import { elicitationCard } from '../permissions/elicitation.ts';
import { cutText } from './cutText.ts';
import { editCard, notebookCard, writeCard } from './editCards.ts';
import { fileLink } from './fileLink.ts';
import { stepCard } from './stepCards.ts';
import type { CardContext, ToolUse } from './toolUse.ts';
import { imagesOf, plainText, resultOf, textOf } from './toolUse.ts';

/** One tidy card per tool (section 5 of the protocol); what we do not know is readable JSON. */
export function toolCard(item: ToolItem, context: CardContext): ToolCard {
  const asked = item.elicitation === undefined ? undefined : elicitationCard(item.elicitation);
  if (asked !== undefined) return asked;
  const result = item.structuredResult === undefined ? undefined : readToolResult(item.name, item.structuredResult);
  const use: ToolUse = { item, result, told: textOf(item.resultContent), context };
  return cardOf(readToolInput(item.name, item.input), use);
}

function cardOf(read: ToolInput, use: ToolUse): ToolCard {
  switch (read.tool) {
    case 'Write':
      return writeCard(read.input, use);
    case 'Edit':
      return editCard(read.input.file_path, [read.input], use);
    case 'MultiEdit':
      return editCard(read.input.file_path, read.input.edits, use);
    case 'NotebookEdit':
      return notebookCard(read.input, use);
    case 'Read':
      return readCard(read.input, use);
    case 'Bash':
      return shellCard(read.input, use);
    case 'Grep':
      return grepCard(read.input, use);
    case 'Glob':
      return globCard(read.input, use);
    case 'Agent':
      return agentCard(read.input, use);
    case 'TodoWrite':
    case 'TaskCreate':
    case 'TaskUpdate':
    case 'TaskGet':
    case 'TaskList':
      return stepCard(read, use);
    case 'AskUserQuestion':
      return questionCard(read.input, use);
    case 'ExitPlanMode':
      return planCard(read.input, use);
    case 'WebFetch':
      return { type: 'web', title: read.input.url, url: read.input.url, links: [], ...output(webText(use)) };
    case 'WebSearch':
      return { type: 'web', title: read.input.query, links: webLinks(use), ...output(use.told) };
    case 'mcp':
      return {
        type: 'mcp',
        server: read.server,
        tool: read.name,
        input: json(read.input),
        ...output(use.told),
        images: imagesOf(use.item.resultContent),
      };
    default:
      return otherCard(read, use);
  }
}

function otherCard(read: ToolInput, use: ToolUse): ToolCard {
  const summary = summaryOf(read);
  return {
    type: 'other',
    ...(summary === undefined ? {} : { summary }),
    input: json(use.item.input),
    ...output(use.told),
  };
}

/** The one line that says what a lesser tool is about. */
function summaryOf(read: ToolInput): string | undefined {
  switch (read.tool) {
    case 'Skill':
      return read.input.skill;
    case 'ToolSearch':
      return read.input.query;
    case 'Monitor':
      return read.input.description;
    case 'CronCreate':
      return `${read.input.cron} ${read.input.prompt}`;
    case 'ScheduleWakeup':
      return read.input.reason;
    case 'EnterWorktree':
      return read.input.name ?? read.input.path;
    case 'ReportFindings':
      return read.input.findings.map(finding => finding.summary).join('; ');
    default:
      return undefined;
  }
}

function readCard(input: ToolInputOf<'Read'>, use: ToolUse): ToolCard {
  const done = resultOf('Read', use.result)?.file;
  const line = input.offset ?? done?.startLine;
  const lines = done?.numLines ?? input.limit;
  const endLine = line === undefined || lines === undefined ? undefined : line + lines - 1;
  const image = imagesOf(use.item.resultContent)[0];
  return {
    type: 'read',
    file: fileLink(input.file_path, use.context.cwd, line, endLine),
    ...(lines === undefined ? {} : { lines }),
    ...(image === undefined ? {} : { image }),
  };
}

function shellCard(input: ToolInputOf<'Bash'>, use: ToolUse): ToolCard {
  const command = cutText(input.command);
  const done = resultOf('Bash', use.result);
  const failure = use.result?.tool === 'failed' ? use.result.message : undefined;
  const exit = failure === undefined ? null : /^Exit code (\d+)\n?/.exec(failure);
  const exitCode = exit?.[1] === undefined ? (done === undefined ? undefined : 0) : Number(exit[1]);
  const text = done?.stdout ?? (exit === null ? undefined : failure?.slice(exit[0].length));
  return {
    type: 'shell',
    command: command.omitted === 0 ? command.text : `${command.text}…`,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...output(text ?? ''),
    ...(done === undefined || done.stderr === '' ? {} : { errorOutput: cutText(done.stderr) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    background: input.run_in_background === true || done?.backgroundTaskId !== undefined,
  };
}

function grepCard(input: ToolInputOf<'Grep'>, use: ToolUse): ToolCard {
  const done = resultOf('Grep', use.result);
  const matches = done?.numMatches ?? done?.numLines;
  return {
    type: 'search',
    query: input.pattern,
    ...where(input.path ?? input.glob),
    ...(matches === undefined ? {} : { matches }),
    files: links(done?.filenames, use),
    ...output(done?.content ?? ''),
  };
}

function globCard(input: ToolInputOf<'Glob'>, use: ToolUse): ToolCard {
  const done = resultOf('Glob', use.result);
  return { type: 'search', query: input.pattern, ...where(input.path), files: links(done?.filenames, use) };
}

function agentCard(input: ToolInputOf<'Agent'>, use: ToolUse): ToolCard {
  const done = resultOf('Agent', use.result);
  const task = use.item.taskId === undefined ? undefined : use.context.task(use.item.taskId);
  const toolUses = done?.totalToolUseCount ?? task?.usage?.toolUses;
  const tokens = done?.totalTokens ?? task?.usage?.totalTokens;
  const result = done === undefined ? '' : plainText(done.content);
  return {
    type: 'agent',
    description: input.description,
    ...(input.subagent_type === undefined ? {} : { agentType: input.subagent_type }),
    prompt: cutText(input.prompt),
    ...(result === '' ? {} : { result }),
    ...(use.item.taskId === undefined ? {} : { taskId: use.item.taskId }),
    ...(toolUses === undefined ? {} : { toolUses }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(task?.lastToolName === undefined ? {} : { lastTool: task.lastToolName }),
    background: task?.background ?? done?.status === 'async_launched',
  };
}

function questionCard(input: ToolInputOf<'AskUserQuestion'>, use: ToolUse): ToolCard {
  const given = resultOf('AskUserQuestion', use.result)?.answers ?? {};
  return {
    type: 'question',
    questions: input.questions.map(question => ({
      question: question.question,
      header: question.header ?? '',
      multiSelect: question.multiSelect === true,
      options: question.options.map(option => ({
        label: option.label,
        description: option.description ?? '',
        ...(option.preview === undefined ? {} : { preview: option.preview }),
      })),
    })),
    answers: Object.fromEntries(Object.entries(given).map(([question, answer]) => [question, answerText(answer)])),
  };
}

function answerText(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  return Array.isArray(answer) ? answer.map(String).join(', ') : JSON.stringify(answer);
}

function planCard(input: ToolInputOf<'ExitPlanMode'>, use: ToolUse): ToolCard {
  const done = resultOf('ExitPlanMode', use.result);
  return { type: 'plan', markdown: done?.plan ?? input.plan ?? '', edited: done?.planWasEdited === true };
}

function webText(use: ToolUse): string {
  return resultOf('WebFetch', use.result)?.result ?? use.told;
}

function webLinks(use: ToolUse): { title: string; url: string }[] {
  const found: { title: string; url: string }[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (typeof value === 'object' && value !== null) {
      if ('url' in value && typeof value.url === 'string') {
        found.push({
          title: 'title' in value && typeof value.title === 'string' ? value.title : value.url,
          url: value.url,
        });
      } else if ('content' in value) visit(value.content);
    }
  };
  visit(resultOf('WebSearch', use.result)?.results);
  return found.slice(0, 50);
}

function links(names: readonly string[] | undefined, use: ToolUse): FileLink[] {
  return (names ?? []).slice(0, 200).map(name => fileLink(name, use.context.cwd));
}

function where(path: string | undefined): { where?: string } {
  return path === undefined ? {} : { where: path };
}

function output(text: string): { output?: CutText } {
  return text === '' ? {} : { output: cutText(text) };
}

function json(value: unknown): CutText {
  return cutText(value === undefined ? '' : JSON.stringify(value, undefined, 2));
}
