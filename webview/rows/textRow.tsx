import type { JSX } from 'preact';
import type { TextView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { IconButton } from '../parts/iconButton.tsx';
import { CopyButton, MessageActions } from './messageActions.tsx';

/** What the agent says. */
export function TextRow({ item }: { item: TextView }): JSX.Element {
  const app = useApp();
  return (
    <div class="agent-text">
      <Markdown text={item.text} streaming={item.streaming} of={item.id} />
      {item.aborted && <div class="row-note">{app.t('stoppedHere')}</div>}
      {!item.streaming && (
        <MessageActions at={item.at}>
          {item.parent === undefined && (
            <IconButton
              icon="repo-forked"
              label={app.t('forkHere')}
              onClick={() => app.post({ type: 'fork', itemId: item.id })}
            />
          )}
          <CopyButton text={item.text} label={app.t('copyMessage')} />
        </MessageActions>
      )}
    </div>
  );
}
