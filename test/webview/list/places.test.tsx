import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import { text, texts } from '../support.ts';
import { View } from '../viewHarness.tsx';

let views: View[] = [];
afterEach(() => {
  for (const view of views) view.close();
  views = [];
});

const inSession = (sessionId: string): Partial<SessionView> => ({ resume: { folder: '/w', sessionId } });

async function open(items: readonly ViewItem[], session: Partial<SessionView>, stored?: unknown): Promise<View> {
  const view = await new View(items, session, stored).open();
  views.push(view);
  return view;
}

/** Closes the page as VS Code does when it is hidden or reloaded; what it leaves behind. */
function leave(view: View): unknown {
  view.app.state.flush();
  const { stored } = view.host;
  views = views.filter(one => one !== view);
  view.close();
  return stored;
}

/** The message at the upper edge, and how far the edge is inside of it. */
function topOf(view: View): { readonly id: string | undefined; readonly inside: number } | undefined {
  let bottom = 0;
  for (const child of view.root.querySelectorAll<HTMLElement>('.transcript-content > *')) {
    const top = bottom;
    bottom += child.tagName === 'ARTICLE' ? view.layout.heightOf(child) : Number.parseFloat(child.style.height || '0');
    if (bottom <= view.log.scrollTop) continue;
    return { id: view.app.conversation.idAt(Number(child.dataset['index'] ?? -1)), inside: view.log.scrollTop - top };
  }
  return undefined;
}

describe('the place of the reader', () => {
  it('is the same message after the page was made anew', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(1_007);
    const place = topOf(first);
    expect(place?.id).toBeDefined();
    const second = await open(texts(200), inSession('s'), leave(first));
    expect(topOf(second)).toEqual(place);
    expect(second.button('Jump to latest')).toBeDefined();
  });

  it('is the end after the page was made anew at the end', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(1_007);
    await first.click('Jump to latest');
    const second = await open(texts(220), inSession('s'), leave(first));
    expect(second.button('Jump to latest')).toBeUndefined();
    expect(second.rows.at(-1)?.textContent).toContain('t219');
  });

  it('is found when more was said meanwhile', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(9_000);
    const place = topOf(first);
    const second = await open(texts(300), inSession('s'), leave(first));
    expect(topOf(second)).toEqual(place);
  });

  it('is found although the host reads older messages only little by little', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(1_000);
    const place = topOf(first);
    const second = await open(texts(60, 140), inSession('s'), leave(first));
    expect(second.button('Jump to latest')).toBeUndefined();
    const older = Array.from({ length: 140 }, (_, at) => text(`t${at}`));
    await second.do(() => second.host.patch(...older.map((item, index) => ({ op: 'add' as const, index, item }))));
    expect(topOf(second)).toEqual(place);
  });

  it('is not looked for any more when the person has gone elsewhere meanwhile', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(1_000);
    const place = topOf(first);
    const second = await open(texts(60, 140), inSession('s'), leave(first));
    await second.do(() => second.log.dispatchEvent(new WheelEvent('wheel', { deltaY: -10 })));
    const older = Array.from({ length: 140 }, (_, at) => text(`t${at}`));
    await second.do(() => second.host.patch(...older.map((item, index) => ({ op: 'add' as const, index, item }))));
    expect(topOf(second)?.id).not.toBe(place?.id);
  });

  it('is kept for each session', async () => {
    const first = await open(texts(200), inSession('one'));
    await first.scrollTo(1_000);
    const inOne = topOf(first);
    const second = await open(texts(200, 1_000), inSession('two'), leave(first));
    expect(second.button('Jump to latest')).toBeUndefined();
    await second.scrollTo(2_000);
    const inTwo = topOf(second);
    const third = await open(texts(200), inSession('one'), leave(second));
    expect(topOf(third)).toEqual(inOne);
    const fourth = await open(texts(200, 1_000), inSession('two'), leave(third));
    expect(topOf(fourth)).toEqual(inTwo);
  });

  it('is the end when the message is nowhere', async () => {
    const first = await open(texts(200), inSession('s'));
    await first.scrollTo(1_000);
    const second = await open(texts(200, 5_000), inSession('s'), leave(first));
    expect(second.button('Jump to latest')).toBeUndefined();
    expect(second.rows.at(-1)?.textContent).toContain('t5199');
  });
});
