import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ViewAnswer } from '../../../src/bridge/viewMessages.ts';
import type { ToolView } from '../../../src/bridge/viewItem.ts';
import { settleTime } from '../../../webview/cards/accidentGuard.ts';
import { ToolCardView } from '../../../webview/cards/toolCard.tsx';
import { allByRole, byRole, click, mount, nameOf, type } from './mount.tsx';
import type { Mounted } from './mount.tsx';
import { ask, edit, jsonAsk, mcp, plan, planAsk, questionAsk, questions, shell, shellAsk, tool } from './samples.ts';

let page: Mounted;
beforeEach(() => {
  vi.useFakeTimers();
  page = mount();
});
afterEach(() => {
  page.dispose();
  vi.useRealTimers();
});

function show(item: ToolView): HTMLElement {
  page.show(<ToolCardView tool={item} />);
  return page.root;
}

/** Shows a card and lets it settle. */
function settled(item: ToolView): HTMLElement {
  const root = show(item);
  pass(settleTime);
  return root;
}

function pass(time: number): void {
  void act(() => {
    vi.advanceTimersByTime(time);
  });
}

function answers(): ViewAnswer[] {
  return page.said.flatMap(message => (message.type === 'answer' ? [message.answer] : []));
}

const editTool = tool('Edit', edit, { status: 'pending', ask });
const shellTool = tool('Bash', shell, { status: 'pending', ask: shellAsk });
const jsonTool = tool('create_issue', mcp, { status: 'pending', ask: jsonAsk });
const questionTool = tool('AskUserQuestion', questions, { status: 'pending', ask: questionAsk });
const planTool = tool('ExitPlanMode', plan, { status: 'pending', ask: planAsk });

describe('a permission card', () => {
  it('has the names others rely on', () => {
    const card = byRole(settled(editTool), 'group', 'Permission: Edit');
    for (const name of ['Allow', 'Deny', 'Show Diff', 'Always allow…'])
      expect(byRole(card, 'button', name)).toBeTruthy();
    expect(byRole(card, 'textbox', 'Tell the agent why')).toBeTruthy();
    for (const name of ['Hunk at line 12', 'Hunk at line 42']) expect(byRole(card, 'checkbox', name)).toBeTruthy();
  });

  it('says what will happen, then why, then what can be done', () => {
    const text = settled(editTool).textContent;
    const order = ['src/client.ts', 'maxTries', 'Why was I asked?', 'Allow'].map(part => text.indexOf(part));
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(order.every(place => place >= 0)).toBe(true);
  });

  it('allows and denies, each once', () => {
    const root = settled(editTool);
    click(byRole(root, 'button', 'Allow'));
    click(byRole(root, 'button', 'Allow'));
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toEqual([{ type: 'allow' }]);
    expect(page.said).toContainEqual({ type: 'answer', askId: 'ask-1', answer: { type: 'allow' } });
  });

  it('can be used again when the host did not take the answer', () => {
    const root = settled(editTool);
    click(byRole(root, 'button', 'Allow'));
    pass(5_000);
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toHaveLength(2);
  });

  it('denies with the reason, and stops when told to', () => {
    const root = settled(editTool);
    type(byRole(root, 'textbox', 'Tell the agent why'), 'Use the helper');
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toEqual([{ type: 'deny', reason: 'Use the helper', stop: false }]);
    page.show(null);
    click(byRole(settled(editTool), 'button', 'Deny and stop'));
    expect(answers().at(-1)).toEqual({ type: 'deny', reason: 'Use the helper', stop: true });
  });

  it('leaves out the hunks that are not ticked, and says so', () => {
    const root = settled(editTool);
    click(byRole(root, 'checkbox', 'Hunk at line 42'));
    expect(root.textContent).toContain('left out');
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([{ type: 'allow', leftOut: [1] }]);
  });

  it('does not allow nothing', () => {
    const root = settled(editTool);
    click(byRole(root, 'checkbox', 'Hunk at line 12'));
    click(byRole(root, 'checkbox', 'Hunk at line 42'));
    expect(byRole(root, 'button', 'Allow').hasAttribute('disabled')).toBe(true);
    expect(root.textContent).toContain('Every hunk is left out');
  });

  it('remembers exactly the suggestion that was chosen', () => {
    const root = settled(editTool);
    click(byRole(root, 'button', 'Always allow…'));
    click(byRole(root, 'button', 'Always allow Edit(src/**)in this project, for me'));
    expect(answers()).toEqual([{ type: 'allow', always: [1] }]);
  });

  it('offers no “always” where there is nothing to remember', () => {
    expect(allByRole(settled(jsonTool), 'button').map(nameOf)).not.toContain('Always allow…');
  });

  it('shows the diff', () => {
    click(byRole(settled(editTool), 'button', 'Show Diff'));
    expect(page.said.at(-1)).toEqual({ type: 'showProposal', askId: 'ask-1' });
    expect(answers()).toEqual([]);
  });

  it('runs the command as it stands in the field', () => {
    const root = settled(shellTool);
    type(byRole(root, 'textbox', 'Command to run'), 'npm test -- client --run');
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([{ type: 'allow', edited: 'npm test -- client --run' }]);
  });

  it('sends nothing edited when the text was changed and changed back', () => {
    const root = settled(shellTool);
    const field = byRole(root, 'textbox', 'Command to run');
    type(field, 'other');
    click(byRole(root, 'button', 'Undo my changes'));
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([{ type: 'allow' }]);
  });

  it.each(['{', '[]', '1', ''])('does not allow the input %j and says why', input => {
    const root = settled(jsonTool);
    type(byRole(root, 'textbox', 'Input as JSON'), input);
    const allow = byRole(root, 'button', 'Allow');
    expect(allow.hasAttribute('disabled')).toBe(true);
    click(allow);
    expect(answers()).toEqual([]);
    expect(root.querySelector('[role=alert]')?.textContent).toMatch(/JSON|object/);
  });

  it('warns of characters in a command that cannot be seen', () => {
    const hidden = { ...shellAsk, editable: { field: 'command', value: 'rm \u202e-rf' } } as const;
    expect(settled({ ...shellTool, ask: hidden }).textContent).toContain('U+202E');
  });

  it('gives Allow no weight when the CLI starts on no', () => {
    expect(byRole(settled(shellTool), 'button', 'Allow').className).toContain('button-secondary');
    expect(byRole(settled(editTool), 'button', 'Allow').className).not.toContain('button-secondary');
  });

  it('that may not be answered with one click needs a tick first', () => {
    const root = settled({ ...jsonTool, ask: { ...jsonAsk, oneClick: false } });
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([]);
    click(allByRole(root, 'checkbox')[0] ?? root);
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([{ type: 'allow' }]);
  });

  it('offers a command as it was changed before the window closed, says so, and takes it back on demand', () => {
    const ask = { ...shellAsk, askId: 'anew' };
    const value = ask.editable?.value ?? '';
    const about = JSON.stringify([undefined, ask.title, value]);
    page.dispose();
    page = mount({ version: 1, draft: '', expanded: [], inputs: [[about, { askId: 'gone', text: 'npm test -- -b' }]] });
    const root = settled({ ...shellTool, ask });
    expect(byRole(root, 'textbox', 'Command to run')).toHaveProperty('value', 'npm test -- -b');
    expect(root.textContent).toContain('before the window closed');
    click(byRole(root, 'button', 'Undo my changes'));
    expect(byRole(root, 'textbox', 'Command to run')).toHaveProperty('value', value);
    expect(root.textContent).not.toContain('before the window closed');
  });

  it('says a special reason at once, and the usual one only when it is wanted', () => {
    const reason = (usual: boolean): string => {
      const asked = { ...shellAsk, askId: `why-${String(usual)}`, reason: { text: 'The mode asks.', usual } };
      return settled(tool('Bash', shell, { status: 'pending', ask: asked })).querySelector('.why')?.textContent ?? '';
    };
    expect(reason(true)).not.toContain('The mode asks.');
    expect(reason(false)).toContain('The mode asks.');
  });

  it('tells why it asks', () => {
    const root = settled({ ...shellTool, ask: { ...shellAsk, fromSubagent: true } });
    click(byRole(root, 'button', 'Why was I asked?'));
    const text = root.querySelector('.why')?.textContent ?? '';
    for (const part of ['This mode asks before such a step.', 'Asked by a subagent', 'Runs the tests', '/project']) {
      expect(text).toContain(part);
    }
  });

  it('does not draw megabytes into a field', () => {
    const value = JSON.stringify({ text: 'x'.repeat(10_000_000) });
    const root = settled({ ...jsonTool, ask: { ...jsonAsk, editable: { field: 'json', value } } });
    expect(allByRole(root, 'textbox').map(nameOf)).toEqual(['Tell the agent why']);
    expect(root.textContent.length).toBeLessThan(20_000);
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([{ type: 'allow' }]);
  });
});

describe('a card is not answered by accident', () => {
  it('takes no focus when it appears', () => {
    const before = document.activeElement;
    settled(editTool);
    expect(document.activeElement).toBe(before);
  });

  it('ignores presses in the first half second', () => {
    const root = show(editTool);
    click(byRole(root, 'button', 'Allow'));
    pass(settleTime - 1);
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toEqual([]);
    pass(1);
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toHaveLength(1);
  });

  it('ignores a press that began before it had settled', () => {
    const root = show(editTool);
    const allow = byRole(root, 'button', 'Allow');
    pass(settleTime - 10);
    allow.dispatchEvent(new MouseEvent('pointerdown', { bubbles: true }));
    pass(20);
    click(allow);
    expect(answers()).toEqual([]);
  });

  it('ignores presses after it has moved under the pointer', () => {
    const root = settled(editTool);
    const row = root.querySelector('.ask-buttons');
    if (!row) throw new Error('No buttons');
    row.getBoundingClientRect = () => new DOMRect(0, 120, 200, 30);
    document.dispatchEvent(new Event('scroll'));
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([]);
    pass(settleTime);
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toHaveLength(1);
  });

  it('says quietly that a press was ignored, and moves nothing by it', () => {
    const root = show(editTool);
    const says = (): string => root.querySelector('.ask-ignored')?.textContent ?? '';
    expect(says()).toBe('');
    click(byRole(root, 'button', 'Allow'));
    expect(says()).toContain('Press again');
    pass(3_000);
    expect(says()).toBe('');
  });

  it('takes a press after its own field has grown by typing, and not after anything else moved it then', () => {
    const root = settled(editTool);
    const row = root.querySelector('.ask-buttons');
    const card = root.querySelector('.ask');
    if (!row || !card) throw new Error('No card');
    const grow = (top: number, height: number): void => {
      row.getBoundingClientRect = () => new DOMRect(0, top, 200, 30);
      Object.defineProperty(card, 'offsetHeight', { value: height, configurable: true });
    };
    type(byRole(root, 'textbox', 'Tell the agent why'), 'no');
    grow(-18, 218);
    document.dispatchEvent(new Event('scroll'));
    type(byRole(root, 'textbox', 'Tell the agent why'), 'not now');
    grow(-60, 218);
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toEqual([]);
    pass(settleTime);
    type(byRole(root, 'textbox', 'Tell the agent why'), 'not now, and not later');
    grow(-78, 236);
    click(byRole(root, 'button', 'Deny'));
    expect(answers()).toEqual([{ type: 'deny', reason: 'not now, and not later', stop: false }]);
  });

  it('notices a move that no event told of', () => {
    const root = settled(editTool);
    const row = root.querySelector('.ask-buttons');
    if (!row) throw new Error('No buttons');
    row.getBoundingClientRect = () => new DOMRect(0, 40, 200, 30);
    click(byRole(root, 'button', 'Allow'));
    expect(answers()).toEqual([]);
  });

  it.each(['Enter', ' '])('lets the key %j do nothing when the focus came by itself', key => {
    const allow = byRole(settled(editTool), 'button', 'Allow');
    allow.focus();
    const press = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    allow.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(true);
  });

  it('lets keys work after Tab has brought the person there', () => {
    const allow = byRole(settled(editTool), 'button', 'Allow');
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Tab', bubbles: true }));
    allow.focus();
    const press = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true });
    allow.dispatchEvent(press);
    expect(press.defaultPrevented).toBe(false);
  });

  it.each(['y', 'a', '1', '2', 'Enter', 'Escape', ' '])('is not answered by the key %j anywhere', key => {
    const root = settled(editTool);
    for (const target of [document.body, root.querySelector('.ask') ?? root]) {
      for (const kind of ['keydown', 'keypress', 'keyup']) {
        target.dispatchEvent(new KeyboardEvent(kind, { key, bubbles: true, cancelable: true }));
      }
    }
    expect(answers()).toEqual([]);
  });

  it('gets the keyboard when the person asks for the next question, on the card and not on a button', () => {
    const root = settled(editTool);
    page.app.focus({ askId: 'another' });
    expect(document.activeElement).toBe(document.body);
    const card = byRole(root, 'group', 'Permission: Edit');
    card.scrollIntoView = () => undefined;
    page.app.focus({ askId: 'ask-1' });
    expect(document.activeElement).toBe(card);
  });
});

describe('a half-filled card', () => {
  it('comes back as it was left when its row was scrolled away', () => {
    const root = settled({ ...shellTool, ask: { ...shellAsk, askId: 'kept' } });
    type(byRole(root, 'textbox', 'Command to run'), 'echo kept');
    type(byRole(root, 'textbox', 'Tell the agent why'), 'because');
    page.show(null);
    settled({ ...shellTool, ask: { ...shellAsk, askId: 'kept' } });
    const values = allByRole(root, 'textbox').map(field => (field instanceof HTMLTextAreaElement ? field.value : ''));
    expect(values).toEqual(['echo kept', 'because']);
  });

  it('is not mixed up with the next question about the same tool', () => {
    const root = settled({ ...shellTool, ask: { ...shellAsk, askId: 'one' } });
    type(byRole(root, 'textbox', 'Command to run'), 'echo one');
    settled({ ...shellTool, ask: { ...shellAsk, askId: 'two' } });
    expect(byRole(root, 'textbox', 'Command to run')).toHaveProperty('value', 'npm test -- client');
  });
});

describe('an answered card', () => {
  it('becomes a line that says how it was answered, and keeps the keyboard', () => {
    const root = settled(editTool);
    byRole(root, 'button', 'Allow').focus();
    const { ask: _, ...rest } = editTool;
    show({ ...rest, status: 'running', answered: { decision: 'allowed' } });
    expect(root.querySelector('.ask')).toBeNull();
    expect(root.textContent).toContain('Allowed');
    expect(document.activeElement).toBe(root.querySelector('button.tool-toggle'));
  });
});

describe('a question card', () => {
  it('has the names others rely on', () => {
    const card = byRole(settled(questionTool), 'group', 'Question');
    expect(allByRole(card, 'radio').map(nameOf)).toEqual(['The last one', 'All of them']);
    expect(allByRole(card, 'checkbox').map(nameOf)).toEqual(['Unit', 'End to end']);
    expect(allByRole(card, 'textbox').map(nameOf)).toEqual(['Other', 'Other']);
    expect(byRole(card, 'button', 'Answer').hasAttribute('disabled')).toBe(true);
  });

  it('answers by the text of the question, several choices joined', () => {
    const root = settled({ ...questionTool, ask: { ...questionAsk, askId: 'q1' } });
    click(byRole(root, 'radio', 'All of them'));
    click(byRole(root, 'checkbox', 'End to end'));
    click(byRole(root, 'checkbox', 'Unit'));
    type(allByRole(root, 'textbox')[1] ?? root, 'by hand');
    click(byRole(root, 'button', 'Answer'));
    expect(answers()).toEqual([
      {
        type: 'answers',
        answers: {
          'Which error should the caller see?': 'All of them',
          'Where does it need a test?': 'Unit, End to end, by hand',
        },
      },
    ]);
  });

  it('takes free text instead of a choice', () => {
    const root = settled({ ...questionTool, ask: { ...questionAsk, askId: 'q2' } });
    click(byRole(root, 'radio', 'All of them'));
    type(allByRole(root, 'textbox')[0] ?? root, 'None');
    expect(allByRole(root, 'radio').some(radio => radio instanceof HTMLInputElement && radio.checked)).toBe(false);
    click(byRole(root, 'button', 'Answer'));
    expect(answers()).toEqual([{ type: 'answers', answers: { 'Which error should the caller see?': 'None' } }]);
  });

  it('shows the preview of what is chosen', () => {
    const root = settled({ ...questionTool, ask: { ...questionAsk, askId: 'q3' } });
    expect(root.textContent).not.toContain('errors.at(-1)');
    click(byRole(root, 'radio', 'The last one'));
    expect(root.textContent).toContain('errors.at(-1)');
  });

  it('can be skipped', () => {
    click(byRole(settled({ ...questionTool, ask: { ...questionAsk, askId: 'q4' } }), 'button', 'Skip'));
    expect(answers()).toEqual([{ type: 'answers', answers: {} }]);
  });
});

describe('a plan card', () => {
  it('is approved as it is, in the mode that was chosen', () => {
    const root = settled(planTool);
    const mode = byRole(root, 'combobox', 'Mode after approval');
    if (!(mode instanceof HTMLSelectElement)) throw new Error('Not a choice');
    expect([...mode.options].map(option => option.value)).toEqual(['default', 'acceptEdits']);
    void act(() => {
      mode.value = 'acceptEdits';
      mode.dispatchEvent(new Event('change', { bubbles: true }));
    });
    click(byRole(byRole(root, 'group', 'Plan'), 'button', 'Approve plan'));
    expect(answers()).toEqual([{ type: 'plan', mode: 'acceptEdits' }]);
  });

  it('is approved with the changes that were made to it', () => {
    const root = settled({ ...planTool, ask: { ...planAsk, askId: 'p1' } });
    click(byRole(root, 'button', 'Edit plan'));
    type(byRole(root, 'textbox', 'Plan as text'), '# Other plan');
    click(byRole(root, 'button', 'Show plan'));
    expect(byRole(root, 'heading', 'Other plan')).toBeTruthy();
    click(byRole(root, 'button', 'Approve plan'));
    expect(answers()).toEqual([{ type: 'plan', plan: '# Other plan', mode: 'default' }]);
  });

  it('goes back to planning only with a word of what should change', () => {
    const root = settled({ ...planTool, ask: { ...planAsk, askId: 'p2' } });
    click(byRole(root, 'button', 'Keep planning'));
    expect(answers()).toEqual([]);
    expect(root.textContent).toContain('Say what should change');
    type(byRole(root, 'textbox', 'What should change'), 'Also the queue');
    click(byRole(root, 'button', 'Keep planning'));
    expect(answers()).toEqual([{ type: 'deny', reason: 'Also the queue', stop: false }]);
  });

  it('goes back to planning without a word when the plan was changed in the document', () => {
    const changed = { ...planTool, card: { ...plan, edited: true }, ask: { ...planAsk, askId: 'p3' } };
    click(byRole(settled(changed), 'button', 'Keep planning'));
    expect(answers()).toEqual([{ type: 'deny', reason: '', stop: false }]);
  });

  it('goes back to planning with the changes that were made on the card', () => {
    const root = settled({ ...planTool, ask: { ...planAsk, askId: 'p4' } });
    click(byRole(root, 'button', 'Edit plan'));
    type(byRole(root, 'textbox', 'Plan as text'), '# Other plan');
    click(byRole(root, 'button', 'Keep planning'));
    expect(answers()).toEqual([{ type: 'deny', reason: '', stop: false, plan: '# Other plan' }]);
  });
});
