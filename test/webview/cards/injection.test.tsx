import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ToolCardView } from '../../../webview/cards/toolCard.tsx';
import { corpus, expectSafe, wordsOf } from '../markdown/safety.ts';
import { click, mount } from './mount.tsx';
import type { Mounted } from './mount.tsx';
import { everyAsk, everyCard, tool } from './samples.ts';

let page: Mounted;
beforeEach(() => (page = mount()));
afterEach(() => page.dispose());

/** Text on the page, in fields and in hints. */
function readable(): string {
  const fields = [...page.root.querySelectorAll<HTMLTextAreaElement>('textarea, input[type=text]')].map(
    field => field.value,
  );
  const hints = [...page.root.querySelectorAll('[title], [aria-label]')].map(one => one.outerHTML);
  return [page.root.textContent, ...fields, ...hints].join(' ').toLowerCase();
}

function openAll(): void {
  for (const toggle of page.root.querySelectorAll<HTMLElement>('button[aria-expanded=false]')) click(toggle);
}

const escapes = new RegExp('\\u001b\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|^.*\\r', 'g');

describe('injected text in cards', () => {
  it.each(corpus)('of kind $group stays text in every card: $text', ({ text }) => {
    for (const card of everyCard(text)) {
      for (const status of ['done', 'failed'] as const) {
        page.show(<ToolCardView key={`${card.type} ${status}`} tool={tool(text, card, { status, error: text })} />);
        openAll();
        expectSafe(page.root);
      }
      // Addresses that are pictures or nothing, and what a terminal would not print, need not be read.
      const words = card.type === 'plan' ? [] : wordsOf(text.replace(escapes, ''));
      for (const word of words) expect(readable(), card.type).toContain(word);
    }
  });

  it.each(corpus)('of kind $group stays text in every question: $text', ({ text }) => {
    for (const { card, ask } of everyAsk(text)) {
      page.show(
        <ToolCardView
          key={`${card.type} ${ask.askId} ${ask.kind}`}
          tool={tool(text, card, { status: 'pending', ask })}
        />,
      );
      openAll();
      expectSafe(page.root);
      for (const word of wordsOf(text)) expect(readable(), card.type).toContain(word);
    }
  });
});
