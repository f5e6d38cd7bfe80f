import type { JSX } from 'preact';
import type { TaskView } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { durationText } from '../parts/duration.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/iconButton.tsx';
import { useSeconds } from '../parts/ticker.ts';

/** What runs in the background, each with the way to stop it. */
export function TaskTray({ tasks }: { tasks: readonly TaskView[] }): JSX.Element | null {
  const app = useApp();
  if (tasks.length === 0) return null;
  return (
    <ul class="dock-list" aria-label={app.t('taskTray')}>
      {tasks.map(task => (
        <Task key={task.taskId} task={task} />
      ))}
    </ul>
  );
}

function Task({ task }: { task: TaskView }): JSX.Element {
  const app = useApp();
  const runs = task.status === 'running';
  const now = useSeconds(runs && task.startedAt > 0);
  return (
    <li class="dock-row">
      <Icon name="server-process" />
      <span class="line-what" dir="auto" title={task.description}>
        {task.description}
      </span>
      <span class="line-end">{runs && task.startedAt > 0 ? durationText(app, now - task.startedAt) : task.status}</span>
      {task.stoppable && (
        <IconButton
          icon="primitive-square"
          label={app.t('stopTask')}
          onClick={() => app.post({ type: 'stopTask', taskId: task.taskId })}
        />
      )}
    </li>
  );
}
