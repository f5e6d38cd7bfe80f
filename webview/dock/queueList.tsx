import type { JSX } from 'preact';
import type { QueuedView } from '../../src/bridge/viewModel.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/iconButton.tsx';

/** Typed while the agent worked: it waits here, and can still be changed, hurried or taken back. */
export function QueueList({ queue }: { queue: readonly QueuedView[] }): JSX.Element | null {
  const app = useApp();
  if (queue.length === 0) return null;
  return (
    <ul class="dock-list" aria-label={app.t('queuedMessages')}>
      {queue.map(({ id, text }) => (
        <li key={id} class="dock-row">
          <Icon name="clock" />
          <span class="line-what" dir="auto" title={text}>
            {text}
          </span>
          <IconButton icon="edit" label={app.t('editQueued')} onClick={() => app.post({ type: 'editQueued', id })} />
          <IconButton
            icon="arrow-up"
            label={app.t('sendQueuedNow')}
            onClick={() => app.post({ type: 'sendQueuedNow', id })}
          />
          <IconButton
            icon="close"
            label={app.t('cancelQueued')}
            onClick={() => app.post({ type: 'cancelQueued', id })}
          />
        </li>
      ))}
    </ul>
  );
}
