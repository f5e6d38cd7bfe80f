import { afterEach, describe, expect, it, vi } from 'vitest';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import type { ViewItem } from '../../../src/bridge/viewItem.ts';
import { prompt, texts } from '../support.ts';
import { View } from '../viewHarness.tsx';

const views: View[] = [];

async function open(session: Partial<SessionView> = {}, items: readonly ViewItem[] = []): Promise<View> {
  const view = new View(items, session);
  views.push(view);
  return view.open();
}

afterEach(() => {
  for (const view of views.splice(0)) view.close();
});

const picture = { kind: 'image', id: 'i', name: 'dot.png', mediaType: 'image/png', data: 'AA==' } as const;

const commands = [
  { name: 'compact', description: 'Shorten', argumentHint: '[what to keep]' },
  { name: 'cost', description: 'What was spent', argumentHint: '' },
];

describe('the composer', () => {
  it('sends what was typed with Enter and is empty again', async () => {
    const up = await open();
    await up.type('Hello');
    await up.press('Enter');
    expect(up.host.asked).toContainEqual({ name: 'send', key: 'a', text: 'Hello', attachments: [], now: false });
    expect(up.textbox.value).toBe('');
    expect(up.rows[0]?.textContent).toContain('Hello');
  });

  it('sends nothing when there is nothing', async () => {
    const up = await open();
    await up.type('  ');
    await up.press('Enter');
    await up.click('Send');
    expect(up.host.asked.map(request => request.name)).not.toContain('send');
  });

  it('does not send while an input method composes', async () => {
    const up = await open();
    await up.type('に');
    await up.press('Enter', { isComposing: true });
    expect(up.textbox.value).toBe('に');
  });

  it('stops a running turn, and queues what is typed meanwhile', async () => {
    const up = await open({ state: 'working' });
    expect(up.button('Send')).toBeUndefined();
    await up.click('Stop');
    expect(up.host.said).toContainEqual({ type: 'stop' });
    await up.type('and this');
    expect(up.button('Stop')).toBeDefined();
    await up.click('Send');
    expect(up.host.asked).toContainEqual({ name: 'send', key: 'a', text: 'and this', attachments: [], now: false });
  });

  it('walks through what was said before and returns to the draft', async () => {
    const up = await open({}, [prompt('a', { text: 'first' }), ...texts(2), prompt('b', { text: 'second' })]);
    await up.press('ArrowUp');
    expect(up.textbox.value).toBe('second');
    await up.press('ArrowUp');
    expect(up.textbox.value).toBe('first');
    await up.press('ArrowDown');
    await up.press('ArrowDown');
    expect(up.textbox.value).toBe('');
    await up.type('a draft');
    expect((await up.press('ArrowUp')).defaultPrevented).toBe(false);
    expect(up.textbox.value).toBe('a draft');
  });

  it('waits with a queued message until the agent has let go of it, and puts it before the draft', async () => {
    const up = await open({ queue: [{ id: 'q', text: 'queued words' }] });
    await up.type('my draft');
    await up.click('Edit queued message');
    expect(up.host.said).toContainEqual({ type: 'editQueued', id: 'q' });
    expect(up.textbox.value).toBe('my draft');
    await up.do(() =>
      up.host.say({
        type: 'composer',
        action: { type: 'giveBack', text: 'queued words', attachments: [picture] },
      }),
    );
    expect(up.textbox.value).toBe('queued words\n\nmy draft');
    expect(up.textbox.selectionStart).toBe('queued words'.length);
    expect(up.get('.chip').textContent).toContain('dot.png');
  });

  it('takes words that come back by themselves without taking the keyboard from where the person is', async () => {
    const up = await open();
    const action = { type: 'giveBack', text: 'not sent', attachments: [] } as const;
    const elsewhere = vi.spyOn(document, 'hasFocus').mockReturnValue(false);
    await up.do(() => up.host.say({ type: 'composer', action }));
    expect(up.textbox.value).toBe('not sent');
    expect(document.activeElement).not.toBe(up.textbox);
    elsewhere.mockReturnValue(true);
    await up.do(() => up.host.say({ type: 'composer', action }));
    expect(document.activeElement).toBe(up.textbox);
    elsewhere.mockRestore();
  });

  it('brings the pictures of a message back with its words', async () => {
    const preview = 'data:image/png;base64,AA==';
    const item = prompt('p', { text: 'look', attachments: [{ id: 'p:0', kind: 'image', name: '', preview }] });
    const up = await open({}, [item]);
    await up.click('Edit and send again');
    expect(up.textbox.value).toBe('look');
    await up.press('Enter');
    expect(up.host.asked.find(request => request.name === 'send')).toMatchObject({
      text: 'look',
      attachments: [{ kind: 'image', mediaType: 'image/png', data: 'AA==' }],
    });
  });

  it('says that the key queues while the agent works', async () => {
    const up = await open({ state: 'working' });
    expect(up.textbox.placeholder).toBe('Enter queues a message');
    await up.do(() => up.host.session({ state: 'idle' }));
    expect(up.textbox.placeholder).toContain('@ for files');
  });

  it('lists a message as queued as soon as the conversation says so, there and nowhere else, and no longer', async () => {
    const waiting = prompt('w', { text: 'after that', state: 'queued' });
    const up = await open({ state: 'working' }, [prompt('a'), ...texts(3)]);
    await up.do(() => up.host.append(waiting));
    expect(up.get('ul[aria-label="Queued messages"]').textContent).toContain('after that');
    expect(up.rows.map(row => row.textContent).join()).not.toContain('after that');
    await up.do(() => up.host.patch({ op: 'update', item: { ...waiting, state: 'started' } }));
    expect(up.root.querySelector('ul[aria-label="Queued messages"]')).toBeNull();
    expect(up.rows.at(-1)?.textContent).toContain('after that');
  });

  it('completes a command that was typed before the agent had named its commands', async () => {
    const up = await open();
    await up.type('/comp');
    expect(up.root.querySelector('[role="option"]')).toBeNull();
    await up.do(() => up.host.session({ commands }));
    expect(up.get('[role="option"]').textContent).toContain('/compact [what to keep]');
  });

  it('hurries and cancels queued messages', async () => {
    const up = await open({ state: 'working', queue: [{ id: 'q', text: 'later' }] });
    expect(up.get('ul[aria-label="Queued messages"]').textContent).toContain('later');
    await up.click('Send now');
    await up.click('Cancel queued message');
    expect(up.host.said).toContainEqual({ type: 'sendQueuedNow', id: 'q' });
    expect(up.host.said).toContainEqual({ type: 'cancelQueued', id: 'q' });
  });

  it('completes commands, by keyboard, and hints at their arguments', async () => {
    const up = await open({ commands });
    await up.type('/');
    const options = [...up.root.querySelectorAll('[role="option"]')];
    expect(options).toHaveLength(2);
    expect(up.textbox.getAttribute('aria-activedescendant')).toBe(options[0]?.id);
    await up.press('ArrowDown');
    expect(up.textbox.getAttribute('aria-activedescendant')).toBe(options[1]?.id);
    await up.press('ArrowDown');
    await up.press('Enter');
    expect(up.textbox.value).toBe('/compact ');
    expect(up.get('.composer-hint').textContent).toBe('[what to keep]');
    expect(up.host.asked.map(request => request.name)).not.toContain('send');
  });

  it('closes the completions with Escape and does not open them again for the same word', async () => {
    const up = await open({ commands });
    await up.type('/c');
    await up.press('Escape');
    expect(up.root.querySelector('[role="listbox"]')).toBeNull();
    await up.type('/co');
    expect(up.root.querySelector('[role="listbox"]')).toBeNull();
  });

  it('shows what the host attaches as a chip that can be removed', async () => {
    const up = await open();
    await up.do(() =>
      up.host.say({
        type: 'composer',
        action: {
          type: 'attach',
          attachments: [{ kind: 'context', id: 's1', name: 'client.ts:40-58', what: 'selection', text: 'code' }],
        },
      }),
    );
    expect(up.get('.chip').textContent).toContain('client.ts:40-58');
    await up.click('Remove client.ts:40-58');
    expect(up.root.querySelector('.chip')).toBeNull();
  });

  it('sends what is selected in the editor along, as a chip that can be removed', async () => {
    const up = await open();
    const chip = { id: 'e1', name: 'greet.ts:1-3', what: 'selection' } as const;
    await up.do(() => up.host.say({ type: 'selection', chip }));
    expect(up.get('.chip').textContent).toContain('greet.ts:1-3');
    // A selection alone is nothing to send.
    expect(up.button('Send')?.getAttribute('aria-disabled')).toBe('true');
    await up.type('/compact');
    expect(up.root.querySelector('.chip')).toBeNull();
    await up.type('What is this?');
    await up.press('Enter');
    expect(up.host.asked.find(request => request.name === 'send')).toMatchObject({ selection: 'e1' });
    await up.click('Remove greet.ts:1-3');
    expect(up.host.said).toContainEqual({ type: 'removeSelection', id: 'e1' });
    await up.type('And now?');
    await up.press('Enter');
    expect(up.host.asked.findLast(request => request.name === 'send')).not.toHaveProperty('selection');
  });

  it('changes the model from its menu, by keyboard', async () => {
    const models = [
      { value: 'a', label: 'Alpha' },
      { value: 'b', label: 'Beta' },
    ];
    const up = await open({ model: { value: 'a', label: 'Alpha' }, models });
    await up.click('Model: Alpha');
    expect(document.activeElement?.getAttribute('aria-checked')).toBe('true');
    await up.press('ArrowDown', {}, document.activeElement ?? up.root);
    expect(document.activeElement?.textContent).toBe('Beta');
    await up.do(() => document.activeElement instanceof HTMLElement && document.activeElement.click());
    expect(up.host.said).toContainEqual({ type: 'setModel', value: 'b' });
    expect(document.activeElement).toBe(up.button('Model: Alpha'));
  });

  it('shows how full the context is and what it cost', async () => {
    const up = await open({ context: { usedTokens: 50_000, maxTokens: 200_000 }, costUsd: 0.126 });
    await up.click('Context: 25%');
    expect(up.get('[role="dialog"]').textContent).toContain('$0.13');
  });

  it('remembers the draft for the next time the panel is opened', async () => {
    const up = await open();
    await up.type('not sent yet');
    up.app.state.flush();
    expect(up.host.stored).toMatchObject({ draft: 'not sent yet' });
  });

  it('tells the host of an attachment at once, and shows it again in another page', async () => {
    const up = await open();
    await up.do(() => up.host.say({ type: 'composer', action: { type: 'attach', attachments: [picture] } }));
    expect(up.host.said.at(-1)).toEqual({ type: 'attachments', key: 'a', attachments: [picture] });
    await up.click('Remove dot.png');
    expect(up.host.said.at(-1)).toEqual({ type: 'attachments', key: 'a', attachments: [] });

    const next = new View([], {});
    views.push(next);
    next.host.draft = { key: 'a', text: 'kept', attachments: [picture], revision: 1 };
    await next.open();
    expect(next.textbox.value).toBe('kept');
    expect(next.get('.chip').textContent).toContain('dot.png');
  });

  it('shows what the host has kept rather than what the page remembers', async () => {
    const stored = { version: 1, draft: 'sent long ago', draftKey: 'a', draftRevision: 3, expanded: [] };
    const up = new View([], {}, stored);
    views.push(up);
    up.host.draft = { key: 'a', text: '', attachments: [], revision: 4 };
    await up.open();
    expect(up.textbox.value).toBe('');
  });

  it('keeps what was typed while no host was there to keep it', async () => {
    const stored = { version: 1, draft: 'all of it', draftKey: 'a', draftRevision: 3, expanded: [] };
    for (const [text, given, shown] of [
      ['', undefined, 'all of it'],
      ['all', undefined, 'all of it'],
      ['all of it and what was deleted since', undefined, 'all of it'],
      ['came back\n\nall', 'came back', 'came back\n\nall of it'],
      ['all of it\n\nall', 'all of it', 'all of it'],
    ] as const) {
      const up = new View([], {}, stored);
      views.push(up);
      up.host.draft = { key: 'a', text, attachments: [], revision: 2, given };
      await up.open();
      expect(up.textbox.value).toBe(shown);
      up.app.state.flush();
      await up.do(() => undefined);
      expect(up.host.said).toContainEqual({ type: 'draft', key: 'a', text: shown, revision: 3 });
    }
  });

  it('keeps what was typed before the host had said what it kept', async () => {
    const up = new View([], {});
    views.push(up);
    up.host.draft = { key: 'a', text: 'kept', attachments: [], revision: 1 };
    up.app.state.draft.value = 'typed';
    await up.open();
    expect(up.textbox.value).toBe('kept\ntyped');
  });

  it('leaves a draft with its conversation when another one is shown', async () => {
    const up = await open();
    await up.type('for the first');
    await up.do(() => up.host.say({ type: 'draft', key: 'b', text: 'for the second', attachments: [], revision: 0 }));
    expect(up.textbox.value).toBe('for the second');
    expect(up.host.said).toContainEqual({ type: 'draft', key: 'a', text: 'for the first', revision: 1 });
    await up.type('for the second, more');
    up.app.state.flush();
    await up.do(() => undefined);
    const kept = up.host.said.filter(message => message.type === 'draft');
    expect(kept.map(({ key, text }) => [key, text])).toEqual([
      ['a', 'for the first'],
      ['b', 'for the second, more'],
    ]);
  });

  it('keeps the draft of a conversation that gets its session', async () => {
    const up = await open();
    await up.type('next thing');
    await up.do(() => up.host.say({ type: 'draftMoved', from: 'a', to: 's1' }));
    expect(up.textbox.value).toBe('next thing');
    expect(up.host.said).toContainEqual({ type: 'draft', key: 'a', text: 'next thing', revision: 1 });
    await up.type('next thing, and more');
    up.app.state.flush();
    await up.do(() => undefined);
    expect(up.host.said.at(-1)).toEqual({ type: 'draft', key: 's1', text: 'next thing, and more', revision: 2 });
  });

  it('keeps a message that the host does not take, and says why', async () => {
    const up = await open();
    up.host.problem = 'Not for the agent.';
    await up.do(() => up.host.say({ type: 'composer', action: { type: 'attach', attachments: [picture] } }));
    await up.type('Look');
    await up.press('Enter');
    expect(up.textbox.value).toBe('Look');
    expect(up.get('.chip').textContent).toContain('dot.png');
    expect(up.get('.composer-problem').textContent).toContain('Not for the agent.');
    up.host.problem = undefined;
    await up.press('Enter');
    expect(up.textbox.value).toBe('');
    expect(up.root.querySelector('.chip, .composer-problem')).toBeNull();
  });

  it('sends once and keeps what is typed while the host takes the message', async () => {
    const up = await open();
    await up.type('one');
    await up.do(() => {
      up.textbox.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      up.textbox.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
      up.textbox.value = 'one two';
      up.textbox.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    expect(up.host.asked.filter(request => request.name === 'send')).toMatchObject([{ text: 'one' }]);
    expect(up.textbox.value).toBe(' two');
  });

  it('takes no more things than a message can carry, and says so', async () => {
    const up = await open();
    const files = Array.from({ length: 101 }, (_, index) => {
      const name = `f${index}.ts`;
      return { kind: 'file', id: name, name, path: name } as const;
    });
    await up.do(() => up.host.say({ type: 'composer', action: { type: 'attach', attachments: files } }));
    expect(up.root.querySelectorAll('.chip')).toHaveLength(100);
    expect(up.get('.composer-problem').textContent).toContain('can carry 100 things');
    // What comes back is never cut, but too much for one message.
    await up.do(() =>
      up.host.say({ type: 'composer', action: { type: 'giveBack', text: 'back', attachments: [picture] } }),
    );
    await up.press('Enter');
    expect(up.host.asked.map(request => request.name)).not.toContain('send');
    expect(up.get('.composer-problem').textContent).toContain('Remove some');
    await up.click('Remove f0.ts');
    await up.press('Enter');
    expect(up.host.asked.find(request => request.name === 'send')?.attachments).toHaveLength(100);
    expect(up.textbox.value).toBe('');
  });

  it('takes the keyboard when the host asks for it', async () => {
    const up = await open();
    up.textbox.blur();
    await up.do(() => up.host.say({ type: 'focus', target: 'composer' }));
    expect(document.activeElement).toBe(up.textbox);
  });
});
