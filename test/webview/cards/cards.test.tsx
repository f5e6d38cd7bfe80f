import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ToolView } from '../../../src/bridge/viewItem.ts';
import { ToolCardView } from '../../../webview/cards/toolCard.tsx';
import { byRole, click, mount } from './mount.tsx';
import type { Mounted } from './mount.tsx';
import { edit, mcp, pixel, plan, questions, shell, tool } from './samples.ts';

let page: Mounted;
beforeEach(() => (page = mount()));
afterEach(() => page.dispose());

function show(item: ToolView): HTMLElement {
  page.show(<ToolCardView tool={item} />);
  return page.root;
}

function toggle(): HTMLButtonElement {
  const button = page.root.querySelector<HTMLButtonElement>('button.tool-toggle');
  if (!button) throw new Error('Nothing to open');
  return button;
}

describe('a finished tool', () => {
  it('is one line that opens and closes', () => {
    show(tool('Edit', edit));
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
    expect(page.root.querySelector('.diff')).toBeNull();
    click(toggle());
    expect(toggle().getAttribute('aria-expanded')).toBe('true');
    expect(page.root.querySelectorAll('.diff-line')).toHaveLength(6);
    click(toggle());
    expect(page.root.querySelector('.diff')).toBeNull();
  });

  it('stays open when its row was taken out of the page and put back', () => {
    const item = tool('Edit', edit);
    show(item);
    click(toggle());
    page.show(null);
    show(item);
    expect(page.root.querySelector('.diff')).not.toBeNull();
  });

  it('says how it was answered', () => {
    expect(show(tool('Edit', edit, { answered: { decision: 'allowedWithChanges' } })).textContent).toContain(
      'Accepted with your changes',
    );
  });

  it('says of a plan that was not approved that the planning goes on', () => {
    for (const answered of [{}, { answered: { decision: 'denied' } as const }]) {
      const row = show(tool('ExitPlanMode', plan, { status: 'denied', ...answered }));
      expect(row.textContent).toContain('Kept planning');
      expect(row.textContent).not.toContain('Denied');
    }
  });

  it('that failed says what went wrong without being opened', () => {
    const root = show(tool('Edit', edit, { status: 'failed', error: 'Not found in src/a.ts:3' }));
    expect(root.textContent).toContain('Not found in src/a.ts:3');
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
  });
});

describe('an edit', () => {
  it('shows numbers, signs and counts, and opens the file at its place', () => {
    const root = show(tool('Edit', edit));
    expect(root.textContent).toContain('+3−1');
    click(toggle());
    const lines = [...root.querySelectorAll('.diff-line')].map(line =>
      [...line.children].map(part => part.textContent),
    );
    expect(lines[1]).toEqual(['13', '+', '  maxTries?: number;']);
    expect(lines[3]).toEqual(['42', '−', '  while (true) {']);
    click(byRole(root, 'link', 'src/client.ts'));
    click(byRole(root, 'link', 'line 42'));
    expect(page.said.slice(-2)).toEqual([
      { type: 'openFile', path: '/project/src/client.ts', line: 12 },
      { type: 'openFile', path: '/project/src/client.ts', line: 42 },
    ]);
  });

  it('folds a long diff and says what the host left out', () => {
    const lines = Array.from(
      { length: 100 },
      (_, index) => ({ type: 'added', newLine: index + 1, text: `${index}` }) as const,
    );
    const root = show(tool('Write', { ...edit, created: true, hunks: [{ line: 1, lines }], omittedLines: 500 }));
    click(toggle());
    expect(root.querySelectorAll('.diff-line')).toHaveLength(40);
    click(byRole(root, 'button', 'Show more · 60 more lines'));
    expect(root.querySelectorAll('.diff-line')).toHaveLength(100);
    expect(root.textContent).toContain('500 more lines');
  });
});

describe('a command', () => {
  it('is open when it failed, with its exit code and without terminal escapes', () => {
    const output = { text: '\u001b[31mred\u001b[0m at src/a.ts:3:1\n10%\r100%', omitted: 0 };
    const root = show(tool('Bash', { ...shell, output, exitCode: 2 }, { status: 'failed' }));
    expect(root.textContent).toContain('exit code 2');
    expect(byRole(root, 'group', 'Output').textContent).toBe('red at src/a.ts:3:1\n100%');
    click(byRole(root, 'link', 'src/a.ts:3:1'));
    expect(page.said.at(-1)).toEqual({ type: 'openFile', path: 'src/a.ts', line: 3, column: 1 });
  });

  it('shows the beginning of a long output and reads the whole on demand', async () => {
    const text = Array.from({ length: 50 }, (_, index) => `line ${index}`).join('\n');
    const item = tool('Bash', { ...shell, exitCode: 0, output: { text, omitted: 1000 } });
    const root = show(item);
    click(toggle());
    expect(byRole(root, 'group', 'Output').textContent.split('\n')).toHaveLength(12);
    page.answerWith(`${text}\nthe end`);
    click(byRole(root, 'button', 'Show more'));
    await expect.poll(() => byRole(root, 'group', 'Output').textContent).toContain('the end');
    expect(page.asked).toEqual([JSON.stringify({ name: 'readFull', itemId: item.id, part: 'output' })]);
    page.show(null);
    show(item);
    await expect.poll(() => byRole(root, 'group', 'Output').textContent).toContain('the end');
    click(byRole(root, 'button', 'Show less'));
    expect(byRole(root, 'group', 'Output').textContent.split('\n')).toHaveLength(12);
  });

  it('opens when it turns out to have failed, unless somebody has closed it', () => {
    const running = tool('Bash', shell, { status: 'running' });
    show(running);
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
    const output = { text: 'boom', omitted: 0 };
    const failed = tool('Bash', { ...shell, output, exitCode: 1 }, { id: running.id, status: 'failed' });
    expect(show(failed).textContent).toContain('boom');
    click(toggle());
    page.show(null);
    show(failed);
    expect(toggle().getAttribute('aria-expanded')).toBe('false');
  });

  it('says so when there was no output', () => {
    const root = show(tool('Bash', { ...shell, exitCode: 0 }));
    click(toggle());
    expect(root.textContent).toContain('No output');
  });
});

describe('a change of the checklist', () => {
  it('is a closed line that says how far the list was, and opens to the list as it was then', () => {
    const entries = [
      { text: 'one', state: 'completed' },
      { text: 'two', state: 'pending' },
    ] as const;
    const root = show(tool('TodoWrite', { type: 'step', change: 'written', entries }));
    expect(root.textContent).toContain('1 of 2 done');
    expect(root.textContent).not.toContain('two');
    click(toggle());
    expect(root.textContent).toContain('two');
    expect(byRole(page.root, 'img', 'to do')).toBeTruthy();
  });

  it('names the step where it knows only that', () => {
    const root = show(tool('TaskUpdate', { type: 'step', change: 'done', text: 'Cap the retries', entries: [] }));
    expect(root.textContent).toContain('Step done');
    expect(root.textContent).toContain('Cap the retries');
  });
});

describe('a subagent', () => {
  const card = {
    type: 'agent',
    description: 'Look around',
    prompt: { text: 'Look.', omitted: 0 },
    taskId: 'task-1',
    toolUses: 3,
    tokens: 1200,
    lastTool: 'Grep',
    background: false,
  } as const;

  it('shows its progress and can be stopped', () => {
    const root = show(tool('Agent', card, { status: 'running' }));
    expect(root.textContent).toContain('3 tool uses · 1,200 tokens · Grep');
    click(byRole(root, 'button', 'Stop task'));
    expect(page.said.at(-1)).toEqual({ type: 'stopTask', taskId: 'task-1' });
  });

  it('holds its own steps, and shows a question of one even when it is closed', () => {
    const parent = tool('Agent', card, { status: 'running' });
    const quiet = { ...tool('Bash', { ...shell, command: 'ls quietly' }), parent: parent.id };
    const asking = {
      ...tool('Bash', shell, {
        status: 'pending',
        ask: {
          askId: 'a',
          kind: 'permission',
          title: 'Run',
          oneClick: true,
          suggestAllow: false,
          hasDiff: false,
          always: [],
          fromSubagent: true,
        },
      }),
      parent: parent.id,
    };
    void act(() => page.put(parent, quiet, asking));
    const root = show(parent);
    expect(byRole(root, 'group', 'Permission: Bash')).toBeTruthy();
    expect(root.textContent).not.toContain('ls quietly');
    click(toggle());
    expect(root.textContent).toContain('ls quietly');
    expect(root.querySelectorAll('.ask')).toHaveLength(1);
  });
});

describe('other tools', () => {
  it('show a picture that was read', () => {
    const root = show(tool('Read', { type: 'read', file: { label: 'a.png', path: '/a.png' }, image: pixel }));
    expect(byRole(root, 'img', 'Image from a.png')).toBeTruthy();
  });

  it('name the server, what went in and what came out', () => {
    const root = show(tool('create_issue', { ...mcp, output: { text: '{ "id": 7 }', omitted: 0 } }));
    expect(toggle().textContent).toBe('tracker');
    click(toggle());
    expect(byRole(root, 'group', 'Input').textContent).toContain('Retries never end');
    expect(byRole(root, 'group', 'Output').textContent).toContain('"id": 7');
  });

  it('show the answers that were given', () => {
    const root = show(
      tool('AskUserQuestion', { ...questions, answers: { 'Which error should the caller see?': 'All of them' } }),
    );
    expect(root.textContent).toContain('All of them');
    click(toggle());
    expect(root.textContent).toContain('Skipped');
  });

  it('list what a search found, with links', () => {
    const root = show(tool('Grep', { type: 'search', query: 'retry', matches: 2, files: [edit.file] }));
    expect(root.textContent).toContain('2 matches');
    click(toggle());
    expect(byRole(root, 'link', 'src/client.ts:12')).toBeTruthy();
  });
});
