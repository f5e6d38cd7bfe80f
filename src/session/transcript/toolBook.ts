import type { Clock } from '../../base/clock.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../protocol/cliRequests.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { TaskInfo, ToolItem, ToolState } from '../transcriptModel.ts';
import type { ItemStore } from './itemStore.ts';

export interface ToolUse {
  readonly toolUseId: string;
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly at: number;
  readonly parentToolUseId?: string;
  readonly uuid?: string;
}

export interface ToolOutcome {
  readonly toolUseId: string;
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly structured?: unknown;
  readonly decision?: NonNullable<ToolItem['decision']>;
  /** Why it did not run, in the CLI's word (`user-rejected`, `permission-rule`). */
  readonly notRun?: string;
  readonly at: number;
}

/** What was heard of a tool before its tool use. */
interface Early {
  outcome?: ToolOutcome;
  taskId?: string;
  denied?: boolean;
}

const MAX_EARLY = 1000;
const ENDED: ReadonlySet<ToolState> = new Set<ToolState>(['done', 'failed', 'denied', 'stopped']);

/** Tool uses by id: their input, what the person said, how they ended. Everything may come in any order. */
export class ToolBook {
  readonly #store: ItemStore;
  readonly #clock: Clock;
  readonly #early = new Map<string, Early>();
  /** Without an outcome yet. */
  readonly #open = new Set<string>();
  readonly #refused = new Set<string>();

  constructor(store: ItemStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** A tool use whose input still streams. */
  draft(use: ToolUse): void {
    if (this.#store.has(use.toolUseId)) return;
    this.#store.put(newTool(use, 'streaming'));
  }

  draftInput(toolUseId: string, input: Readonly<Record<string, unknown>>): void {
    const tool = this.find(toolUseId);
    if (tool?.state === 'streaming') this.#store.put({ ...tool, input });
  }

  /** The whole tool use. Runs from here on, as far as anyone can tell, unless the person is asked first. */
  used(use: ToolUse): void {
    const known = this.find(use.toolUseId);
    if (known && known.state !== 'streaming') {
      this.#store.put({ ...known, name: use.name, input: use.input });
      return;
    }
    const tool = newTool(use, 'running');
    const { parentToolUseId: _wished, ...placed } = tool;
    this.#open.add(use.toolUseId);
    // A draft keeps its place, also if the final frame names another parent.
    this.#store.put(known ? { ...placed, ...parentOf(known), at: known.at } : tool);
    this.#catchUp(use.toolUseId);
  }

  ended(outcome: ToolOutcome): void {
    const tool = this.find(outcome.toolUseId);
    if (!tool) {
      this.#noteEarly(outcome.toolUseId, { outcome });
      return;
    }
    const state = this.#stateAfter(outcome);
    const taskId = tool.taskId ?? taskIdIn(outcome.structured);
    this.#open.delete(tool.id);
    this.#refused.delete(tool.id);
    this.#store.put({
      ...tool,
      state,
      resultContent: outcome.content,
      endedAt: outcome.at,
      ...(outcome.structured === undefined ? {} : { structuredResult: outcome.structured }),
      ...(outcome.decision === undefined ? {} : { decision: outcome.decision }),
      ...(taskId === undefined ? {} : { taskId }),
    });
  }

  asked(toolUseId: string, name: string, input: Readonly<Record<string, unknown>>): void {
    const tool = this.find(toolUseId);
    if (tool === undefined) {
      // A question without a row could not be answered, and the agent would wait for ever.
      this.#open.add(toolUseId);
      this.#store.put(newTool({ toolUseId, name, input, at: this.#clock.now() }, 'pending'));
    } else if (tool.state === 'running' || tool.state === 'streaming') this.#store.put({ ...tool, state: 'pending' });
  }

  answered(toolUseId: string, allowed: boolean, input?: Readonly<Record<string, unknown>>): void {
    if (!allowed) this.#refused.add(toolUseId);
    const tool = this.find(toolUseId);
    if (tool?.state !== 'pending') return;
    this.#store.put({ ...tool, state: allowed ? 'running' : 'denied', ...(input === undefined ? {} : { input }) });
  }

  elicited(id: string, request: ElicitationRequest): void {
    if (this.find(id) !== undefined) return;
    this.#open.add(id);
    const row = newTool({ toolUseId: id, name: 'Elicitation', input: {}, at: this.#clock.now() }, 'pending');
    this.#store.put({ ...row, elicitation: request });
  }

  elicitationEnded(id: string, action?: ElicitationAnswer['action']): void {
    const row = this.find(id);
    if (row?.state !== 'pending') return;
    this.#open.delete(id);
    const state = action === undefined ? 'stopped' : action === 'accept' ? 'done' : 'denied';
    this.#store.put({ ...row, state, endedAt: this.#clock.now() });
  }

  /** The CLI refused it, without a question or after one. */
  denied(toolUseId: string, reason?: string): boolean {
    const tool = this.find(toolUseId);
    if (!tool) {
      this.#noteEarly(toolUseId, { denied: true });
      return false;
    }
    if (tool.state === 'done' || tool.state === 'backgrounded') return true;
    const decision = tool.decision ?? { accepted: false, ...(reason === undefined ? {} : { reason }) };
    if (tool.state !== 'denied' || tool.decision === undefined) this.#store.put({ ...tool, state: 'denied', decision });
    return true;
  }

  progress(toolUseId: string, elapsedSeconds: number, taskId: string | undefined): void {
    const tool = this.find(toolUseId);
    if (!tool || ENDED.has(tool.state)) return;
    const task = taskId === undefined ? {} : { taskId };
    this.#store.put({ ...tool, elapsedSeconds, ...task, state: tool.state === 'pending' ? 'running' : tool.state });
  }

  linkTask(toolUseId: string, taskId: string): void {
    const tool = this.find(toolUseId);
    if (!tool) this.#noteEarly(toolUseId, { taskId });
    else if (tool.taskId !== taskId) this.#store.put({ ...tool, taskId });
  }

  /** Only a backgrounded tool ends with its task; others have their own result. */
  taskEnded(toolUseId: string, status: TaskInfo['status'], at: number): void {
    const tool = this.find(toolUseId);
    if (tool?.state !== 'backgrounded') return;
    const state = status === 'completed' ? 'done' : status === 'failed' ? 'failed' : 'stopped';
    this.#store.put({ ...tool, state, endedAt: at });
  }

  /** The turn is over: what has no result now gets none. Tools inside a subagent may outlive the turn. */
  turnEnded(): void {
    for (const toolUseId of this.#open) {
      const tool = this.find(toolUseId);
      if (tool?.parentToolUseId !== undefined) continue;
      this.#open.delete(toolUseId);
      if (tool) this.#stop(tool);
    }
  }

  /** Nothing runs any more. */
  stopAll(): void {
    for (const toolUseId of this.#open) {
      const tool = this.find(toolUseId);
      if (tool) this.#stop(tool);
    }
    this.#open.clear();
  }

  forget(): void {
    this.#early.clear();
    this.#open.clear();
    this.#refused.clear();
  }

  /** The parent to put something under: none if the tool use it names is not there. */
  parentFor(toolUseId: string | undefined): string | undefined {
    return toolUseId !== undefined && this.find(toolUseId) ? toolUseId : undefined;
  }

  find(toolUseId: string): ToolItem | undefined {
    const item = this.#store.find(toolUseId);
    return item?.kind === 'tool' ? item : undefined;
  }

  #stop(tool: ToolItem): void {
    if (ENDED.has(tool.state) || tool.state === 'backgrounded') return;
    this.#store.put({ ...tool, state: 'stopped', endedAt: this.#clock.now() });
  }

  #stateAfter(outcome: ToolOutcome): ToolState {
    if (!outcome.isError) return isBackgrounded(outcome.structured) ? 'backgrounded' : 'done';
    if (outcome.decision?.accepted === false || this.#refused.has(outcome.toolUseId)) return 'denied';
    // The CLI's way of saying that the person stopped the turn, whether the tool had begun or not.
    if (outcome.notRun === 'user-rejected') return 'stopped';
    return outcome.notRun === undefined ? 'failed' : 'denied';
  }

  #noteEarly(toolUseId: string, news: Early): void {
    const known = this.#early.get(toolUseId);
    if (!known && this.#early.size >= MAX_EARLY) {
      const oldest = this.#early.keys().next();
      if (oldest.done !== true) this.#early.delete(oldest.value);
    }
    this.#early.set(toolUseId, { ...known, ...news });
  }

  #catchUp(toolUseId: string): void {
    const early = this.#early.get(toolUseId);
    if (!early) return;
    this.#early.delete(toolUseId);
    if (early.taskId !== undefined) this.linkTask(toolUseId, early.taskId);
    if (early.outcome) this.ended(early.outcome);
    if (early.denied === true) this.denied(toolUseId);
  }
}

function newTool(use: ToolUse, state: ToolState): ToolItem {
  return {
    kind: 'tool',
    id: use.toolUseId,
    toolUseId: use.toolUseId,
    at: use.at,
    name: use.name,
    input: use.input,
    state,
    resultContent: [],
    ...(use.parentToolUseId === undefined ? {} : { parentToolUseId: use.parentToolUseId }),
    ...(use.uuid === undefined ? {} : { uuid: use.uuid }),
  };
}

function parentOf(item: ToolItem): { readonly parentToolUseId?: string } {
  return item.parentToolUseId === undefined ? {} : { parentToolUseId: item.parentToolUseId };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The result says that the work goes on elsewhere. */
function isBackgrounded(structured: unknown): boolean {
  if (!isRecord(structured)) return false;
  const status = structured['status'];
  return (
    typeof structured['backgroundTaskId'] === 'string' ||
    status === 'async_launched' ||
    status === 'remote_launched' ||
    structured['detachedToolCall'] === true
  );
}

function taskIdIn(structured: unknown): string | undefined {
  if (!isRecord(structured)) return undefined;
  // `taskId` alone may be an entry of a to-do list.
  const keys = isBackgrounded(structured) ? ['backgroundTaskId', 'agentId', 'taskId'] : ['agentId'];
  for (const key of keys) {
    const value = structured[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
