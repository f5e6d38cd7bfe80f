import { canonicalToolName } from '../../protocol/toolName.ts';
import { readToolInput } from '../../protocol/toolInputs.ts';
import { readToolResult } from '../../protocol/toolResults.ts';
import type { ToolItem, TranscriptItem } from '../transcriptModel.ts';

export type StepState = 'pending' | 'inProgress' | 'completed';

export interface Step {
  readonly text: string;
  readonly state: StepState;
}

/** The agent's list of steps as it stands after a run of items, and what each of its tasks is called. */
export interface Checklist {
  readonly steps: readonly Step[];
  /** Subjects by task id, also of tasks that are no longer listed. */
  readonly subjects: ReadonlyMap<string, string>;
}

const tools: ReadonlySet<string> = new Set(['TodoWrite', 'TaskCreate', 'TaskUpdate', 'TaskGet', 'TaskList']);

export function isChecklistTool(name: string): boolean {
  return tools.has(canonicalToolName(name));
}

export function stepState(status: string | undefined): StepState {
  return status === 'in_progress' ? 'inProgress' : status === 'completed' ? 'completed' : 'pending';
}

/** Reads the list off the top level of a conversation. Calls that failed or were refused changed nothing. */
export function readChecklist(items: readonly TranscriptItem[]): Checklist {
  const sheet = new Sheet();
  for (const item of items) {
    if (item.kind === 'tool') sheet.take(item);
    else if (item.kind === 'prompt' && !item.synthetic && isTakenUp(item.state)) sheet.nextPrompt();
  }
  return sheet;
}

function isTakenUp(state: 'queued' | 'started' | 'completed' | 'interrupted' | 'cancelled' | 'folded'): boolean {
  return state === 'started' || state === 'completed' || state === 'interrupted';
}

const inert: ReadonlySet<ToolItem['state']> = new Set(['streaming', 'pending', 'failed', 'denied', 'stopped']);

class Sheet implements Checklist {
  readonly subjects = new Map<string, string>();
  /** The list of `TodoWrite`, which is written whole. */
  #todos: readonly Step[] = [];
  /** The list of the Task tools, which is changed step by step. */
  #tasks = new Map<string, Step>();

  get steps(): readonly Step[] {
    return [...this.#todos, ...this.#tasks.values()];
  }

  /** A list that is done has had its day when the person goes on to something else. */
  nextPrompt(): void {
    if (this.steps.some(step => step.state !== 'completed')) return;
    this.#todos = [];
    this.#tasks = new Map();
  }

  take(item: ToolItem): void {
    if (inert.has(item.state) || !isChecklistTool(item.name)) return;
    const read = readToolInput(item.name, item.input);
    const result = item.structuredResult === undefined ? undefined : readToolResult(item.name, item.structuredResult);
    switch (read.tool) {
      case 'TodoWrite':
        this.#todos = read.input.todos.map(todo => ({ text: todo.content, state: stepState(todo.status) }));
        return;
      case 'TaskCreate':
        // Until the CLI has told the id, the call stands for the task.
        if (result?.tool === 'TaskCreate') this.#set(result.result.task.id, read.input.subject, 'pending');
        else if (result === undefined) this.#tasks.set(item.toolUseId, { text: read.input.subject, state: 'pending' });
        return;
      case 'TaskUpdate':
        if (result?.tool === 'TaskUpdate' && result.result.success === false) return;
        this.#update(read.input.taskId, read.input.subject, read.input.status);
        return;
      case 'TaskGet':
        if (result?.tool === 'TaskGet' && result.result.task) {
          const { id, subject, status } = result.result.task;
          this.#update(id, subject, status);
        }
        return;
      case 'TaskList':
        if (result?.tool !== 'TaskList') return;
        this.#tasks = new Map();
        for (const { id, subject, status } of result.result.tasks) this.#set(id, subject, stepState(status));
        return;
      default:
    }
  }

  #update(id: string, subject: string | undefined, status: string | undefined): void {
    const text = subject ?? this.subjects.get(id);
    if (status === 'deleted') this.#tasks.delete(id);
    else if (text !== undefined) {
      this.#set(id, text, status === undefined ? (this.#tasks.get(id)?.state ?? 'pending') : stepState(status));
    }
  }

  #set(id: string, text: string, state: StepState): void {
    this.subjects.set(id, text);
    this.#tasks.set(id, { text, state });
  }
}
