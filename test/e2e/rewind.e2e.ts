import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { say, tool } from '../support/model/script.ts';
import type { ScriptedModel } from '../support/model/scriptedModel.ts';
import type { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import type { Project } from './support/project.ts';
import type { Workbench } from './support/workbench.ts';

const edited = 'return `Good day, ${name}!`;';

test.describe('A rewind', () => {
  test.beforeEach(async ({ project }) => {
    await project.allowTools('Edit', 'Write', 'Bash');
  });

  test('shows what will change, takes the files back, and can be undone', async ({ model, project, workbench }) => {
    const chat = await twoTurns(model, project, workbench);
    const original = await readFile(greetOf(project), 'utf8');

    await pressRewind(chat, 'Be polite.');

    await expect(workbench.page.getByRole('tab', { name: /Rewind to “Be polite/ })).toBeVisible();
    await expect(row(workbench, 'Files and conversation')).toBeVisible();
    await expect(row(workbench, 'Conversation only')).toBeVisible();
    await expect.poll(() => workbench.diffText('original')).toContainEqual(expect.stringContaining('Good day'));
    await row(workbench, 'Files only').click();
    // The shell's file is not undone by the rewind, and the person is asked about it.
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');

    await expect(chat.log.getByText('2 files taken back', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toContain('Hello, ${name}!');
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(false);
    expect(existsSync(path.join(project.folder, 'by-shell.txt'))).toBe(true);
    await expect(workbench.page.getByRole('tab', { name: /Rewind to/ })).toBeHidden();

    model.enqueue(say('I see.'));
    await chat.prompt('Go on.');
    await expect(chat.answers.last()).toContainText('I see.');
    const heard = JSON.stringify(model.conversation.at(-1)?.messages);
    expect(heard).toContain('The user took these files back');
    expect(heard).toContain('src/greet.ts');

    await chat.log.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(chat.log.getByText('Rewind undone', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toBe(original);
    expect(await readFile(path.join(project.folder, 'NOTES.md'), 'utf8')).toBe('# Notes\n');
  });

  test('can take the conversation back too, in a branch', async ({ model, project, workbench }) => {
    const chat = await twoTurns(model, project, workbench);

    await pressRewind(chat, 'Write notes.');
    await row(workbench, 'Files and conversation').click();
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');

    await expect(chat.composer).toHaveValue('Write notes.');
    await expect(chat.prompts).toHaveCount(1);
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(false);
    expect(await readFile(greetOf(project), 'utf8')).toContain(edited);
  });

  test('can be undone after the window was reloaded', async ({ model, project, workbench }) => {
    const chat = await twoTurns(model, project, workbench);
    await pressRewind(chat, 'Be polite.');
    await row(workbench, 'Files only').click();
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');
    await expect(chat.log.getByText('2 files taken back', { exact: false })).toBeVisible();

    await workbench.reload();
    const again = await workbench.openChat();
    await expect(again.log.getByText('2 files taken back', { exact: false })).toBeVisible();
    await workbench.runCommand('Handrail: Undo Rewind');

    await expect(again.log.getByText('Rewind undone', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toContain(edited);
  });

  test('shows 500 files in one preview, and how long that took is written down', async ({
    model,
    project,
    workbench,
  }, info) => {
    test.slow();
    const writes = Array.from({ length: 500 }, (_, at) =>
      tool('Write', { file_path: path.join(project.folder, 'many', `${at}.txt`), content: `${at}\n` }),
    );
    model.enqueue(writes, say('All written.'));
    const chat = await workbench.openChat();
    await chat.prompt('Write many.');
    await expect(chat.answers.last()).toContainText('All written.', { timeout: 120_000 });
    await chat.idle();

    await workbench.runCommand('Handrail: Rewind Files…');
    await expect(row(workbench, '500 files')).toBeVisible();

    const start = Date.now();
    await row(workbench, 'Write many.').click();
    await expect(workbench.page.getByRole('tab', { name: /Rewind to “Write many/ })).toBeVisible();
    await expect(row(workbench, 'Files only')).toBeVisible();
    const took = Date.now() - start;

    info.annotations.push({ type: 'measured', description: `${took} ms to the preview of 500 files` });
    await workbench.page.keyboard.press('Escape');
  });

  test('is offered where a changed file is, and a turn can be reviewed', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    await twoTurns(model, project, workbench);
    await editor.bridge.run(async (api, file) => {
      await api.window.showTextDocument(api.Uri.file(file));
    }, greetOf(project));

    await workbench.page
      .getByRole('button', { name: /^Rewind Files/ })
      .first()
      .click();
    await expect(row(workbench, 'Be polite.')).toBeVisible();
    await expect(row(workbench, 'Write notes.')).toBeHidden();
    await workbench.page.keyboard.press('Escape');

    await workbench.runCommand('Handrail: Review Changed Files');
    await row(workbench, 'Whole session').click();
    await expect(workbench.page.getByRole('tab', { name: /Review of the whole session/ })).toBeVisible();
    await expect.poll(() => workbench.diffText('original')).toContainEqual(expect.stringContaining('Hello,'));
  });
});

function greetOf(project: Project): string {
  return path.join(project.folder, 'src', 'greet.ts');
}

function row(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
}

/** The buttons of a message come into view with the pointer. */
async function pressRewind(chat: Chat, prompt: string): Promise<void> {
  const message = chat.prompts.filter({ hasText: prompt });
  await message.hover();
  await message.getByRole('button', { name: 'Rewind files to here' }).click();
}

/** An edit; then a new file, and one that the shell makes. */
async function twoTurns(model: ScriptedModel, project: Project, workbench: Workbench): Promise<Chat> {
  const file_path = greetOf(project);
  model.enqueue(
    [tool('Read', { file_path })],
    [tool('Edit', { file_path, old_string: 'return `Hello, ${name}!`;', new_string: edited })],
    say('Polite now.'),
    [tool('Write', { file_path: path.join(project.folder, 'NOTES.md'), content: '# Notes\n' })],
    [tool('Bash', { command: 'echo shell > by-shell.txt', description: 'make a file' })],
    say('Noted.'),
  );
  const chat = await workbench.openChat();
  await chat.prompt('Be polite.');
  await expect(chat.answers.last()).toContainText('Polite now.');
  await chat.idle();
  await chat.prompt('Write notes.');
  await expect(chat.answers.last()).toContainText('Noted.');
  await chat.idle();
  return chat;
}
