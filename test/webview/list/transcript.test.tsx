import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import { prompt, read, text, texts, thinking } from '../support.ts';
import { View } from '../viewHarness.tsx';

let view: View | undefined;

async function open(items: readonly ViewItem[], session: Partial<SessionView> = {}, stored?: unknown): Promise<View> {
  view = new View(items, session, stored);
  return view.open();
}

afterEach(() => {
  view?.close();
  view = undefined;
});

const ask = {
  askId: 'ask7',
  kind: 'permission',
  title: 'Read',
  oneClick: true,
  suggestAllow: false,
  hasDiff: false,
  always: [],
  fromSubagent: false,
} as const;

describe('the transcript', () => {
  it('names each message as the contract says', async () => {
    const { rows } = await open([prompt('p'), text('a'), read('r'), text('b')]);
    expect(rows.map(row => row.getAttribute('aria-label'))).toEqual(['You', 'Agent', 'Read', 'Agent']);
    expect(rows[1]?.getAttribute('aria-setsize')).toBe('4');
    expect(rows[1]?.getAttribute('aria-posinset')).toBe('2');
  });

  it('draws a bounded number of rows of ten thousand', async () => {
    const up = await open(texts(10_000));
    expect(up.rows.length).toBeGreaterThan(5);
    expect(up.rows.length).toBeLessThanOrEqual(80);
    expect(up.rows.at(-1)?.textContent).toContain('t9999');
  });

  it('reads older pages when the reader scrolls to them', async () => {
    const up = await open(texts(1000));
    await up.scrollTo(0);
    expect(up.rows[0]?.textContent).toContain('t0');
    expect(up.rows.length).toBeLessThanOrEqual(80);
  });

  it('follows the end while the reader is there', async () => {
    const up = await open(texts(100));
    const before = up.log.scrollTop;
    await up.do(() => up.host.append(text('new')));
    expect(up.rows.at(-1)?.textContent).toContain('new');
    expect(up.log.scrollTop).toBeGreaterThan(before);
    expect(up.button('Jump to latest')).toBeUndefined();
  });

  it('stays where the reader is when something new arrives, and offers the way to it', async () => {
    const up = await open(texts(100));
    await up.scrollTo(1000);
    const first = up.rows[0]?.textContent;
    const { scrollTop } = up.log;
    await up.do(() => up.host.append(text('new')));
    expect(up.log.scrollTop).toBe(scrollTop);
    expect(up.rows[0]?.textContent).toBe(first);
    await up.click('Jump to latest');
    expect(up.rows.at(-1)?.textContent).toContain('new');
    expect(up.button('Jump to latest')).toBeUndefined();
  });

  it('keeps the reader’s row in place when one above it grows', async () => {
    const up = await open(texts(60));
    await up.scrollTo(1000);
    const { scrollTop } = up.log;
    const above = up.rows.find(row => row.dataset['index'] === '12');
    if (!above) throw new Error('The row above is not drawn');
    await up.do(() => up.layout.resize(above, 350));
    expect(up.log.scrollTop).toBe(scrollTop + 300);
  });

  it('stays at the end when something is opened in a question there, and when it is answered', async () => {
    const asks = { ...ask, reason: { text: 'Asked by a rule.', usual: false } };
    const up = await open([...texts(30), read('r', { status: 'pending', ask: asks })]);
    const card = up.rows.at(-1);
    if (!card) throw new Error('No card');
    await up.do(() => {
      up.button('Why was I asked?')?.click();
      up.layout.resize(card, 450);
    });
    expect(up.log.scrollTop).toBe(up.layout.scrollHeightOf(up.log) - 600);
    await up.do(() => up.host.patch({ op: 'update', item: read('r') }));
    await up.do(() => up.host.append(text('new')));
    expect(up.rows.at(-1)?.textContent).toContain('new');
    expect(up.button('Jump to latest')).toBeUndefined();
  });

  it('leaves no void where the row that is read becomes much shorter', async () => {
    const up = await open([...texts(60), read('long', { status: 'running' })]);
    const last = up.rows.at(-1);
    if (!last) throw new Error('No row');
    await up.do(() => up.layout.resize(last, 2000));
    await up.scrollTo(60 * 50 + 1000);
    const row = up.rows.at(-1);
    if (!row) throw new Error('No row');
    await up.do(() => up.layout.resize(row, 50));
    // As high as what is read: 600 below, and all of it drawn.
    expect(Number(up.rows[0]?.dataset['index'])).toBeLessThanOrEqual(61 - 600 / 50);
  });

  it('folds neighbouring finished reads and thoughts into one row, and unfolds it', async () => {
    const up = await open([text('a'), read('x'), read('y'), thinking('t'), text('b')]);
    const names = () => up.rows.map(row => row.getAttribute('aria-label'));
    expect(names()).toEqual(['Agent', 'Read 2 files, thought', 'Agent']);
    const fold = up.rows[1]?.querySelector('button');
    expect(fold?.getAttribute('aria-expanded')).toBe('false');
    await up.do(() => fold?.click());
    expect(names()).toEqual(['Agent', 'Read 2 files, thought', 'Read', 'Thinking', 'Agent']);
  });

  it('folds a read into its neighbour when it finishes', async () => {
    const up = await open([read('x'), read('y', { status: 'running' }), text('b')]);
    expect(up.rows).toHaveLength(3);
    await up.do(() => up.host.patch({ op: 'update', item: read('y') }));
    expect(up.rows.map(row => row.getAttribute('aria-label'))).toEqual(['Read 2 files', 'Agent']);
  });

  it('draws streamed text as it comes, in the same element until it is final', async () => {
    const up = await open([prompt('p'), text('a', { text: 'Hel', streaming: true })]);
    const row = up.rows[1];
    await up.do(() => up.host.patch({ op: 'append', id: 'a', text: 'lo' }));
    expect(row?.textContent).toContain('Hello');
    await up.do(() => up.host.patch({ op: 'update', item: text('a', { text: 'Hello' }) }));
    expect(up.rows[1]).toBe(row);
  });

  it('moves between messages with the arrows and back to the composer with Escape', async () => {
    const up = await open([prompt('p'), text('a'), text('b')]);
    up.log.focus();
    await up.press('ArrowDown', {}, up.log);
    expect(document.activeElement).toBe(up.rows[0]);
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown'])
      await up.press(key, {}, document.activeElement ?? up.log);
    expect(document.activeElement).toBe(up.rows[2]);
    await up.press('Home', {}, document.activeElement ?? up.log);
    expect(document.activeElement).toBe(up.rows[0]);
    await up.press('Escape', {}, document.activeElement ?? up.log);
    expect(document.activeElement).toBe(up.textbox);
    expect(up.host.said.map(message => message.type)).not.toContain('answer');
  });

  it('carries the keyboard to a message that was not drawn', async () => {
    const up = await open(texts(60));
    up.rows.at(-1)?.focus();
    await up.press('Home', {}, document.activeElement ?? up.log);
    expect(document.activeElement?.getAttribute('data-index')).toBe('0');
  });

  it('goes to the card of the question that the host names', async () => {
    const up = await open([...texts(50), read('r', { status: 'pending', ask }), ...texts(8, 50)]);
    await up.scrollTo(0);
    await up.do(() => up.host.say({ type: 'focus', target: { askId: 'ask7' } }));
    expect(document.activeElement?.closest('article')?.getAttribute('data-index')).toBe('50');
    expect(document.activeElement?.getAttribute('aria-label')).toBe('Permission: Read');
  });

  it('gives the keyboard to the log when the message that had it leaves the page', async () => {
    const up = await open(texts(60));
    up.rows.at(-1)?.focus();
    await up.scrollTo(0);
    expect(document.activeElement).toBe(up.log);
  });

  it('shows the prompt of the turn being read above it', async () => {
    const up = await open([prompt('p', { text: 'Cap the retries\nplease' }), ...texts(50)]);
    expect(up.get('.sticky-prompt').textContent).toBe('Cap the retries');
    await up.scrollTo(0);
    expect(up.root.querySelector('.sticky-prompt')).toBeNull();
  });

  it('helps before the first message', async () => {
    const up = await open([], { recent: [{ sessionId: 's1', title: 'Yesterday', at: 0 }] });
    await up.click('Find and fix a failing test');
    expect(up.textbox.value).toBe('Find and fix a failing test');
    await up.click('Yesterday');
    expect(up.host.said).toContainEqual({ type: 'openSession', sessionId: 's1' });
  });

  it('says what failed and offers what to do', async () => {
    const error = {
      title: 'The agent could not be started',
      message: 'Not found.',
      tried: ['PATH'],
      actions: [{ action: 'retry', label: 'Try again' }],
    } as const;
    const up = await open([], { state: 'stopped', error });
    expect(up.get('[role="alert"]').textContent).toContain('Not found.');
    await up.click('Try again');
    expect(up.host.said).toContainEqual({ type: 'action', action: 'retry' });
  });

  it('copies a message, sends it again, edits it anew and rewinds to it', async () => {
    const up = await open([prompt('p', { text: 'Do it' })]);
    await up.click('Copy message');
    await up.click('Rewind files to here');
    await up.click('Retry');
    await up.click('Edit and send again');
    expect(up.host.said).toContainEqual({ type: 'copy', text: 'Do it' });
    expect(up.host.said).toContainEqual({ type: 'rewind', itemId: 'p' });
    expect(up.host.said).toContainEqual({ type: 'resend', itemId: 'p' });
    expect(up.textbox.value).toBe('Do it');
  });
});
