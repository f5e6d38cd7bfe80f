import type { JSX } from 'preact';
import type { ErrorCard } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';

/** What keeps the session from working: what failed, what was tried, what to do next. */
export function ErrorCardView({ error }: { error: ErrorCard }): JSX.Element {
  const app = useApp();
  const open = app.expansion('error-detail').value;
  return (
    <section class={`error-card error-card-${error.level ?? 'error'}`} role="alert">
      <div class="error-title">
        <Icon name={error.level ?? 'error'} />
        <strong dir="auto">{error.title}</strong>
      </div>
      {error.message !== '' && <p dir="auto">{error.message}</p>}
      {error.tried.length > 0 && (
        <ul class="error-tried">
          {error.tried.map((line, index) => (
            <li key={index} dir="auto">
              {line}
            </li>
          ))}
        </ul>
      )}
      {error.detail !== undefined && (
        <>
          <button
            type="button"
            class="link-button"
            aria-expanded={open}
            onClick={() => app.state.toggle('error-detail')}
          >
            {app.t(open ? 'showLess' : 'showMore')}
          </button>
          {open && (
            <pre class="error-detail" dir="auto" tabIndex={0}>
              {error.detail}
            </pre>
          )}
        </>
      )}
      <div class="buttons">
        {error.actions.map(({ action, label }, index) => (
          <button
            type="button"
            key={action}
            class={index === 0 ? 'button' : 'button button-secondary'}
            onClick={() => app.post({ type: 'action', action })}
          >
            {label}
          </button>
        ))}
      </div>
    </section>
  );
}
