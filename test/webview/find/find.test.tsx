import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import { rangesIn } from '../../../webview/find/matches.ts';
import { read, text, texts } from '../support.ts';
import { View } from '../viewHarness.tsx';

let view: View;
beforeEach(() => {
  // A page without a layout.
  Object.assign(Range.prototype, { getBoundingClientRect: () => new DOMRect() });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'requestAnimationFrame', 'cancelAnimationFrame'] });
});
afterEach(() => {
  view.close();
  vi.useRealTimers();
});

async function open(items: readonly ViewItem[]): Promise<void> {
  view = await new View(items).open();
  await view.do(() => view.host.say({ type: 'focus', target: 'find' }));
}

const field = (): HTMLInputElement => {
  const input = view.root.querySelector<HTMLInputElement>('[role="search"] input');
  if (!input) throw new Error('No search');
  return input;
};
const count = (): string => view.get('.find-count').textContent;

async function look(query: string): Promise<void> {
  await view.do(() => {
    field().value = query;
    field().dispatchEvent(new InputEvent('input', { bubbles: true }));
  });
  await pass();
}

/** Lets the pause in typing and the frames that a row needs go by. */
async function pass(): Promise<void> {
  for (let frame = 0; frame < 30; frame++) await view.do(() => vi.advanceTimersByTime(20));
}

async function press(key: string, more: KeyboardEventInit = {}): Promise<void> {
  await view.press(key, more, field());
  await pass();
}

const drawn = (id: string): boolean => view.rows.some(row => row.textContent.includes(id));

describe('the search of the conversation', () => {
  it('has the role and name others rely on, and the keyboard', async () => {
    await open(texts(3));
    expect(field().getAttribute('aria-label')).toBe('Find in conversation');
    expect(document.activeElement).toBe(field());
  });

  it('opens with Ctrl+F anywhere in the page, and lets VS Code search nothing else', async () => {
    view = await new View(texts(3)).open();
    const event = await view.press('f', { ctrlKey: true });
    expect(event.defaultPrevented).toBe(true);
    expect(document.activeElement).toBe(field());
  });

  it('counts over the whole conversation and goes to rows that were not in the page, forward and back', async () => {
    const items = texts(500).map((item, at) => (at === 7 || at === 250 ? text(item.id, { text: 'A needle!' }) : item));
    await open(items);
    await look('NEEDLE');
    expect(count()).toBe('1 of 2');
    expect(drawn('A needle!')).toBe(true);
    expect(view.app.conversation.idAt(7)).toBe('t7');
    await press('Enter');
    expect(count()).toBe('2 of 2');
    expect(view.app.conversation.idAt(250)).toBe('t250');
    expect(view.rows.some(row => row.dataset['index'] === '250')).toBe(true);
    await press('Enter');
    expect(count()).toBe('1 of 2');
    await press('Enter', { shiftKey: true });
    expect(count()).toBe('2 of 2');
  });

  it('says so when there is nothing', async () => {
    await open(texts(3));
    await look('haystack');
    expect(count()).toBe('No results');
    await look('');
    expect(count()).toBe('');
  });

  it('opens what a match is folded into', async () => {
    await open([text('a'), read('one'), read('two'), read('three'), text('b')]);
    expect(drawn('two.ts')).toBe(false);
    await look('two.ts');
    expect(drawn('two.ts')).toBe(true);
  });

  it('counts again when the conversation grows', async () => {
    await open([text('a', { text: 'needle' })]);
    await look('needle');
    expect(count()).toBe('1 of 1');
    await view.do(() => view.host.append(text('b', { text: 'another needle' })));
    await pass();
    expect(count()).toBe('1 of 2');
  });

  it('leaves keys that mean something else alone', async () => {
    await open([text('a', { text: 'needle needle' })]);
    await look('needle');
    for (const key of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }]) {
      const event = await view.press('Enter', key, field());
      expect(event.defaultPrevented).toBe(false);
    }
    await pass();
    expect(count()).toBe('1 of 2');
  });

  it('closes with Escape and gives the keyboard back', async () => {
    view = await new View(texts(3)).open();
    view.log.focus();
    await view.do(() => view.host.say({ type: 'focus', target: 'find' }));
    await press('Escape');
    expect(view.root.querySelector('[role="search"]')).toBeNull();
    expect(document.activeElement).toBe(view.log);
  });
});

describe('matches in a page', () => {
  it('are found across elements, in any case and over any white space', async () => {
    view = await new View([text('a', { text: 'One **bold\nword** and `code`' })]).open();
    const row = view.get('article');
    expect(rangesIn(row, 'ONE bold word').map(String)).toEqual(['One bold\nword']);
    expect(rangesIn(row, 'and code').map(String)).toEqual(['and code']);
    expect(rangesIn(row, 'a.d')).toEqual([]);
    expect(rangesIn(row, '  ')).toEqual([]);
  });

  it('are found in every one of many small elements', async () => {
    view = await new View([text('a', { text: 'x `x` **x** '.repeat(300) })]).open();
    expect(rangesIn(view.get('article'), 'x x').map(String)).toEqual(Array.from({ length: 450 }, () => 'x x'));
  });

  it('are marked in the rows on screen and in no other', async () => {
    const marked: Range[][] = [];
    vi.stubGlobal(
      'Highlight',
      class extends Set<Range> {
        constructor(...ranges: Range[]) {
          super(ranges);
          marked.push(ranges);
        }
      },
    );
    vi.stubGlobal('CSS', { highlights: new Map() });
    await open(texts(60).map(({ id }) => text(id, { text: 'A needle' })));
    await look('needle');
    // Of 600 pixels with rows of 50, while more are drawn around them.
    expect(view.rows.length).toBeGreaterThan(15);
    expect(marked.at(-1)?.length).toBeLessThanOrEqual(13);
    await view.scrollTo(0);
    await pass();
    expect(marked.at(-1)?.[0]?.startContainer.parentElement?.closest('article')?.dataset['index']).toBe('0');
    vi.unstubAllGlobals();
  });
});
