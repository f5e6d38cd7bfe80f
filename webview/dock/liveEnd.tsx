import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { durationText } from '../parts/duration.ts';
import { Icon } from '../parts/icon.tsx';
import { useSeconds } from '../parts/ticker.ts';

/** The live end of the conversation: that the agent works and for how long, or that it waits for the person. */
export function LiveEnd(): JSX.Element | null {
  const app = useApp();
  const { state } = app.sync.session.value;
  switch (state) {
    case 'working':
      return <Working />;
    case 'awaitingPermission':
      return (
        <div class="live-end live-end-waiting">
          <Icon name="bell-dot" />
          <span>{app.t('waitingForYou')}</span>
        </div>
      );
    case 'none':
    case 'starting':
    case 'idle':
    case 'stopped':
      return null;
  }
}

function Working(): JSX.Element {
  const app = useApp();
  const { turnStartedAt } = app.sync.session.value;
  const now = useSeconds(true);
  const elapsed = turnStartedAt === undefined ? 0 : now - turnStartedAt;
  return (
    <div class="live-end">
      <span class="live-dot" aria-hidden="true" />
      <span>{app.t('working')}</span>
      {elapsed >= 1000 && <span class="live-time">{durationText(app, elapsed)}</span>}
    </div>
  );
}
