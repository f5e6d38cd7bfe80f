import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import type { Scroller } from './scroller.ts';

/** How far back the prompt of a turn is looked for. */
const reach = 400;

/** The prompt of the turn being read, as one line above it, once the prompt itself has scrolled out. */
export function StickyPrompt({ scroller }: { scroller: Scroller }): JSX.Element | null {
  const app = useApp();
  const top = scroller.top.value;
  app.conversation.watchOrder();
  const index = promptAbove(app, top);
  const item = index === undefined ? undefined : app.conversation.itemAt(index);
  if (index === undefined || item?.kind !== 'prompt') return null;
  return (
    <button type="button" class="sticky-prompt" title={item.text} onClick={() => scroller.reveal(index)}>
      <span class="sticky-prompt-text" dir="auto">
        {firstLine(item.text)}
      </span>
    </button>
  );
}

function promptAbove(app: ViewApp, top: number): number | undefined {
  for (let index = top - 1; index >= 0 && index > top - reach; index--) {
    const item = app.conversation.itemAt(index);
    if (item?.kind === 'prompt' && !item.synthetic) return index;
    if (!item) return undefined;
  }
  return undefined;
}

function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf('\n');
  return (end < 0 ? trimmed : trimmed.slice(0, end)).slice(0, 300);
}
