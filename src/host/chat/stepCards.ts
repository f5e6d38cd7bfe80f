import type { StepView, ToolCard } from '../../bridge/toolCard.ts';
import type { ToolInput } from '../../protocol/toolInputs.ts';
import { stepState } from '../../session/transcript/checklist.ts';
import type { ToolUse } from './toolUse.ts';
import { resultOf } from './toolUse.ts';

type StepCard = Extract<ToolCard, { readonly type: 'step' }>;
type StepInput = Extract<ToolInput, { tool: 'TodoWrite' | 'TaskCreate' | 'TaskUpdate' | 'TaskGet' | 'TaskList' }>;

/** What one call did to the agent's list: a line. The list as a whole is drawn once, elsewhere. */
export function stepCard(read: StepInput, use: ToolUse): StepCard {
  const subject = (taskId: string): string => use.context.step(taskId, use.item.toolUseId) ?? `#${taskId}`;
  switch (read.tool) {
    case 'TodoWrite':
      return card(
        'written',
        undefined,
        read.input.todos.map(todo => ({ text: todo.content, state: stepState(todo.status) })),
      );
    case 'TaskCreate':
      return card('added', read.input.subject);
    case 'TaskUpdate':
      return card(changeOf(read.input.status), read.input.subject ?? subject(read.input.taskId));
    case 'TaskGet':
      return card('looked', resultOf('TaskGet', use.result)?.task?.subject ?? subject(read.input.taskId));
    case 'TaskList': {
      const tasks = resultOf('TaskList', use.result)?.tasks ?? [];
      return card(
        'looked',
        undefined,
        tasks.map(task => ({ text: task.subject, state: stepState(task.status) })),
      );
    }
  }
}

function changeOf(status: string | undefined): StepCard['change'] {
  switch (status) {
    case 'in_progress':
      return 'begun';
    case 'completed':
      return 'done';
    case 'deleted':
      return 'removed';
    default:
      return 'changed';
  }
}

function card(change: StepCard['change'], text?: string, entries: readonly StepView[] = []): StepCard {
  return { type: 'step', change, ...(text === undefined ? {} : { text }), entries };
}
