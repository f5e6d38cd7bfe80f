import * as z from 'zod/mini';
import type { ContentBlock } from './contentBlock.ts';
import { readBlocks } from './contentBlock.ts';
import { readExactly } from './readValue.ts';
import {
  anything,
  count,
  isFields,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  nullishText,
  open,
  text,
  texts,
  wire,
} from './schemaKit.ts';
import { finding, question, todo } from './toolInputs.ts';
import { canonicalToolName, mcpToolName } from './toolName.ts';

/** Lines start with ` `, `+` or `-`. */
const hunk = lazy(() => wire({ oldStart: count, oldLines: count, newStart: count, newLines: count, lines: texts }));
export type PatchHunk = z.output<ReturnType<typeof hunk>>;

const edited = lazy(() =>
  wire({
    filePath: text,
    oldString: maybeText,
    newString: maybeText,
    originalFile: nullishText,
    structuredPatch: z.array(hunk()),
    userModified: maybeFlag,
    replaceAll: maybeFlag,
    gitDiff: maybeAnything,
    staged: maybeAnything,
  }),
);

const task = lazy(() => wire({ id: text, subject: text, status: maybeText, description: maybeText, owner: maybeText }));

/** Reads the result of one tool and puts the tool's name beside it. */
function tool<const Tool extends string, S extends z.core.$ZodType>(name: Tool, build: () => S) {
  const schema = lazy(build);
  return (value: unknown): { tool: Tool; result: z.output<S> } | undefined => {
    const result = readExactly(schema(), value);
    return result === undefined ? undefined : { tool: name, result };
  };
}

const readers = {
  Write: tool('Write', () =>
    wire({
      type: open(['create', 'update']),
      filePath: text,
      content: text,
      /** Empty for a new file: everything in `content` is added. */
      structuredPatch: z.array(hunk()),
      originalFile: nullishText,
      userModified: maybeFlag,
      gitDiff: maybeAnything,
      staged: maybeAnything,
    }),
  ),
  Edit: tool('Edit', edited),
  MultiEdit: tool('MultiEdit', edited),
  NotebookEdit: tool('NotebookEdit', () =>
    wire({
      new_source: text,
      old_source: maybeText,
      cell_id: maybeText,
      cell_type: maybeText,
      language: maybeText,
      edit_mode: maybeText,
      error: maybeText,
      notebook_path: maybeText,
      original_file: maybeText,
      updated_file: maybeText,
    }),
  ),
  Read: tool('Read', () =>
    wire({
      type: open(['text', 'image', 'notebook', 'pdf', 'parts']),
      file: wire({
        filePath: maybeText,
        content: maybeAnything,
        numLines: maybeCount,
        startLine: maybeCount,
        totalLines: maybeCount,
        base64: maybeText,
        type: maybeText,
      }),
    }),
  ),
  Bash: tool('Bash', () =>
    wire({
      stdout: text,
      stderr: text,
      interrupted: maybeFlag,
      isImage: maybeFlag,
      backgroundTaskId: maybeText,
      backgroundedByUser: maybeFlag,
      timedOutAfterMs: maybeCount,
      returnCodeInterpretation: maybeText,
      noOutputExpected: maybeFlag,
      persistedOutputPath: maybeText,
      persistedOutputSize: maybeCount,
      gitOperation: maybeAnything,
    }),
  ),
  Grep: tool('Grep', () =>
    wire({
      mode: maybeText,
      numFiles: count,
      filenames: texts,
      content: maybeText,
      numLines: maybeCount,
      numMatches: maybeCount,
      totalFiles: maybeCount,
      totalLines: maybeCount,
      appliedLimit: maybeCount,
      timedOut: maybeFlag,
    }),
  ),
  Glob: tool('Glob', () =>
    wire({
      filenames: texts,
      numFiles: maybeCount,
      durationMs: maybeCount,
      truncated: maybeFlag,
      totalMatches: maybeCount,
      countIsComplete: maybeFlag,
    }),
  ),
  Agent: tool('Agent', () =>
    wire({
      status: open(['completed', 'async_launched', 'remote_launched']),
      agentId: maybeText,
      content: maybeAnything,
      totalToolUseCount: maybeCount,
      totalDurationMs: maybeCount,
      totalTokens: maybeCount,
      usage: maybeFields,
      toolStats: maybeAnything,
      outputFile: maybeText,
      taskId: maybeText,
      sessionUrl: maybeText,
    }),
  ),
  TaskStop: tool('TaskStop', () =>
    wire({ message: text, task_id: maybeText, task_type: maybeText, command: maybeText }),
  ),
  TodoWrite: tool('TodoWrite', () => wire({ oldTodos: z.optional(z.array(todo())), newTodos: z.array(todo()) })),
  TaskCreate: tool('TaskCreate', () => wire({ task: task() })),
  TaskUpdate: tool('TaskUpdate', () =>
    wire({
      success: maybeFlag,
      taskId: maybeText,
      updatedFields: maybeTexts,
      statusChange: z.optional(wire({ from: text, to: text })),
    }),
  ),
  TaskGet: tool('TaskGet', () => wire({ task: z.nullable(task()) })),
  TaskList: tool('TaskList', () => wire({ tasks: z.array(task()) })),
  AskUserQuestion: tool('AskUserQuestion', () =>
    wire({
      questions: z.array(question()),
      answers: z.record(text, anything),
      annotations: maybeFields,
      response: maybeText,
      afkTimeoutMs: maybeCount,
    }),
  ),
  ExitPlanMode: tool('ExitPlanMode', () =>
    wire({ plan: z.nullable(text), isAgent: maybeFlag, filePath: maybeText, planWasEdited: maybeFlag }),
  ),
  EnterPlanMode: tool('EnterPlanMode', () => wire({ message: text })),
  WebFetch: tool('WebFetch', () =>
    wire({
      url: maybeText,
      code: maybeCount,
      codeText: maybeText,
      bytes: maybeCount,
      result: maybeText,
      durationMs: maybeCount,
      /** Still running elsewhere. */
      detachedToolCall: maybeFlag,
    }),
  ),
  WebSearch: tool('WebSearch', () =>
    wire({ query: text, results: z.array(anything), durationSeconds: maybeCount, searchCount: maybeCount }),
  ),
  Skill: tool('Skill', () => wire({ success: maybeFlag, commandName: text })),
  ToolSearch: tool('ToolSearch', () => wire({ matches: texts, query: maybeText, total_deferred_tools: maybeCount })),
  Monitor: tool('Monitor', () => wire({ taskId: text, timeoutMs: maybeCount, persistent: maybeFlag })),
  Workflow: tool('Workflow', () => wire({ status: maybeText, taskId: text, runId: maybeText, scriptPath: maybeText })),
  CronCreate: tool('CronCreate', () => wire({ id: text, humanSchedule: maybeText, nextFireAt: maybeAnything })),
  CronDelete: tool('CronDelete', () => wire({ id: text })),
  CronList: tool('CronList', () => wire({ jobs: z.array(anything) })),
  ScheduleWakeup: tool('ScheduleWakeup', () => wire({ scheduledFor: anything })),
  EnterWorktree: tool('EnterWorktree', () =>
    wire({ worktreePath: text, worktreeBranch: maybeText, message: maybeText }),
  ),
  ExitWorktree: tool('ExitWorktree', () => wire({ message: maybeText, action: maybeText })),
  ReportFindings: tool('ReportFindings', () => wire({ count, findings: z.optional(z.array(finding())) })),
};

type Readers = typeof readers;
export type ToolWithResult = keyof Readers;
export type ToolResultOf<Tool extends ToolWithResult> = NonNullable<ReturnType<Readers[Tool]>>['result'];

/** The tool did not do it: refused, stopped, or failed. `message` is without the wrapping the CLI puts around it. */
export interface FailedToolResult {
  tool: 'failed';
  name: string;
  message: string;
}
export interface McpToolResult {
  tool: 'mcp';
  server: string;
  name: string;
  content: ContentBlock[];
  structuredContent?: unknown;
}
export interface OtherToolResult {
  tool: 'other';
  name: string;
  result: unknown;
}
export type ToolResult =
  NonNullable<ReturnType<Readers[ToolWithResult]>> | FailedToolResult | McpToolResult | OtherToolResult;

/** What a tool did (`tool_use_result` on the wire, `toolUseResult` on disk), by its name. Never throws, loses nothing. */
export function readToolResult(name: string, value: unknown): ToolResult {
  const mcp = mcpToolName(name);
  if (mcp !== undefined && !isErrorText(value)) return readMcp(mcp, value);
  if (typeof value === 'string') return { tool: 'failed', name, message: plainFailure(value) };
  const tool = canonicalToolName(name);
  return (hasResult(tool) ? readers[tool](value) : undefined) ?? { tool: 'other', name, result: value };
}

/** The text of a failure for people: without the tags of validation errors and without the leading `Error:`. */
export function plainFailure(message: string): string {
  return message.replace(/^Error: /, '').replace(/^\s*<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/, '$1');
}

function isErrorText(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith('Error: ');
}

function hasResult(tool: string): tool is ToolWithResult {
  return Object.hasOwn(readers, tool);
}

function readMcp(tool: { server: string; name: string }, value: unknown): McpToolResult {
  const wrapped = isFields(value) && !('type' in value) ? value : { content: value };
  const content = readBlocks(wrapped['content'], noNote);
  const result: McpToolResult = { tool: 'mcp', ...tool, content };
  return 'structuredContent' in wrapped ? { ...result, structuredContent: wrapped['structuredContent'] } : result;
}

function noNote(): void {
  // What is unknown stays in the blocks as `unknown`; a tool of a third party owes us no form.
}
