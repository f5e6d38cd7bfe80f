import type { CutText, FileLink, ToolCard } from '../../bridge/viewModel.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { ToolInput, ToolInputOf } from '../../protocol/toolInputs.ts';
import { readToolInput } from '../../protocol/toolInputs.ts';
import type { ToolResult, ToolResultOf, ToolWithResult } from '../../protocol/toolResults.ts';
import { readToolResult } from '../../protocol/toolResults.ts';
import type { TaskInfo, ToolItem } from '../../session/transcriptModel.ts';
import { cutText } from './cutText.ts';
import type { FileChange } from './diffHunks.ts';
import { changeBetween, changeOfPatch, createdFile } from './diffHunks.ts';
import { fileLink } from './fileLink.ts';

export interface CardContext {
  /** The session's folder. */
  readonly cwd: string;
  task(taskId: string): TaskInfo | undefined;
}

/** Input and result of one tool use, read and put side by side. */
interface Use {
  readonly item: ToolItem;
  readonly result: ToolResult | undefined;
  /** What the model was told, as text. */
  readonly told: string;
  readonly context: CardContext;
}

/** One tidy card per tool (section 5 of the protocol); what we do not know is readable JSON. */
export function toolCard(item: ToolItem, context: CardContext): ToolCard {
  const result = item.structuredResult === undefined ? undefined : readToolResult(item.name, item.structuredResult);
  const use: Use = { item, result, told: textOf(item.resultContent), context };
  return cardOf(readToolInput(item.name, item.input), use);
}

function cardOf(read: ToolInput, use: Use): ToolCard {
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
      return {
        type: 'todo',
        entries: read.input.todos.map(todo => ({ text: todo.content, state: todoState(todo.status) })),
      };
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

function otherCard(read: ToolInput, use: Use): ToolCard {
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
    case 'TaskCreate':
      return read.input.subject;
    case 'TaskUpdate':
      return [read.input.subject ?? `#${read.input.taskId}`, read.input.status]
        .filter(part => part !== undefined)
        .join(': ');
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

function writeCard(input: ToolInputOf<'Write'>, use: Use): ToolCard {
  const done = resultOf('Write', use.result);
  const created = done === undefined || done.type === 'create';
  const change =
    done !== undefined && !created ? changeOfPatch(done.structuredPatch) : createdFile(done?.content ?? input.content);
  return edit(fileLink(input.file_path, use.context.cwd), created, change);
}

function editCard(
  path: string,
  edits: readonly { readonly old_string: string; readonly new_string: string }[],
  use: Use,
): ToolCard {
  const done = resultOf('Edit', use.result) ?? resultOf('MultiEdit', use.result);
  const change =
    done === undefined
      ? joined(edits.map(one => changeBetween(one.old_string, one.new_string)))
      : changeOfPatch(done.structuredPatch);
  const line = done?.structuredPatch[0]?.newStart;
  return edit(fileLink(path, use.context.cwd, line), false, change);
}

function notebookCard(input: ToolInputOf<'NotebookEdit'>, use: Use): ToolCard {
  const done = resultOf('NotebookEdit', use.result);
  const change = changeBetween(done?.old_source ?? '', input.edit_mode === 'delete' ? '' : input.new_source);
  return edit(fileLink(input.notebook_path, use.context.cwd), false, change);
}

function edit(file: FileLink, created: boolean, change: FileChange): ToolCard {
  return { type: 'edit', file, created, ...change };
}

function joined(changes: readonly FileChange[]): FileChange {
  return {
    added: changes.reduce((sum, change) => sum + change.added, 0),
    removed: changes.reduce((sum, change) => sum + change.removed, 0),
    hunks: changes.flatMap(change => change.hunks),
    omittedLines: changes.reduce((sum, change) => sum + change.omittedLines, 0),
  };
}

function readCard(input: ToolInputOf<'Read'>, use: Use): ToolCard {
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

function shellCard(input: ToolInputOf<'Bash'>, use: Use): ToolCard {
  const done = resultOf('Bash', use.result);
  const failure = use.result?.tool === 'failed' ? use.result.message : undefined;
  const exit = failure === undefined ? null : /^Exit code (\d+)\n?/.exec(failure);
  const exitCode = exit?.[1] === undefined ? (done === undefined ? undefined : 0) : Number(exit[1]);
  const text = done?.stdout ?? (exit === null ? undefined : failure?.slice(exit[0].length));
  return {
    type: 'shell',
    command: input.command,
    ...(input.description === undefined ? {} : { description: input.description }),
    ...output(text ?? ''),
    ...(done === undefined || done.stderr === '' ? {} : { errorOutput: cutText(done.stderr) }),
    ...(exitCode === undefined ? {} : { exitCode }),
    background: input.run_in_background === true || done?.backgroundTaskId !== undefined,
  };
}

function grepCard(input: ToolInputOf<'Grep'>, use: Use): ToolCard {
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

function globCard(input: ToolInputOf<'Glob'>, use: Use): ToolCard {
  const done = resultOf('Glob', use.result);
  return { type: 'search', query: input.pattern, ...where(input.path), files: links(done?.filenames, use) };
}

function agentCard(input: ToolInputOf<'Agent'>, use: Use): ToolCard {
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

function questionCard(input: ToolInputOf<'AskUserQuestion'>, use: Use): ToolCard {
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

function planCard(input: ToolInputOf<'ExitPlanMode'>, use: Use): ToolCard {
  const done = resultOf('ExitPlanMode', use.result);
  return { type: 'plan', markdown: done?.plan ?? input.plan ?? '', edited: done?.planWasEdited === true };
}

function webText(use: Use): string {
  return resultOf('WebFetch', use.result)?.result ?? use.told;
}

function webLinks(use: Use): { title: string; url: string }[] {
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

function links(names: readonly string[] | undefined, use: Use): FileLink[] {
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

function todoState(status: string): 'pending' | 'inProgress' | 'completed' {
  return status === 'in_progress' ? 'inProgress' : status === 'completed' ? 'completed' : 'pending';
}

type ResultFor<Tool extends ToolWithResult> = ToolResultOf<Tool>;

function resultOf<Tool extends ToolWithResult>(
  tool: Tool,
  result: ToolResult | undefined,
): ResultFor<Tool> | undefined {
  return result !== undefined && isFor(tool, result) ? result.result : undefined;
}

function isFor<Tool extends ToolWithResult>(
  tool: Tool,
  result: ToolResult,
): result is Extract<ToolResult, { tool: Tool }> & { readonly result: ToolResultOf<Tool> } {
  return result.tool === tool;
}

export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The text in whatever a tool calls its content: a string, or a list with text blocks in it. */
function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');
}

const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Images as data addresses; only kinds that cannot carry script. */
export function imagesOf(blocks: readonly ContentBlock[]): string[] {
  return blocks.flatMap(block => {
    if (block.type !== 'image') return [];
    const { type, media_type: mediaType, data } = block.source;
    if (type !== 'base64' || mediaType === undefined || data === undefined || !shownImages.has(mediaType)) return [];
    return [`data:${mediaType};base64,${data}`];
  });
}
