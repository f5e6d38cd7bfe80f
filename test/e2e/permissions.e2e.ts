import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { Gate } from '../support/model/gate.ts';
import { say, tool, wait } from '../support/model/script.ts';
import type { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import type { Project } from './support/project.ts';
import type { Workbench } from './support/workbench.ts';
import { until } from './support/waiting.ts';

const BEFORE = Array.from({ length: 40 }, (_, at) => `line ${at + 1}`);

/** Three places far enough apart to be three hunks. */
const PROPOSED = BEFORE.map((line, at) => {
  if (at === 4) return 'line five, rewritten by the agent';
  if (at === 19) return 'line twenty, rewritten by the agent';
  if (at === 34) return 'line thirty-five, rewritten by the agent';
  return line;
});

async function proposeWrite(project: Project): Promise<string> {
  const file = path.join(project.folder, 'src', 'lines.txt');
  await writeFile(file, `${BEFORE.join('\n')}\n`);
  return file;
}

function write(file: string) {
  return tool('Write', { file_path: file, content: `${PROPOSED.join('\n')}\n` });
}

/** The CLI writes over a file only after the model has read it. */
const reading = (file: string) => tool('Read', { file_path: file });

const diff = (page: Page) => page.locator('.monaco-diff-editor');
const diffTab = (page: Page) => page.locator('.tabs-container .tab').filter({ hasText: 'proposal (Handrail)' });

async function ask(chat: Chat): Promise<void> {
  await chat.prompt('Change the three lines.');
  await expect(chat.permission('Write')).toBeVisible();
}

/** Puts the cursor behind a text on the right side of the diff and types. */
async function typeBehind(workbench: Workbench, text: string, typed: string): Promise<void> {
  const { page } = workbench;
  const line = page.locator('.monaco-diff-editor .editor.modified .view-line').filter({ hasText: text });
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.type(typed);
}

test.describe('A proposal', () => {
  test('is written as the person left it, and the agent is told', async ({ model, project, workbench }) => {
    const file = await proposeWrite(project);
    model.enqueue(reading(file), write(file), say('Thank you.'));
    const chat = await workbench.openChat();
    await ask(chat);
    const card = chat.permission('Write');

    await expect(diff(workbench.page)).toBeVisible();
    await expect(card.getByRole('checkbox', { name: /Hunk at line/ })).toHaveCount(3);
    await expect(async () => {
      await card.getByRole('checkbox', { name: 'Hunk at line 20' }).click({ timeout: 2_000 });
      await expect(card.getByRole('checkbox', { name: 'Hunk at line 20' })).not.toBeChecked({ timeout: 1_000 });
    }).toPass();
    await expect.poll(() => workbench.diffText('modified')).toContain('line 20');
    await typeBehind(workbench, 'line five, rewritten by the agent', ' and by me');
    await expect(card.getByText('changed by you')).toBeVisible();
    await chat.answer('Write', 'Allow');

    await expect(chat.answers.last()).toContainText('Thank you.');
    const expected = PROPOSED.map((line, at) => (at === 4 ? `${line} and by me` : at === 19 ? 'line 20' : line));
    expect(await readFile(file, 'utf8')).toBe(`${expected.join('\n')}\n`);
    await expect(chat.article('Write')).toContainText('Accepted with your changes');
    const told = JSON.stringify(model.conversation.at(-1)?.messages);
    expect(told).toContain('+line five, rewritten by the agent and by me');
    expect(told).toContain('+line 20');
    await expect(diffTab(workbench.page)).toHaveCount(0);
    await expect(workbench.page.locator('.monaco-dialog-box')).toHaveCount(0);
  });

  test('stays a question when its tab is closed, and opens again on request', async ({ model, project, workbench }) => {
    const file = await proposeWrite(project);
    model.enqueue(reading(file), write(file), say('Done.'));
    const chat = await workbench.openChat();
    await ask(chat);
    await expect(diff(workbench.page)).toBeVisible();

    await diffTab(workbench.page).click({ button: 'middle' });
    await expect(diffTab(workbench.page)).toHaveCount(0);

    await expect(chat.permission('Write')).toBeVisible();
    await expect(workbench.statusBarItem('1 question waiting')).toBeVisible();
    await workbench.runCommand('handrail.showProposal');
    await expect(diff(workbench.page)).toBeVisible();
    await chat.answer('Write', 'Deny');
    await expect(diffTab(workbench.page)).toHaveCount(0);
    expect(await readFile(file, 'utf8')).toBe(`${BEFORE.join('\n')}\n`);
  });

  test('is accepted and rejected in the title of the diff', async ({ model, project, workbench }) => {
    const file = await proposeWrite(project);
    model.enqueue(reading(file), write(file), say('One.'), write(file), say('Two.'));
    const chat = await workbench.openChat();
    await ask(chat);
    await expect(diff(workbench.page)).toBeVisible();
    const action = (name: string) => workbench.page.locator('.editor-actions').getByRole('button', { name }).first();
    const press = async (name: string): Promise<void> => {
      await expect(async () => {
        if (await chat.permission('Write').isVisible()) await action(name).click({ timeout: 2_000 });
        await expect(chat.permission('Write')).toBeHidden({ timeout: 1_000 });
      }).toPass();
    };

    await press('Reject Proposal');
    await expect(chat.answers.last()).toContainText('One.');
    expect(await readFile(file, 'utf8')).toBe(`${BEFORE.join('\n')}\n`);
    await ask(chat);
    await expect(diff(workbench.page)).toBeVisible();
    await press('Accept Proposal');
    await expect(chat.answers.last()).toContainText('Two.');

    expect(await readFile(file, 'utf8')).toBe(`${PROPOSED.join('\n')}\n`);
    await expect(diffTab(workbench.page)).toHaveCount(0);
  });

  test('follows the file when it changes on disk, and says so', async ({ model, project, workbench }) => {
    const file = await proposeWrite(project);
    model.enqueue(
      reading(file),
      tool('Edit', { file_path: file, old_string: 'line 20\n', new_string: 'line twenty\n' }),
      say('Hm.'),
    );
    const chat = await workbench.openChat();
    await chat.prompt('Change line 20.');
    await expect(chat.permission('Edit')).toBeVisible();
    await expect(diff(workbench.page)).toBeVisible();

    await writeFile(file, `first\n${BEFORE.join('\n')}\n`);

    await expect(chat.permission('Edit')).toContainText('changed on disk');
    await expect(chat.permission('Edit').getByRole('checkbox', { name: 'Hunk at line 21' })).toBeVisible();
    await writeFile(file, `${BEFORE.filter(line => line !== 'line 20').join('\n')}\n`);
    await expect(chat.permission('Edit')).toContainText('not in the file');
    await chat.answer('Edit', 'Deny');
    await expect(chat.answers.last()).toContainText('Hm.');
    await chat.idle();
  });
});

test.describe('A notification', () => {
  for (const [button, says] of [
    ['Allow', PROPOSED],
    ['Deny', BEFORE],
    ['Show Diff', BEFORE],
  ] as const) {
    test(`can be answered with ${button}`, async ({ model, project, workbench, editor }) => {
      const file = await proposeWrite(project);
      await editor.bridge.run(async api => {
        await api.workspace.getConfiguration('handrail').update('diff.open', 'onRequest', true);
      });
      // The question must come after the panel is gone, on a fast machine too.
      const hidden = new Gate();
      model.enqueue(reading(file), [wait(hidden), write(file)], say('The end.'));
      const chat = await workbench.openChat();
      await chat.prompt('Change the three lines.');
      await workbench.runCommand('workbench.action.toggleAuxiliaryBar');
      await expect(chat.composer).toBeHidden();
      hidden.open();
      const toast = workbench.notification(/Write wants to overwrite src.lines\.txt/);
      await expect(toast).toBeVisible();

      await toast.getByRole('button', { name: button, exact: true }).click();

      if (button === 'Show Diff') {
        await expect(diff(workbench.page)).toBeVisible();
        expect(model.conversation).toHaveLength(2);
      } else await until('the last request', () => (model.conversation.length === 3 ? true : undefined));
      expect(await readFile(file, 'utf8')).toBe(`${says.join('\n')}\n`);
    });
  }
});

test.describe('Never by accident', () => {
  const keys = 'y1 yes\n1y ';

  test('typing in an editor answers nothing and goes on in the editor', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const file = await proposeWrite(project);
    // The question comes to somebody who types already, however fast or slow the machine is.
    const typing = new Gate();
    model.enqueue(reading(file), [wait(typing), write(file)], say('The end.'));
    const chat = await workbench.openChat();
    await chat.composer.fill('Change the three lines.');
    await editor.bridge.run(
      async (api, name) => {
        await api.window.showTextDocument(api.Uri.file(name));
      },
      path.join(project.folder, 'README.md'),
    );
    const page = workbench.page;
    await chat.send.click();
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('Control+End');

    await page.keyboard.type(keys);
    typing.open();
    await typeUntil(page, keys, () => chat.permission('Write').isVisible());
    for (let round = 0; round < 8; round += 1) await page.keyboard.type(keys, { delay: 20 });

    await expect(chat.permission('Write')).toBeVisible();
    // The extension host hears of each key a moment after the window.
    await expect
      .poll(() => editor.bridge.run(api => api.window.activeTextEditor?.document.getText() ?? ''))
      .toMatch(new RegExp(`^# Greeter\\n[^]*\\n(?:${keys}){9,}$`));
    expect(await readFile(file, 'utf8')).toBe(`${BEFORE.join('\n')}\n`);
    await expect(diffTab(page)).toHaveCount(1);
  });

  test('typing in the composer answers nothing', async ({ model, project, workbench }) => {
    const file = await proposeWrite(project);
    model.enqueue(reading(file), write(file), say('The end.'));
    const chat = await workbench.openChat();
    await chat.prompt('Change the three lines.');
    await chat.composer.click();

    await typeUntil(workbench.page, 'y1 ', () => chat.permission('Write').isVisible());
    for (let round = 0; round < 20; round += 1) await workbench.page.keyboard.type('y1 ', { delay: 20 });

    await expect(chat.permission('Write')).toBeVisible();
    await expect(chat.composer).toHaveValue(/^(y1 )+$/);
    expect(await readFile(file, 'utf8')).toBe(`${BEFORE.join('\n')}\n`);
  });

  test('typing in a terminal answers nothing', async ({ model, project, workbench, editor }) => {
    const file = await proposeWrite(project);
    model.enqueue(reading(file), write(file), say('The end.'));
    const chat = await workbench.openChat();
    await editor.bridge.run(async api => {
      await api.commands.executeCommand('workbench.action.terminal.new');
    });
    const terminal = workbench.page.locator('.terminal-wrapper.active');
    await expect(terminal).toBeVisible();
    await chat.prompt('Change the three lines.');
    await terminal.click();

    await typeUntil(workbench.page, 'y1 ', () => chat.permission('Write').isVisible());
    for (let round = 0; round < 20; round += 1) await workbench.page.keyboard.type('y1 ', { delay: 20 });
    await workbench.page.keyboard.press('Enter');

    await expect(chat.permission('Write')).toBeVisible();
    expect(await readFile(file, 'utf8')).toBe(`${BEFORE.join('\n')}\n`);
  });
});

/** Types on and on until something has come: whatever had the keyboard is in the middle of it then. */
async function typeUntil(page: Page, keys: string, come: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 30_000;
  while (!(await come())) {
    if (Date.now() > end) throw new Error('Nothing came while typing.');
    await page.keyboard.type(keys);
  }
}
