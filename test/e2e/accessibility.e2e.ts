import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { Gate } from '../support/model/gate.ts';
import { say, tool } from '../support/model/script.ts';
import { prepared } from './support/environment.ts';
import { expect, test } from './support/fixtures.ts';
import { themes } from './support/themes.ts';

/** What axe leaves in the page that it was evaluated in. */
declare const axe: { run: (root: Document, options: RunOptions & { iframes: boolean }) => Promise<AxeResults> };

const axeSource = readFile(path.join(prepared().root, 'node_modules/axe-core/axe.min.js'), 'utf8');

const markdown = [
  'A **bold** word, `code`, and a [link](https://example.com).',
  '',
  '1. one',
  '2. two',
  '',
  '```ts',
  'export const answer: number = 42;',
  '```',
  '',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
].join('\n');

test.describe('In every kind of theme', () => {
  test('the empty panel has no accessibility fault', async ({ workbench }) => {
    const chat = await workbench.openChat();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await chat.hasTheme(theme);
      expect.soft(await faults(await chat.frame()), theme.name).toEqual([]);
    }
  });

  test('a conversation has no accessibility fault while it runs and when it waits', async ({ model, workbench }) => {
    const half = new Gate();
    model.enqueue(
      [say(markdown), tool('Bash', { command: 'npm run build', description: 'Build it' })],
      say('Nearly ', half, 'done.'),
    );
    const chat = await workbench.openChat();
    await chat.prompt('Build it, please.');
    await expect(chat.permission('Bash')).toBeVisible();
    for (const theme of themes) {
      await workbench.setTheme(theme);
      await chat.hasTheme(theme);
      expect.soft(await faults(await chat.frame()), `${theme.name}, waiting`).toEqual([]);
    }
    await chat.answer('Bash', 'Deny');
    await half.reached;
    await expect(chat.answers.last()).toContainText('Nearly');
    expect.soft(await faults(await chat.frame()), 'running').toEqual([]);
    half.open();
    await chat.idle();
  });
});

/** What axe finds in the chat, short enough to read in a test's output. */
async function faults(frame: Frame): Promise<string[]> {
  // Evaluated, not added as a script: the policy of the page forbids foreign scripts, and that must stay so.
  await frame.evaluate(await axeSource);
  const { violations } = await frame.evaluate(async () => {
    // The panel is transparent and VS Code paints its colour behind the frame, where axe cannot see it.
    document.documentElement.style.background = 'var(--vscode-sideBar-background)';
    return axe.run(document, {
      iframes: false,
      // These are about whole pages; the chat is a part of VS Code's.
      rules: {
        region: { enabled: false },
        'landmark-one-main': { enabled: false },
        'page-has-heading-one': { enabled: false },
      },
    });
  });
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target.join(' ')} (${(node.failureSummary ?? '').replace(/\s+/g, ' ')})`),
  );
}
