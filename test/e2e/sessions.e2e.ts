import path from 'node:path';
import { readdir, readFile } from 'node:fs/promises';
import type { Locator } from '@playwright/test';
import { Gate } from '../support/model/gate.ts';
import { say } from '../support/model/script.ts';
import { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import type { Project } from './support/project.ts';
import { allEnded } from './support/processes.ts';
import { until } from './support/waiting.ts';
import type { Workbench } from './support/workbench.ts';

/** The rows of the list that is open. */
function row(workbench: Workbench, text: string): Locator {
  return workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
}

async function transcripts(project: Project): Promise<string[]> {
  const folder = path.join(project.home, '.claude', 'projects');
  const files = await readdir(folder, { recursive: true });
  return files.filter(file => file.endsWith('.jsonl')).map(file => path.join(folder, file));
}

test.describe('Sessions', () => {
  test('of a reloaded window come back in their tabs, and a turn that ran goes on', async ({
    model,
    workbench,
    editor,
    page,
  }) => {
    model.enqueue(say('First answer.'), say('Half of the second', new Gate()), say('The rest of it.'));
    const before = await workbench.openChatInEditor();
    await before.prompt('A session to keep');
    await expect(before.answers.last()).toContainText('First answer.');
    await before.idle();
    await before.prompt('Go on');
    await expect(before.answers.last()).toContainText('Half of the second');
    const old = await editor.processes.claude();

    await workbench.reload();

    await allEnded(old);
    const chat = await Chat.find(page, 'editor');
    await expect(chat.prompts.first()).toContainText('A session to keep');
    await expect(chat.answers.first()).toContainText('First answer.');
    await expect(chat.error).toContainText('The last turn was interrupted');
    await expect(chat.stop).toBeHidden();
    expect(await editor.processes.claude()).toEqual([]);
    await chat.button('Continue the turn').click();
    await expect(chat.answers.last()).toContainText('The rest of it.');
    await expect(chat.error).toBeHidden();
  });

  test('can be found, renamed, deleted and brought back, and their processes are listed', async ({
    model,
    project,
    workbench,
    editor,
    page,
  }) => {
    model.enqueue(say('Answer one.'), say('Answer two.'));
    const chat = await workbench.openChat();
    await chat.prompt('Alpha question');
    await expect(chat.answers.last()).toContainText('Answer one.');
    await chat.idle();
    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    await chat.prompt('Beta question');
    await expect(chat.answers.last()).toContainText('Answer two.');
    await chat.idle();

    await workbench.runCommand('handrail.showProcesses');
    await expect(row(workbench, 'Beta question')).toContainText(/pid \d+ .*idle/);
    // Whoever began two conversations has a process waiting for the third.
    await expect(row(workbench, 'Spare')).toBeVisible();
    expect(await editor.processes.claude()).toHaveLength(2);
    await page.keyboard.press('Escape');

    await workbench.runCommand('handrail.resumeSession');
    await expect(row(workbench, 'Beta question')).toContainText('open');
    await row(workbench, 'Alpha question').hover();
    await row(workbench, 'Alpha question').getByRole('button', { name: 'Rename' }).click();
    // The list has such a box too, and goes only when this one comes; this one goes when the name was found good.
    const box = page.locator('.quick-input-widget:visible').filter({ hasText: 'Rename session' });
    await box.locator('.quick-input-box input').fill('A better name');
    await page.keyboard.press('Enter');
    await expect(box).toBeHidden();
    await until('the new name on disk', async () => {
      const all = await Promise.all((await transcripts(project)).map(file => readFile(file, 'utf8')));
      return all.some(text => text.includes('A better name')) ? true : undefined;
    });
    await workbench.runCommand('handrail.resumeSession');
    await row(workbench, 'A better name').hover();
    await row(workbench, 'A better name').getByRole('button', { name: 'Delete' }).click();
    await until('the session in the trash', async () => ((await transcripts(project)).length === 1 ? true : undefined));
    await page.keyboard.press('Escape');
    await workbench.notification('is in the trash').getByRole('button', { name: 'Undo' }).click();
    await until('the session back', async () => ((await transcripts(project)).length === 2 ? true : undefined));

    await workbench.runCommand('handrail.resumeSession');
    await row(workbench, 'A better name').click();
    await expect(chat.prompts.first()).toContainText('Alpha question');

    model.enqueue(say('On another branch.'));
    await workbench.runCommand('handrail.forkSession');
    const fork = await Chat.find(page, 'editor');
    await expect(fork.prompts.first()).toContainText('Alpha question');
    await fork.prompt('Another way');
    await expect(fork.answers.last()).toContainText('On another branch.');
    expect(await transcripts(project)).toHaveLength(3);
    await expect(chat.prompts).toHaveCount(1);
  });
});
