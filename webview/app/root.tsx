import type { JSX } from 'preact';
import { Composer } from '../composer/composer.tsx';
import { Checklist } from '../dock/checklist.tsx';
import { ErrorCardView } from '../dock/errorCard.tsx';
import { QueueList } from '../dock/queueList.tsx';
import { TaskTray } from '../dock/taskTray.tsx';
import type { Layout } from '../list/layout.ts';
import { Transcript } from '../list/transcript.tsx';
import { queuedPrompts } from '../store/queuedPrompts.ts';
import { Announcer } from './announcer.tsx';
import { AppProvider, useApp } from './viewApp.ts';
import type { ViewApp } from './viewApp.ts';

/** The panel: the conversation above, the composer and what belongs to it below. */
export function Root({ app, layout }: { app: ViewApp; layout?: Layout }): JSX.Element {
  return (
    <AppProvider value={app}>
      <div class={app.sync.options.value.placement === 'editor' ? 'panel panel-editor' : 'panel'}>
        <Transcript {...(layout ? { layout } : {})} />
        <Dock />
        <Announcer />
      </div>
    </AppProvider>
  );
}

function Dock(): JSX.Element {
  const app = useApp();
  const session = app.sync.session.value;
  const { error, tasks, checklist } = session;
  return (
    <footer class="dock">
      <div class="dock-measure">
        {error && <ErrorCardView error={error} />}
        {checklist && <Checklist list={checklist} />}
        <TaskTray tasks={tasks} />
        <QueueList queue={queuedPrompts(app.conversation, session)} />
        <Composer />
      </div>
    </footer>
  );
}
