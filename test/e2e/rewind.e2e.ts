import { existsSync } from 'node:fs';
import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { say, tool } from '../support/model/script.ts';
import type { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import {
  cutOffNewest,
  differences,
  edited,
  greetOf,
  makeRepository,
  threeTurns,
  treeOf,
  twoTurns,
} from './support/rewindTurns.ts';
import type { Workbench } from './support/workbench.ts';

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

  test('saves a file that is open and not saved, so that the way back has it too', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const chat = await twoTurns(model, project, workbench);
    await editor.bridge.run(async (api, file) => {
      const shown = await api.window.showTextDocument(api.Uri.file(file));
      await shown.edit(edit => edit.insert(new api.Position(0, 0), '// not saved\n'));
    }, greetOf(project));

    await pressRewind(chat, 'Be polite.');
    await dialogButton(workbench, 'Save and Rewind').click();
    await row(workbench, 'Files only').click();
    // What a person wrote after the agent is named and can be kept.
    await expect(row(workbench, 'greet.ts')).toBeVisible();
    await workbench.page.keyboard.press('Enter');
    await expect(chat.log.getByText('2 files taken back', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toContain('Hello, ${name}!');

    await chat.log.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(chat.log.getByText('Rewind undone', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toMatch(/^\/\/ not saved\n/);
  });

  test('changes nothing when every file is to stay, and says so', async ({ model, project, workbench }) => {
    const chat = await twoTurns(model, project, workbench);
    const notes = path.join(project.folder, 'NOTES.md');
    await appendFile(notes, 'By hand.\n');
    await pressRewind(chat, 'Write notes.');
    await row(workbench, 'Files only').click();
    await row(workbench, 'NOTES.md').click();
    await workbench.page.keyboard.press('Enter');
    await expect(workbench.notification('No file was chosen to go back')).toBeVisible();
    expect(await readFile(notes, 'utf8')).toBe('# Notes\nBy hand.\n');
    await expect(chat.log.getByText('taken back', { exact: false })).toHaveCount(0);
  });

  test('can take the conversation back too, or only that, in a branch', async ({ model, project, workbench }) => {
    const chat = await twoTurns(model, project, workbench);
    const notes = path.join(project.folder, 'NOTES.md');

    await pressRewind(chat, 'Write notes.');
    await row(workbench, 'Files and conversation').click();
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');

    await expect(chat.composer).toHaveValue('Write notes.');
    await expect(chat.prompts).toHaveCount(1);
    expect(existsSync(notes)).toBe(false);
    expect(await readFile(greetOf(project), 'utf8')).toContain(edited);

    model.enqueue([tool('Write', { file_path: notes, content: '# More\n' })], say('Noted again.'));
    await chat.send.click();
    await expect(chat.answers.last()).toContainText('Noted again.');
    await chat.idle();
    await pressRewind(chat, 'Write notes.');
    await row(workbench, 'Conversation only').click();

    await expect(chat.prompts).toHaveCount(1);
    await expect(chat.composer).toHaveValue('Write notes.');
    expect(await readFile(notes, 'utf8')).toBe('# More\n');
    await expect(chat.log.getByText('taken back', { exact: false })).toBeHidden();
  });

  test('asks before it ends what runs in the background, and touches no file until then', async ({
    model,
    project,
    workbench,
  }) => {
    const chat = await twoTurns(model, project, workbench);
    const bash = { command: 'sleep 300', description: 'wait', run_in_background: true };
    model.enqueue([tool('Bash', bash)], say('It waits.'));
    await chat.prompt('Wait in the background.');
    await expect(chat.answers.last()).toContainText('It waits.');
    await chat.idle();
    const takeBoth = async (): Promise<void> => {
      await pressRewind(chat, 'Write notes.');
      await row(workbench, 'Files and conversation').click();
      await expect(row(workbench, 'by-shell.txt')).toBeVisible();
      await workbench.page.keyboard.press('Enter');
      await expect(workbench.page.locator('.monaco-dialog-box')).toContainText('still runs in the background');
    };

    await takeBoth();
    await dialogButton(workbench, 'Cancel').click();
    await expect(workbench.page.getByRole('tab', { name: /Rewind to/ })).toBeHidden();
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(true);
    await expect(chat.prompts).toHaveCount(3);

    await takeBoth();
    await dialogButton(workbench, 'Stop It and Rewind').click();
    await expect(chat.composer).toHaveValue('Write notes.');
    await expect(chat.prompts).toHaveCount(1);
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(false);
  });

  test('is undone in its own conversation also when another is in front, with what was not saved', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const chat = await twoTurns(model, project, workbench);
    await pressRewind(chat, 'Be polite.');
    await row(workbench, 'Files only').click();
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');
    await expect(chat.log.getByText('2 files taken back', { exact: false })).toBeVisible();
    await editor.bridge.run(async (api, file) => {
      const shown = await api.window.showTextDocument(api.Uri.file(file));
      await shown.edit(edit => edit.insert(new api.Position(0, 0), '// not saved\n'));
    }, greetOf(project));

    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    await workbench.runCommand('handrail.undoRewind');
    await expect(workbench.page.locator('.monaco-dialog-box')).toContainText('changed after the rewind: greet.ts');
    await dialogButton(workbench, 'Save, Overwrite and Undo').click();

    await expect(workbench.notification('Undone: 2 files are as they were before')).toBeVisible();
    await expect(workbench.notification('2 files taken back')).toBeHidden();
    expect(await readFile(greetOf(project), 'utf8')).toContain(edited);
    await expect(chat.log.getByText('Rewind undone', { exact: false })).toBeHidden();

    // What was not saved is in the way back from the undo.
    await workbench.runCommand('handrail.undoRewind');
    await expect.poll(() => readFile(greetOf(project), 'utf8')).toMatch(/^\/\/ not saved\n/);
  });

  test('can be undone after the window was reloaded, also when it was cut off', async ({
    model,
    project,
    workbench,
  }) => {
    test.slow();
    const chat = await twoTurns(model, project, workbench);
    await pressRewind(chat, 'Be polite.');
    await row(workbench, 'Files only').click();
    await expect(row(workbench, 'by-shell.txt')).toBeVisible();
    await workbench.page.keyboard.press('Enter');
    await expect(chat.log.getByText('2 files taken back', { exact: false })).toBeVisible();

    await workbench.reload();
    const again = await workbench.openChat();
    await expect(again.log.getByText('2 files taken back', { exact: false })).toBeVisible();
    await workbench.runCommand('handrail.undoRewind');

    await expect(again.log.getByText('Rewind undone', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toContain(edited);

    // As if the window had died in the middle of undoing it.
    await cutOffNewest(project);
    await workbench.reload();
    await workbench.openChat();
    const offer = workbench.notification('A rewind was cut off');
    await offer.getByRole('button', { name: 'Undo Rewind' }).click();
    await expect.poll(() => readFile(greetOf(project), 'utf8')).toContain('Hello, ${name}!');
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(false);
  });

  test('goes to every point of a repository and back, byte for byte, and leaves the repository alone', async ({
    model,
    project,
    workbench,
  }) => {
    test.slow();
    await makeRepository(project);
    const untouched = await treeOf(path.join(project.folder, '.git'));
    const { chat, trees } = await threeTurns(model, project, workbench);
    const end = await treeOf(project.folder);

    for (const [at, tree] of trees.entries()) {
      await pressRewind(chat, `Turn ${at + 1}.`);
      await row(workbench, 'Files only').click();
      // What commands did is restored too: everything is ticked.
      await workbench.page.getByRole('checkbox', { name: 'Toggle all checkboxes' }).click();
      await workbench.page.keyboard.press('Enter');
      await expect(chat.log.getByText('taken back', { exact: false })).toHaveCount(at + 1);
      expect(differences(tree, await treeOf(project.folder))).toEqual([]);

      await chat.log.getByRole('button', { name: 'Undo', exact: true }).nth(at).click();
      await expect(chat.log.getByText('Rewind undone', { exact: false })).toHaveCount(at + 1);
      expect(differences(end, await treeOf(project.folder))).toEqual([]);
    }
    expect(differences(untouched, await treeOf(path.join(project.folder, '.git')))).toEqual([]);
  });

  test('is offered where a changed file is, and a turn can be reviewed and reverted', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const original = await readFile(greetOf(project), 'utf8');
    const chat = await twoTurns(model, project, workbench);
    await editor.bridge.run(async (api, file) => {
      await api.window.showTextDocument(api.Uri.file(file));
    }, greetOf(project));

    await workbench.page
      .getByRole('button', { name: /^Rewind Files/ })
      .first()
      .click();
    await expect(row(workbench, 'Be polite.')).toContainText('2 files, +2 −1');
    await expect(row(workbench, 'Write notes.')).toBeHidden();
    await workbench.page.keyboard.press('Escape');

    await workbench.page.getByRole('treeitem', { name: 'greet.ts' }).click({ button: 'right' });
    await expect(workbench.page.getByRole('menuitem', { name: /Rewind Files/ })).toBeVisible();
    await workbench.page.keyboard.press('Escape');

    await workbench.runCommand('handrail.reviewTurn');
    await row(workbench, 'Whole session').click();
    await expect(workbench.page.getByRole('tab', { name: /Review of the whole session/ })).toBeVisible();
    await expect.poll(() => workbench.diffText('original')).toContainEqual(expect.stringContaining('Hello,'));

    const offer = workbench.notification('Review of the whole session');
    await offer.getByRole('button', { name: 'Revert Files…' }).click();
    await row(workbench, 'src/greet.ts').click();
    await workbench.page.keyboard.press('Enter');
    await expect(chat.log.getByText('1 file reverted', { exact: false })).toBeVisible();
    expect(await readFile(greetOf(project), 'utf8')).toBe(original);
    expect(existsSync(path.join(project.folder, 'NOTES.md'))).toBe(true);

    await chat.log.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect.poll(() => readFile(greetOf(project), 'utf8')).toContain(edited);
  });
});

function row(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
}

/** The buttons of a message come into view with the pointer. */
async function pressRewind(chat: Chat, prompt: string): Promise<void> {
  const message = chat.prompts.filter({ hasText: prompt });
  await message.hover();
  await message.getByRole('button', { name: 'Rewind files to here' }).click();
}

function dialogButton(workbench: Workbench, name: string): Locator {
  return workbench.page.getByRole('dialog').getByRole('button', { name });
}
