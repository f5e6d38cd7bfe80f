import * as z from 'zod/mini';
import { readExactly } from './readValue.ts';
import {
  count,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  nothing,
  open,
  text,
  wire,
} from './schemaKit.ts';
import { canonicalToolName, mcpToolName } from './toolName.ts';

const edit = lazy(() => wire({ old_string: text, new_string: text, replace_all: maybeFlag }));

export const question = lazy(() =>
  wire({
    question: text,
    header: maybeText,
    options: z.array(wire({ label: text, description: maybeText, preview: maybeText })),
    multiSelect: maybeFlag,
  }),
);
export type Question = z.output<ReturnType<typeof question>>;

export const todo = lazy(() =>
  wire({ content: text, status: open(['pending', 'in_progress', 'completed']), activeForm: maybeText }),
);
export type Todo = z.output<ReturnType<typeof todo>>;

export const finding = lazy(() => wire({ file: text, line: maybeCount, summary: text, failure_scenario: maybeText }));

/** Reads the input of one tool and puts the tool's name beside it. */
function tool<const Tool extends string, S extends z.core.$ZodType>(name: Tool, build: () => S) {
  const schema = lazy(build);
  return (value: unknown): { tool: Tool; input: z.output<S> } | undefined => {
    const input = readExactly(schema(), value);
    return input === undefined ? undefined : { tool: name, input };
  };
}

/** Inputs of the tools a view draws in its own way. A tool that is not here is drawn as its name and its JSON. */
const readers = {
  Write: tool('Write', () => wire({ file_path: text, content: text })),
  Edit: tool('Edit', () => wire({ file_path: text, old_string: text, new_string: text, replace_all: maybeFlag })),
  MultiEdit: tool('MultiEdit', () => wire({ file_path: text, edits: z.array(edit()) })),
  NotebookEdit: tool('NotebookEdit', () =>
    wire({
      notebook_path: text,
      cell_id: maybeText,
      new_source: text,
      cell_type: maybeText,
      edit_mode: z.optional(open(['replace', 'insert', 'delete'])),
    }),
  ),
  Read: tool('Read', () =>
    wire({ file_path: text, offset: maybeCount, limit: maybeCount, pages: maybeText, allow_large: maybeFlag }),
  ),
  Bash: tool('Bash', () =>
    wire({
      command: text,
      timeout: maybeCount,
      description: maybeText,
      run_in_background: maybeFlag,
      dangerouslyDisableSandbox: maybeFlag,
    }),
  ),
  Grep: tool('Grep', () =>
    wire({
      pattern: text,
      path: maybeText,
      glob: maybeText,
      output_mode: z.optional(open(['content', 'files_with_matches', 'count'])),
      '-A': maybeCount,
      '-B': maybeCount,
      '-C': maybeCount,
      '-n': maybeFlag,
      '-i': maybeFlag,
      '-o': maybeFlag,
      type: maybeText,
      head_limit: maybeCount,
      offset: maybeCount,
      multiline: maybeFlag,
    }),
  ),
  Glob: tool('Glob', () => wire({ pattern: text, path: maybeText })),
  Agent: tool('Agent', () =>
    wire({
      description: text,
      prompt: text,
      subagent_type: maybeText,
      model: maybeText,
      effort: maybeAnything,
      run_in_background: maybeFlag,
      name: maybeText,
      isolation: maybeText,
    }),
  ),
  TaskStop: tool('TaskStop', () => wire({ task_id: maybeText, shell_id: maybeText })),
  TodoWrite: tool('TodoWrite', () => wire({ todos: z.array(todo()) })),
  TaskCreate: tool('TaskCreate', () => wire({ subject: text, description: maybeText, activeForm: maybeText })),
  TaskUpdate: tool('TaskUpdate', () =>
    wire({
      taskId: text,
      status: z.optional(open(['pending', 'in_progress', 'completed', 'deleted'])),
      subject: maybeText,
      description: maybeText,
      activeForm: maybeText,
      owner: maybeText,
      addBlocks: maybeTexts,
      addBlockedBy: maybeTexts,
    }),
  ),
  TaskGet: tool('TaskGet', () => wire({ taskId: text })),
  TaskList: tool('TaskList', nothing),
  AskUserQuestion: tool('AskUserQuestion', () =>
    wire({ questions: z.array(question()), answers: maybeFields, annotations: maybeFields }),
  ),
  ExitPlanMode: tool('ExitPlanMode', () => wire({ plan: maybeText, planFilePath: maybeText })),
  EnterPlanMode: tool('EnterPlanMode', nothing),
  WebFetch: tool('WebFetch', () => wire({ url: text, prompt: maybeText, offset: maybeCount })),
  WebSearch: tool('WebSearch', () => wire({ query: text, allowed_domains: maybeTexts, blocked_domains: maybeTexts })),
  Skill: tool('Skill', () => wire({ skill: text, args: maybeAnything })),
  ToolSearch: tool('ToolSearch', () => wire({ query: text, max_results: maybeCount })),
  Monitor: tool('Monitor', () =>
    wire({ description: text, timeout_ms: maybeCount, command: maybeText, ws: maybeAnything }),
  ),
  Workflow: tool('Workflow', () =>
    wire({
      script: maybeText,
      name: maybeText,
      args: maybeAnything,
      scriptPath: maybeText,
      resumeFromRunId: maybeText,
    }),
  ),
  CronCreate: tool('CronCreate', () => wire({ cron: text, prompt: text, recurring: maybeFlag, durable: maybeFlag })),
  CronDelete: tool('CronDelete', () => wire({ id: text })),
  CronList: tool('CronList', nothing),
  ScheduleWakeup: tool('ScheduleWakeup', () =>
    wire({ delaySeconds: count, reason: maybeText, prompt: maybeText, stop: maybeFlag }),
  ),
  EnterWorktree: tool('EnterWorktree', () => wire({ name: maybeText, path: maybeText })),
  ExitWorktree: tool('ExitWorktree', () => wire({ action: maybeText, discard_changes: maybeFlag })),
  ReportFindings: tool('ReportFindings', () => wire({ findings: z.array(finding()), level: maybeText })),
};

type Readers = typeof readers;
export type KnownTool = keyof Readers;
export type ToolInputOf<Tool extends KnownTool> = NonNullable<ReturnType<Readers[Tool]>>['input'];

/** An in-process or external MCP tool; its input is whatever its server declared. */
export interface McpToolInput {
  tool: 'mcp';
  server: string;
  name: string;
  input: unknown;
}
/** A tool we do not know, or an input that is not what the tool takes. `name` is as the model wrote it. */
export interface OtherToolInput {
  tool: 'other';
  name: string;
  input: unknown;
}
export type ToolInput =
  { [Tool in KnownTool]: { tool: Tool; input: ToolInputOf<Tool> } }[KnownTool] | McpToolInput | OtherToolInput;

export function isKnownTool(name: string): name is KnownTool {
  return Object.hasOwn(readers, name);
}

/** What a tool is asked to do, by its name. Never throws; nothing is lost, since `other` keeps the raw input. */
export function readToolInput(name: string, input: unknown): ToolInput {
  const mcp = mcpToolName(name);
  if (mcp !== undefined) return { tool: 'mcp', ...mcp, input };
  const tool = canonicalToolName(name);
  return (isKnownTool(tool) ? readers[tool](input) : undefined) ?? { tool: 'other', name, input };
}
