import type { JSX } from 'preact';
import type { QueuedView } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/iconButton.tsx';
import { attachmentIcons } from '../rows/promptRow.tsx';

/** Typed while the agent worked: it waits here, and can still be changed, hurried or taken back. */
export function QueueList({ queue }: { queue: readonly QueuedView[] }): JSX.Element | null {
  const app = useApp();
  if (queue.length === 0) return null;
  return (
    <ul class="dock-list" aria-label={app.t('queuedMessages')}>
      {queue.map(({ id, text }) => (
        <li key={id} class="dock-row">
          <Icon name="clock" />
          <span class="queue-text" dir="auto" title={text}>
            <Attached id={id} /> {text}
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

/** That something goes along, where only a message of the conversation knows it. */
function Attached({ id }: { readonly id: string }): JSX.Element {
  const item = useApp().conversation.item(id)?.value;
  const attachments = item?.kind === 'prompt' ? item.attachments : [];
  return (
    <>
      {attachments.map(({ id: key, kind }) => (
        <Icon key={key} name={attachmentIcons[kind]} />
      ))}
    </>
  );
}
