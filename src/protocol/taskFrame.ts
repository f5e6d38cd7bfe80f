import * as z from 'zod/mini';
import { anything, count, envelope, lazy, maybeCount, maybeFlag, maybeText, open, text, wire } from './schemaKit.ts';

const task = <const Subtype extends string>(subtype: Subtype) => ({
  type: z.literal('system'),
  subtype: z.literal(subtype),
  ...envelope,
});

const usage = lazy(() => wire({ total_tokens: count, tool_uses: count, duration_ms: count }));

/** A frame whose `run_id` sorts before the one shown is late. `ambient` tasks do not count as activity. */
export const taskSchemas = {
  task_started: lazy(() =>
    wire({
      ...task('task_started'),
      task_id: text,
      description: text,
      run_id: maybeText,
      tool_use_id: maybeText,
      subagent_type: maybeText,
      is_backgrounded: maybeFlag,
      spawn_depth: maybeCount,
      parent_task_id: maybeText,
      task_type: maybeText,
      workflow_name: maybeText,
      prompt: maybeText,
      skip_transcript: maybeFlag,
      ambient: maybeFlag,
    }),
  ),
  task_progress: lazy(() =>
    wire({
      ...task('task_progress'),
      task_id: text,
      description: text,
      usage: z.optional(usage()),
      run_id: maybeText,
      tool_use_id: maybeText,
      last_tool_name: maybeText,
      summary: maybeText,
      subagent_type: maybeText,
    }),
  ),
  task_updated: lazy(() =>
    wire({
      ...task('task_updated'),
      task_id: text,
      patch: wire({
        status: z.optional(open(['pending', 'running', 'completed', 'failed', 'killed', 'paused'])),
        description: maybeText,
        end_time: maybeCount,
        total_paused_ms: maybeCount,
        error: maybeText,
        is_backgrounded: maybeFlag,
      }),
      run_id: maybeText,
    }),
  ),
  task_notification: lazy(() =>
    wire({
      ...task('task_notification'),
      task_id: text,
      status: open(['completed', 'failed', 'stopped']),
      output_file: maybeText,
      summary: text,
      run_id: maybeText,
      tool_use_id: maybeText,
      reason: maybeText,
      usage: z.optional(usage()),
      resource_links: z.optional(z.array(anything)),
      skip_transcript: maybeFlag,
      ambient: maybeFlag,
    }),
  ),
  /** The whole set at this moment: replace, do not merge. */
  background_tasks_changed: lazy(() =>
    wire({
      ...task('background_tasks_changed'),
      tasks: z.array(
        wire({
          task_id: text,
          task_type: maybeText,
          description: maybeText,
          run_id: maybeText,
          subagent_type: maybeText,
          parent_task_id: maybeText,
          ambient: maybeFlag,
        }),
      ),
    }),
  ),
};
