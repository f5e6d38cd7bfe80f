import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { workbenchUrl } from '../support/vscode/server.mjs';
import { Gate } from '../support/model/gate.ts';
import { say } from '../support/model/script.ts';
import { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import { allEnded } from './support/processes.ts';
import { until } from './support/waiting.ts';
import type { Workbench } from './support/workbench.ts';

/** The box of VS Code that asks for something, by what is in it. */
function box(page: Page, text: string): Locator {
  return page.locator('.quick-input-widget:visible').filter({ hasText: text });
}

/** A question that VS Code puts before everything else. */
function dialog(page: Page): Locator {
  return page.locator('.monaco-dialog-box');
}

async function tabWith(page: Page, prompt: string): Promise<Chat> {
  return until(`a tab with “${prompt}”`, async () => {
    const chat = await Chat.find(page, 'editor');
    return (await chat.prompts.filter({ hasText: prompt }).count()) > 0 ? chat : undefined;
  });
}

async function exportTo(workbench: Workbench, file: string): Promise<void> {
  const { page } = workbench;
  await workbench.runCommand('handrail.exportSession');
  const input = page.locator('.quick-input-widget:visible .quick-input-box input');
  await expect(input).toHaveValue(/worth-keeping/);
  // It reads the folder while one types, and takes no answer meanwhile.
  await expect(async () => {
    await input.fill(file);
    await page.keyboard.press('Enter');
    await expect(input).toBeHidden({ timeout: 2_000 });
  }).toPass();
}

test.describe('A turn that runs', () => {
  test('is not ended by a new session: that one opens beside it, or nothing happens', async ({
    model,
    workbench,
    editor,
    page,
  }) => {
    const gate = new Gate();
    model.enqueue(say('Half of it, ', gate, 'and the rest.'));
    const chat = await workbench.openChat();
    await chat.prompt('Work on');
    await expect(chat.answers.last()).toContainText('Half of it');
    const [agent] = await editor.processes.claude();

    await workbench.runCommand('handrail.newSession');
    await expect(dialog(page)).toContainText('still at work');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await expect(chat.answers.last()).toContainText('Half of it');

    await workbench.runCommand('handrail.newSession');
    await dialog(page).getByRole('button', { name: 'Open in Editor Tab' }).click();
    const tab = await Chat.find(page, 'editor');
    await expect(tab.composer).toBeVisible();
    await expect(tab.prompts).toHaveCount(0);
    gate.open();
    await expect(chat.answers.last()).toContainText('and the rest.');
    await chat.idle();
    expect(await editor.processes.claude()).toContainEqual(agent);

    // The buttons of the side bar mean the side bar, whatever tab is in front.
    await page.locator('.part.auxiliarybar').getByRole('button', { name: 'Continue a Session…' }).click();
    await expect(box(page, 'Work on')).toContainText('open');
    await page.keyboard.press('Escape');
    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    await expect(dialog(page)).toBeHidden();
  });
});

test.describe('Agents', () => {
  test.use({ machine: { 'handrail.claude.idleTimeoutMinutes': 0.05 } });

  test('that nobody talks to are stopped, and the next prompt goes on where they were', async ({
    model,
    workbench,
    editor,
  }) => {
    model.enqueue(say('The first answer.'), say('The second answer.'));
    const chat = await workbench.openChat();
    await chat.prompt('One question');
    await expect(chat.answers.last()).toContainText('The first answer.');
    await chat.idle();
    await until('the end of the idle agent', async () =>
      (await editor.processes.claude()).length === 0 ? true : undefined,
    );
    // No spinner, no card: it only rests.
    await expect(chat.stop).toBeHidden();
    await expect(chat.error).toBeHidden();
    await chat.prompt('Another question');
    await expect(chat.answers.last()).toContainText('The second answer.');
    expect(JSON.stringify(model.requests.at(-1))).toContain('The first answer.');
  });
});

test.describe('An agent', () => {
  test('that dies three times in a row is not started again until somebody says so', async ({
    model,
    workbench,
    editor,
  }) => {
    const chat = await workbench.openChat();
    for (const nth of ['first', 'second', 'third']) {
      model.enqueue(say(`The ${nth} half, `, new Gate(), 'never the rest.'));
      await chat.prompt(`The ${nth} try`);
      await expect(chat.answers.last()).toContainText(`The ${nth} half`);
      const agents = await editor.processes.claude();
      for (const { pid } of agents) process.kill(pid, 'SIGKILL');
      await allEnded(agents);
      await expect(chat.error).toContainText('in the middle of a turn');
      await expect(chat.stop).toBeHidden();
    }
    await expect(chat.error).toContainText('3 times');
    await chat.prompt('The fourth try');
    await expect(chat.composer).toHaveValue('The fourth try');
    expect(await editor.processes.claude()).toEqual([]);
    model.enqueue(say('Up again.'));
    await chat.button('Restart').click();
    await chat.send.click();
    await expect(chat.answers.last()).toContainText('Up again.');
  });
});

test.describe('A session', () => {
  test('is exported as Markdown and as JSON', async ({ model, project, workbench }) => {
    model.enqueue(say('An answer worth keeping.'));
    const chat = await workbench.openChat();
    await chat.prompt('A question worth keeping');
    await expect(chat.answers.last()).toContainText('An answer worth keeping.');
    await chat.idle();
    for (const name of ['kept.md', 'kept.json']) {
      const target = path.join(project.folder, name);
      await exportTo(workbench, target);
      await expect(workbench.notification('The session was exported.').first()).toBeVisible();
      await until(`the file ${name}`, () => readFile(target, 'utf8').catch(() => undefined));
    }
    const markdown = await readFile(path.join(project.folder, 'kept.md'), 'utf8');
    expect(markdown).toMatch(/^# .+/);
    expect(markdown).toContain('## You\n\nA question worth keeping');
    expect(markdown).toContain('## Agent\n\nAn answer worth keeping.');
    const json: unknown = JSON.parse(await readFile(path.join(project.folder, 'kept.json'), 'utf8'));
    expect(json).toMatchObject({ format: 'handrail-session', version: 1, corruptLines: 0 });
  });

  test('that is damaged still opens and exports, and says how much of it is missing', async ({
    model,
    project,
    workbench,
  }) => {
    model.enqueue(say('An answer worth keeping.'));
    const chat = await workbench.openChat();
    await chat.prompt('A question worth keeping');
    await expect(chat.answers.last()).toContainText('An answer worth keeping.');
    await chat.idle();
    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    const projects = path.join(project.home, '.claude', 'projects');
    const transcript = (await readdir(projects, { recursive: true })).find(name => name.endsWith('.jsonl'));
    const file = path.join(projects, transcript ?? '');
    const lines = (await readFile(file, 'utf8')).split('\n');
    const answer = lines.findIndex(line => line.includes('"type":"assistant"'));
    await writeFile(file, lines.toSpliced(answer, 0, '{"type":"assistant","uuid":"cut in the mid').join('\n'));

    await workbench.runCommand('handrail.continueSession');
    await expect(chat.answers.last()).toContainText('An answer worth keeping.');
    await expect(chat.error).toContainText('1 damaged line of this session could not be read');
    await expect(chat.stop).toBeHidden();
    const target = path.join(project.folder, 'damaged.md');
    await exportTo(workbench, target);
    await expect(workbench.notification('without 1 damaged line')).toBeVisible();
    expect(await readFile(target, 'utf8')).toContain('An answer worth keeping.');
  });

  test('goes to a window of its own with its tab, with the words that were typed', async ({
    model,
    workbench,
    page,
  }) => {
    model.enqueue(say('Half of it, ', new Gate(), 'never the rest.'));
    const chat = await workbench.openChatInEditor();
    await chat.prompt('A tab that moves');
    await expect(chat.answers.last()).toContainText('Half of it');
    await chat.composer.fill('Words not sent');
    const popup = page.waitForEvent('popup');
    await workbench.runCommand('workbench.action.moveEditorToNewWindow');
    const moved = await tabWith(await popup, 'A tab that moves');
    await expect(moved.answers.last()).toContainText('Half of it');
    await expect(moved.stop).toBeVisible();
    await expect(moved.composer).toHaveValue('Words not sent');
    await moved.stop.click();
    await moved.idle();
  });

  test('branches off after one of its messages, and the diagnosis says what works', async ({
    model,
    workbench,
    page,
  }) => {
    model.enqueue(say('Answer one.'), say('Answer two.'), say('Another answer two.'));
    const chat = await workbench.openChat();
    for (const word of ['one', 'two']) {
      await chat.prompt(`Question ${word}`);
      await expect(chat.answers.last()).toContainText(`Answer ${word}.`);
      await chat.idle();
    }
    await chat.answers.first().hover();
    await chat.answers.first().getByRole('button', { name: /fork/i }).click();
    const fork = await tabWith(page, 'Question one');
    await expect(fork.answers).toHaveCount(1);
    await fork.prompt('Another question two');
    await expect(fork.answers.last()).toContainText('Another answer two.');
    expect(JSON.stringify(model.requests.at(-1))).not.toContain('Question two"');
    await expect(chat.prompts).toHaveCount(2);

    await workbench.runCommand('handrail.diagnose');
    await expect(workbench.notification('The diagnosis is ready.')).toBeVisible();
    await expect(page.locator('.part.editor .view-lines').first()).toContainText('2.1.326');
  });

  test('of a window with several folders works in the one that was picked', async ({
    model,
    project,
    editor,
    workbench,
    page,
  }) => {
    const other = path.join(project.root, 'other');
    await mkdir(other);
    const file = path.join(project.root, 'both.code-workspace');
    await writeFile(file, JSON.stringify({ folders: [{ path: 'greeter' }, { path: 'other' }] }));
    await editor.bridge.hostPid();
    await page.goto(await workbenchUrl(new URL(editor.url).host, file));
    await page.locator('.monaco-workbench .part.statusbar').waitFor();
    await editor.bridge.renewed();
    await workbench.runCommand('handrail.newSessionInEditor');
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'other' }).click();
    model.enqueue(say('Here I am.'));
    const chat = await Chat.find(page, 'editor');
    await chat.prompt('Where are you?');
    await expect(chat.answers.last()).toContainText('Here I am.');
    await chat.idle();
    await workbench.runCommand('handrail.showProcesses');
    await expect(box(page, 'Where are you?')).toContainText(other);
  });
});
