import type { JSX } from 'preact';
import type { ThinkingView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { durationText } from '../parts/duration.ts';
import { Icon } from '../parts/icon.tsx';

/** A thought: one dim line, opened on request. */
export function ThinkingRow({ item }: { item: ThinkingView }): JSX.Element {
  const app = useApp();
  const key = `thinking:${item.id}`;
  const open = app.expansion(key).value;
  const readable = item.text !== '' && !item.redacted;
  return (
    <div class="thinking">
      <button
        type="button"
        class="line-button"
        aria-expanded={readable ? open : undefined}
        disabled={!readable}
        onClick={() => app.state.toggle(key)}
      >
        <Icon name={readable ? (open ? 'chevron-down' : 'chevron-right') : 'lightbulb'} />
        <span class="line-what">{thinkingTitle(app, item)}</span>
        {item.tokens !== undefined && item.tokens > 0 && (
          <span class="line-end">{app.t('tokens', item.tokens.toLocaleString())}</span>
        )}
      </button>
      {open && readable && (
        <div class="thinking-text">
          <Markdown text={item.text} streaming={item.streaming} of={item.id} />
        </div>
      )}
    </div>
  );
}

export function thinkingTitle(app: ViewApp, item: ThinkingView): string {
  if (item.streaming) return app.t('thinkingNow');
  if (item.redacted) return `${app.t('thought')} · ${app.t('redactedThinking')}`;
  return item.durationMs === undefined ? app.t('thought') : app.t('thoughtFor', durationText(app, item.durationMs));
}
