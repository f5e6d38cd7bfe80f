import type { JSX } from 'preact';
import type { PromptView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import type { Scroller } from './scroller.ts';

/** How far back the prompt of a turn is looked for. */
const reach = 400;

/** The prompt of the turn being read, as one line above it, once the prompt itself has scrolled out. */
export function StickyPrompt({ scroller }: { scroller: Scroller }): JSX.Element | null {
  const app = useApp();
  const reading = scroller.reading.value;
  app.conversation.watchOrder();
  const item = promptOfTurn(app, reading);
  if (!item) return null;
  const reveal = (): void => scroller.reveal(app.conversation.indexOf(item.id));
  return (
    <button type="button" class="sticky-prompt" title={item.text} onClick={reveal}>
      <span class="sticky-prompt-text" dir="auto">
        {firstLine(item.text)}
      </span>
    </button>
  );
}

/** The prompt that began the turn of a row, unless the row is that prompt. */
function promptOfTurn(app: ViewApp, row: number): PromptView | undefined {
  for (let index = row; index >= 0 && index > row - reach; index--) {
    const seen = app.conversation.itemAt(index);
    if (!seen) return undefined;
    // Only prompts are listened to: whether one began a turn may change while it is read.
    const item = seen.kind === 'prompt' ? app.conversation.item(seen.id)?.value : undefined;
    if (item?.kind === 'prompt' && beganTurn(item)) return index === row ? undefined : item;
  }
  return undefined;
}

/** A prompt that waits, was taken back or joined a turn that ran already stands inside the turn of another. */
function beganTurn({ state, synthetic }: PromptView): boolean {
  return !synthetic && (state === 'started' || state === 'completed' || state === 'interrupted');
}

function firstLine(text: string): string {
  const trimmed = text.trimStart();
  const end = trimmed.indexOf('\n');
  return (end < 0 ? trimmed : trimmed.slice(0, end)).slice(0, 300);
}
