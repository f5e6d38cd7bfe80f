import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { shortTimeText } from '../parts/timeText.ts';

const suggestions = [
  { key: 'tryExplain', icon: 'book' },
  { key: 'tryFix', icon: 'beaker' },
  { key: 'tryReview', icon: 'git-compare' },
] as const;

/** Before the first message: what this is, three things to try, and the way back to earlier sessions. */
export function EmptyState(): JSX.Element {
  const app = useApp();
  const { recent } = app.sync.session.value;
  return (
    <div class="empty">
      <h2 class="empty-title">{app.t('emptyTitle')}</h2>
      <p class="empty-hint">{app.t('emptyHint')}</p>
      <ul class="empty-list">
        {suggestions.map(({ key, icon }) => (
          <li key={key}>
            <button
              type="button"
              class="empty-row"
              onClick={() => app.compose({ type: 'giveBack', text: app.t(key), attachments: [] })}
            >
              <Icon name={icon} />
              <span class="line-what">{app.t(key)}</span>
            </button>
          </li>
        ))}
      </ul>
      {recent.length > 0 && (
        <>
          <h3 class="empty-heading">{app.t('recentSessions')}</h3>
          <ul class="empty-list">
            {recent.slice(0, 5).map(({ sessionId, title, at }) => (
              <li key={sessionId}>
                <button
                  type="button"
                  class="empty-row"
                  title={title}
                  onClick={() => app.post({ type: 'openSession', sessionId })}
                >
                  <Icon name="history" />
                  <span class="line-what" dir="auto">
                    {title}
                  </span>
                  {at > 0 && <span class="line-end">{shortTimeText(at)}</span>}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
