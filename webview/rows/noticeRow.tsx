import type { JSX } from 'preact';
import type { ActionView, NoticeView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { useSeconds } from '../parts/ticker.ts';

/** Something worth knowing between the messages: retries, compaction, limits. Quiet, but it says what to do next. */
export function NoticeRow({ item }: { item: NoticeView }): JSX.Element {
  const app = useApp();
  const key = `notice:${item.id}`;
  const open = app.expansion(key).value;
  return (
    <div class={`notice notice-${item.level}`}>
      <Icon name={/^[a-z0-9-]+$/.test(item.icon) ? item.icon : 'info'} class="notice-icon" />
      <div class="notice-main">
        <span class="notice-text" dir="auto">
          {item.text}
          {item.until !== undefined && <Countdown until={item.until} />}
        </span>
        {item.detail !== undefined && (
          <button type="button" class="link-button" aria-expanded={open} onClick={() => app.state.toggle(key)}>
            {app.t(open ? 'showLess' : 'showMore')}
          </button>
        )}
        <ActionLinks actions={item.actions} />
        {item.undo !== undefined && (
          <button type="button" class="link-button" onClick={() => app.post({ type: 'undoRewind', itemId: item.id })}>
            {item.undo}
          </button>
        )}
        {open && item.detail !== undefined && (
          <pre class="notice-detail" dir="auto">
            {item.detail}
          </pre>
        )}
      </div>
    </div>
  );
}

function Countdown({ until }: { until: number }): JSX.Element | null {
  const app = useApp();
  const now = useSeconds(until > Date.now());
  const left = Math.ceil((until - now) / 1000);
  return left > 0 ? <span class="notice-countdown"> {app.t('retryIn', left)}</span> : null;
}

function ActionLinks({ actions }: { actions: readonly ActionView[] }): JSX.Element | null {
  const app = useApp();
  if (actions.length === 0) return null;
  return (
    <span class="notice-actions">
      {actions.map(({ action, label }) => (
        <button type="button" class="link-button" key={action} onClick={() => app.post({ type: 'action', action })}>
          {label}
        </button>
      ))}
    </span>
  );
}
