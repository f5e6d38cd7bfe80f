import type { Clock } from '../../base/clock.ts';
import type { Emitter } from '../../base/emitter.ts';
import type { SystemFrameOf } from '../../protocol/systemFrame.ts';
import type { TaskInfo, TranscriptChange } from '../transcriptModel.ts';
import type { ToolBook } from './toolBook.ts';

type TaskUsage = NonNullable<TaskInfo['usage']>;

const STATUSES: ReadonlySet<string> = new Set<TaskInfo['status']>([
  'pending',
  'running',
  'completed',
  'failed',
  'killed',
  'stopped',
  'paused',
]);
const OVER: ReadonlySet<TaskInfo['status']> = new Set<TaskInfo['status']>(['completed', 'failed', 'killed', 'stopped']);

interface Entry {
  readonly info: TaskInfo;
  /** Runs of one task sort by this; a frame of an earlier run is late. */
  readonly runId: string | undefined;
}

/** Background work as the CLI reports it. Foreground tasks are in it too while they run: a long shell, a subagent. */
export class TaskBook {
  readonly #changes: Emitter<TranscriptChange>;
  readonly #tools: ToolBook;
  readonly #clock: Clock;
  readonly #entries = new Map<string, Entry>();
  readonly #infos = new Map<string, TaskInfo>();

  constructor(changes: Emitter<TranscriptChange>, tools: ToolBook, clock: Clock) {
    this.#changes = changes;
    this.#tools = tools;
    this.#clock = clock;
  }

  get all(): ReadonlyMap<string, TaskInfo> {
    return this.#infos;
  }

  started(frame: SystemFrameOf<'task_started'>): void {
    if (this.#isLate(frame.task_id, frame.run_id)) return;
    this.#set(frame.run_id, {
      taskId: frame.task_id,
      taskType: frame.task_type ?? '',
      description: frame.description,
      status: 'running',
      background: frame.is_backgrounded ?? false,
      ambient: frame.ambient ?? false,
      startedAt: this.#clock.now(),
      ...(frame.tool_use_id === undefined ? {} : { toolUseId: frame.tool_use_id }),
    });
    if (frame.tool_use_id !== undefined) this.#tools.linkTask(frame.tool_use_id, frame.task_id);
  }

  progress(frame: SystemFrameOf<'task_progress'>): void {
    if (this.#isLate(frame.task_id, frame.run_id)) return;
    const usage = readUsage(frame.usage);
    this.#set(frame.run_id, {
      ...this.#known(frame.task_id),
      description: frame.description,
      ...(frame.tool_use_id === undefined ? {} : { toolUseId: frame.tool_use_id }),
      ...(usage === undefined ? {} : { usage }),
      ...(frame.last_tool_name === undefined ? {} : { lastToolName: frame.last_tool_name }),
      ...(frame.summary === undefined ? {} : { summary: frame.summary }),
    });
  }

  updated(frame: SystemFrameOf<'task_updated'>): void {
    if (this.#isLate(frame.task_id, frame.run_id)) return;
    const { patch } = frame;
    const status = readStatus(patch.status);
    this.#set(frame.run_id, {
      ...this.#known(frame.task_id),
      ...(status === undefined ? {} : { status }),
      ...(patch.description === undefined ? {} : { description: patch.description }),
      ...(patch.end_time === undefined ? {} : { endedAt: patch.end_time }),
      ...(patch.error === undefined ? {} : { error: patch.error }),
      ...(patch.is_backgrounded === undefined ? {} : { background: patch.is_backgrounded }),
    });
  }

  notified(frame: SystemFrameOf<'task_notification'>): void {
    if (this.#isLate(frame.task_id, frame.run_id)) return;
    const known = this.#known(frame.task_id);
    const usage = readUsage(frame.usage);
    this.#set(frame.run_id, {
      ...known,
      status: readStatus(frame.status) ?? 'completed',
      endedAt: known.endedAt ?? this.#clock.now(),
      summary: frame.summary,
      ...(frame.tool_use_id === undefined ? {} : { toolUseId: frame.tool_use_id }),
      ...(usage === undefined ? {} : { usage }),
    });
  }

  /** A level signal: exactly these run in the background now. Foreground tasks are not its business. */
  backgroundSet(frame: SystemFrameOf<'background_tasks_changed'>): void {
    const listed = new Set(frame.tasks.map(task => task.task_id));
    for (const [taskId, { info }] of this.#entries) {
      if (info.background && !listed.has(taskId)) this.#drop(taskId);
    }
    for (const task of frame.tasks) {
      if (this.#isLate(task.task_id, task.run_id)) continue;
      const known = this.#known(task.task_id);
      this.#store(task.run_id, {
        ...known,
        taskType: task.task_type ?? known.taskType,
        description: task.description ?? known.description,
        status: OVER.has(known.status) ? 'running' : known.status,
        background: true,
        ambient: task.ambient ?? known.ambient,
      });
    }
    this.#changes.fire({ type: 'tasks' });
  }

  /** Foreground tasks of the turn before are of no more interest; their tools hold what they gave. */
  turnBegan(): void {
    let dropped = false;
    for (const [taskId, { info }] of this.#entries) {
      if (info.background || !OVER.has(info.status)) continue;
      this.#drop(taskId);
      dropped = true;
    }
    if (dropped) this.#changes.fire({ type: 'tasks' });
  }

  /** A new process knows none of the old one's tasks. */
  clear(): void {
    if (this.#entries.size === 0) return;
    this.#entries.clear();
    this.#infos.clear();
    this.#changes.fire({ type: 'tasks' });
  }

  #isLate(taskId: string, runId: string | undefined): boolean {
    const shown = this.#entries.get(taskId)?.runId;
    return runId !== undefined && shown !== undefined && runId < shown;
  }

  #known(taskId: string): TaskInfo {
    return (
      this.#infos.get(taskId) ?? {
        taskId,
        taskType: '',
        description: '',
        status: 'running',
        background: false,
        ambient: false,
        startedAt: this.#clock.now(),
      }
    );
  }

  #set(runId: string | undefined, info: TaskInfo): void {
    this.#store(runId, info);
    this.#changes.fire({ type: 'tasks' });
    if (info.toolUseId !== undefined && OVER.has(info.status)) {
      this.#tools.taskEnded(info.toolUseId, info.status, info.endedAt ?? this.#clock.now());
    }
  }

  #store(runId: string | undefined, info: TaskInfo): void {
    this.#entries.set(info.taskId, { info, runId: runId ?? this.#entries.get(info.taskId)?.runId });
    this.#infos.set(info.taskId, info);
  }

  #drop(taskId: string): void {
    this.#entries.delete(taskId);
    this.#infos.delete(taskId);
  }
}

function readStatus(status: string | undefined): TaskInfo['status'] | undefined {
  return isStatus(status) ? status : undefined;
}

function isStatus(status: string | undefined): status is TaskInfo['status'] {
  return status !== undefined && STATUSES.has(status);
}

function readUsage(
  usage: { total_tokens: number; tool_uses: number; duration_ms: number } | undefined,
): TaskUsage | undefined {
  if (usage === undefined) return undefined;
  return { totalTokens: usage.total_tokens, toolUses: usage.tool_uses, durationMs: usage.duration_ms };
}
