import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ViewAnswer } from '../../../src/bridge/viewMessages.ts';
import type { ToolCard } from '../../../src/bridge/toolCard.ts';
import { settleTime } from '../../../webview/cards/accidentGuard.ts';
import { ToolCardView } from '../../../webview/cards/toolCard.tsx';
import { allByRole, byRole, click, mount, nameOf, type } from './mount.tsx';
import type { Mounted } from './mount.tsx';
import { elicitation, elicitationAsk, elicitedPage, tool } from './samples.ts';

let page: Mounted;
beforeEach(() => {
  vi.useFakeTimers();
  page = mount();
});
afterEach(() => {
  page.dispose();
  vi.useRealTimers();
});

function show(card: ToolCard): HTMLElement {
  page.show(<ToolCardView tool={tool('Elicitation', card, { status: 'pending', ask: elicitationAsk })} />);
  return page.root;
}

function settled(card: ToolCard): HTMLElement {
  const root = show(card);
  void act(() => {
    vi.advanceTimersByTime(settleTime);
  });
  return root;
}

function answers(): ViewAnswer[] {
  return page.said.flatMap(message => (message.type === 'answer' ? [message.answer] : []));
}

function choose(root: HTMLElement, name: string, value: string): void {
  const list = byRole(root, 'combobox', name);
  if (!(list instanceof HTMLSelectElement)) throw new Error('Not a choice');
  void act(() => {
    list.value = value;
    list.dispatchEvent(new Event('change', { bubbles: true }));
  });
}

describe('the card of a form that a server asks for', () => {
  it('has a field of the right kind for each thing, by its name, and three different answers', () => {
    const card = byRole(settled(elicitation), 'group', 'Elicitation: tracker');
    expect(allByRole(card, 'textbox').map(nameOf)).toEqual(['Title', 'Your address', 'Weight']);
    expect(allByRole(card, 'combobox').map(nameOf)).toEqual(['Team']);
    expect(allByRole(card, 'checkbox').map(nameOf)).toEqual(['Bug', 'Docs', 'Watch the issue']);
    expect(allByRole(card, 'button').map(nameOf)).toEqual(['Submit', 'Decline', 'Cancel']);
    expect(byRole(card, 'textbox', 'Title').getAttribute('aria-required')).toBe('true');
    expect(card.textContent).toContain('Title required');
  });

  it('sends what was filled in, with what was there already', () => {
    const root = settled(elicitation);
    type(byRole(root, 'textbox', 'Title'), 'Retries never end');
    choose(root, 'Team', 'core');
    click(byRole(root, 'checkbox', 'Docs'));
    click(byRole(root, 'checkbox', 'Watch the issue'));
    click(byRole(root, 'button', 'Submit'));
    click(byRole(root, 'button', 'Decline'));
    const values = {
      title: 'Retries never end',
      mail: '',
      weight: '2',
      team: 'core',
      labels: ['bug', 'docs'],
      watch: false,
    };
    expect(answers()).toEqual([{ type: 'elicitation', action: 'accept', values }]);
  });

  it('says beside each field what is wrong, and sends nothing until it is right', () => {
    const root = settled(elicitation);
    expect(root.querySelectorAll('[role=alert]')).toHaveLength(0);
    type(byRole(root, 'textbox', 'Your address'), 'nobody');
    type(byRole(root, 'textbox', 'Weight'), '7');
    const said = (): string[] => [...root.querySelectorAll('[role=alert]')].map(one => one.textContent);
    expect(said()).toEqual(['This must be an e-mail address', 'Not more than 5']);
    click(byRole(root, 'button', 'Submit'));
    expect(said()).toHaveLength(4);
    expect(said()[0]).toBe('An answer is needed here');
    const title = byRole(root, 'textbox', 'Title');
    const problem = document.getElementById(title.getAttribute('aria-describedby') ?? '');
    expect([title.getAttribute('aria-invalid'), problem?.textContent]).toEqual(['true', 'An answer is needed here']);
    expect(answers()).toEqual([]);
  });

  it.each([
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
  ] as const)('can be left with %s, whatever stands in it, and then sends none of it', (name, action) => {
    const root = settled(elicitation);
    type(byRole(root, 'textbox', 'Title'), 'mine');
    click(byRole(root, 'button', name));
    expect(answers()).toEqual([{ type: 'elicitation', action, values: {} }]);
  });

  it('takes neither the keyboard nor a press on what has only just appeared, and Enter in a field sends nothing', () => {
    const root = show({ ...elicitation, fields: elicitation.fields.slice(1, 2) });
    expect(root.contains(document.activeElement)).toBe(false);
    click(byRole(root, 'button', 'Submit'));
    void act(() => {
      vi.advanceTimersByTime(settleTime);
    });
    const field = byRole(root, 'textbox', 'Your address');
    for (const event of ['keydown', 'keyup']) {
      field.dispatchEvent(new KeyboardEvent(event, { key: 'Enter', bubbles: true, cancelable: true }));
    }
    expect(answers()).toEqual([]);
  });

  it('shows markup in the message as text', () => {
    const root = settled({ ...elicitation, message: '**Now** [yes](command:x) <b>b</b>' });
    expect(root.textContent).toContain('**Now** [yes](command:x) <b>b</b>');
  });

  it('is one quiet line once it is answered', () => {
    const answered = { decision: 'declined' } as const;
    page.show(<ToolCardView tool={tool('Elicitation', elicitation, { status: 'denied', answered })} />);
    expect(page.root.textContent).toContain('Elicitation: tracker');
    expect(page.root.querySelector('.line-end')?.textContent).toBe('Declined');
  });
});

describe('the card of a page that a server wants opened', () => {
  it('shows whose page it is and the whole address, as text', () => {
    const root = settled(elicitedPage);
    expect(root.textContent).toContain('Opens outside the editor, at tracker.example.com');
    expect(root.textContent).toContain('https://tracker.example.com/sign-in?for=handrail&session=4f1c2b');
    expect(allByRole(root, 'link')).toEqual([]);
  });

  it('opens the page only when told to, and only then can it be done', () => {
    const root = settled(elicitedPage);
    expect(allByRole(root, 'button').map(nameOf)).toEqual(['Open link', 'Done', 'Decline', 'Cancel']);
    click(byRole(root, 'button', 'Done'));
    expect(page.said.filter(message => message.type === 'openAskedPage')).toEqual([]);
    click(byRole(root, 'button', 'Open link'));
    expect(page.said).toContainEqual({ type: 'openAskedPage', askId: elicitationAsk.askId });
    expect(answers()).toEqual([]);
    click(byRole(root, 'button', 'Done'));
    expect(answers()).toEqual([{ type: 'elicitation', action: 'accept', values: {} }]);
  });
});
