import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Frame } from '@playwright/test';
import type { AxeResults, RunOptions } from 'axe-core';
import { Gate } from '../support/model/gate.ts';
import { say, tool } from '../support/model/script.ts';
import { servePlayground } from '../webview/playground/serve.ts';
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

test.describe('Without a mouse', () => {
  test('everything is reached in reading order, arrows walk the messages, and Escape goes back to the composer', async ({
    model,
    project,
    workbench,
    page,
  }) => {
    await project.allowTools('Bash(echo *)');
    model.enqueue(
      [say(markdown), tool('Bash', { command: 'echo hello', description: 'Greet' })],
      [say('And one that asks.'), tool('Bash', { command: 'npm run build', description: 'Build it' })],
      say('Then not.'),
    );
    const chat = await workbench.openChat();
    await chat.prompt('Greet, then build.');
    await expect(chat.permission('Bash')).toBeVisible();

    const frame = await chat.frame();
    const focused = (): Promise<string> =>
      frame.evaluate(() => {
        const active = document.activeElement;
        return active?.getAttribute('aria-label') ?? active?.textContent.trim() ?? '';
      });
    await chat.log.focus();
    await page.keyboard.press('Home');
    await expect(chat.prompts.first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(chat.answers.first()).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(chat.article('Bash').first()).toBeFocused();
    await page.keyboard.press('ArrowUp');
    await expect(chat.answers.first()).toBeFocused();

    // Tab from here to the composer and on: always further down the page, and by the names of the contract.
    const names: string[] = [];
    await frame.evaluate(() => {
      Reflect.set(globalThis, 'handrailTabs', [document.activeElement]);
      addEventListener('focusin', event => {
        const seen: unknown = Reflect.get(globalThis, 'handrailTabs');
        if (Array.isArray(seen)) seen.push(event.target);
      });
    });
    for (let press = 0; press < 40 && names.at(-1) !== 'Message the agent'; press++) {
      await page.keyboard.press('Tab');
      names.push(await focused());
    }
    expect(names).toEqual(expect.arrayContaining(['Copy message', 'Allow', 'Deny', 'Tell the agent why']));
    expect(names.at(-1)).toBe('Message the agent');
    const backwards = await frame.evaluate(() => {
      const seen: unknown = Reflect.get(globalThis, 'handrailTabs');
      const places = Array.isArray(seen) ? seen.filter(one => one instanceof Element) : [];
      return places.filter((one, at) => {
        const before = places[at - 1];
        return before !== undefined && (before.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_PRECEDING) !== 0;
      }).length;
    });
    expect(backwards).toBe(0);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(await focused()).toMatch(/^Model: /);

    await chat.permission('Bash').getByRole('button', { name: 'Deny', exact: true }).focus();
    await page.keyboard.press('Escape');
    await expect(chat.composer).toBeFocused();
    await expect(chat.permission('Bash')).toBeVisible();
    await chat.answer('Bash', 'Deny');
    await chat.idle();
  });
});

test.describe('Every card', () => {
  let playground: Awaited<ReturnType<typeof servePlayground>>;
  test.beforeAll(async () => {
    playground = await servePlayground(prepared().root);
  });
  test.afterAll(() => playground.close());

  for (const scenario of ['cards', 'asks', 'busy', 'error', 'empty']) {
    test(`has no accessibility fault in any theme: ${scenario}`, async ({ page }) => {
      // As high as everything in it, so that every row is drawn.
      await page.setViewportSize({ width: 320, height: 7000 });
      for (const theme of ['dark', 'light', 'hcDark', 'hcLight']) {
        await page.goto(`${playground.url}/?theme=${theme}&scenario=${scenario}`);
        await page.getByRole('textbox', { name: 'Message the agent' }).waitFor();
        for (let turn = 0; turn < 3; turn++) {
          const closed = page.getByRole('log').locator('button[aria-expanded="false"]:not([aria-haspopup])');
          for (const button of await closed.elementHandles()) await button.dispatchEvent('click');
        }
        expect.soft(await faults(page.mainFrame()), theme).toEqual([]);
        expect.soft(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
      }
    });
  }
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
