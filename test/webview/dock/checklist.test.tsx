import { afterEach, expect, it } from 'vitest';
import type { ChecklistView } from '../../../src/bridge/sessionView.ts';
import { View } from '../viewHarness.tsx';

let view: View;
afterEach(() => view.close());

const list = (done: number): ChecklistView => ({
  done,
  total: 3,
  entries: ['Read', 'Write', 'Test'].map((text, at) => ({
    text,
    state: at < done ? 'completed' : at === done ? 'inProgress' : 'pending',
  })),
});

const steps = (): string[] => [...view.root.querySelectorAll('.checklist li')].map(step => step.textContent);
const section = (): HTMLElement => view.get('section[aria-label="Checklist"]');

it('shows the list once, as it stands, and follows it', async () => {
  view = await new View([], { checklist: list(1) }).open();
  expect(steps()).toEqual(['Read', 'Write', 'Test']);
  expect(section().textContent).toContain('1 of 3 done');
  await view.do(() => view.host.session({ checklist: list(2) }));
  expect(section().textContent).toContain('2 of 3 done');
  expect(view.root.querySelectorAll('.step-completed')).toHaveLength(2);
});

it('closes to the step that is being done, and closes by itself when all is done', async () => {
  view = await new View([], { checklist: list(1) }).open();
  const toggle = (): HTMLButtonElement => {
    const button = section().querySelector('button');
    if (!button) throw new Error('No toggle');
    return button;
  };
  await view.do(() => toggle().click());
  expect(steps()).toEqual([]);
  expect(toggle().textContent).toContain('Write');
  await view.do(() => view.host.session({ checklist: list(3) }));
  expect(steps()).toEqual([]);
  await view.do(() => toggle().click());
  expect(steps()).toHaveLength(3);
});

it('is gone when the agent keeps no list', async () => {
  view = await new View([], {}).open();
  expect(view.root.querySelector('.checklist')).toBeNull();
});
