import { afterEach, describe, expect, it } from 'vitest';
import { askDraft } from '../../../webview/cards/askDrafts.ts';
import { View } from '../viewHarness.tsx';

const views: View[] = [];

async function open(openAsks: readonly string[], stored?: unknown): Promise<View> {
  const view = new View([], { openAsks }, stored);
  views.push(view);
  return view.open();
}

afterEach(() => {
  for (const view of views.splice(0)) view.close();
});

/** As VS Code keeps it. */
const kept = (view: View): unknown => {
  view.app.state.flush();
  return JSON.parse(JSON.stringify(view.host.stored));
};

describe('what was put on a card and not sent', () => {
  it('is there again in the next page', async () => {
    const first = await open(['q1']);
    const draft = askDraft(first.app, 'q1');
    draft.value = {
      ...draft.value,
      reason: 'Because',
      edited: 'ls -a',
      checked: true,
      choices: new Map([['Which?', ['One']]]),
      other: new Map([['Which?', 'neither']]),
      sent: true,
    };
    const next = await open(['q1'], kept(first));
    expect(askDraft(next.app, 'q1').value).toEqual({ ...draft.value, sent: false });
    expect(askDraft(next.app, 'q2').value.reason).toBe('');
  });

  it('is forgotten when the question is settled', async () => {
    const up = await open(['q1']);
    const draft = askDraft(up.app, 'q1');
    draft.value = { ...draft.value, reason: 'Because' };
    expect(kept(up)).toHaveProperty('asks');
    await up.do(() => up.host.session({ openAsks: [] }));
    expect(kept(up)).not.toHaveProperty('asks');
  });

  it('is offered again when the same is asked anew after the window closed over it', async () => {
    const first = await open(['q1']);
    const draft = askDraft(first.app, 'q1', 'ls in session 1');
    draft.value = { ...draft.value, edited: 'ls -a' };
    const next = await open([], kept(first));
    const later = await open(['q2'], kept(next));
    expect(askDraft(later.app, 'q2', 'ls in session 1').value).toMatchObject({ edited: 'ls -a', fromBefore: true });
    expect(askDraft(later.app, 'q3', 'ls in session 2').value.edited).toBeUndefined();
  });

  it('is not offered again once its question was settled in sight', async () => {
    const up = await open(['q1']);
    const draft = askDraft(up.app, 'q1', 'ls');
    draft.value = { ...draft.value, edited: 'ls -a' };
    await up.do(() => up.host.session({ openAsks: [] }));
    expect(askDraft(up.app, 'q2', 'ls').value.edited).toBeUndefined();
    expect(kept(up)).not.toHaveProperty('inputs');
  });

  it('of another version is taken for nothing', async () => {
    const up = await open(['q1'], { version: 1, draft: '', expanded: [], asks: [['q1', { reason: 7 }]] });
    expect(askDraft(up.app, 'q1').value.reason).toBe('');
  });
});
