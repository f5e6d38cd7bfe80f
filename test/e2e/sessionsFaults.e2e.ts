import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { Gate } from '../support/model/gate.ts';
import { say, tool } from '../support/model/script.ts';
import type { ScriptedModel } from '../support/model/scriptedModel.ts';
import { Chat } from './support/chat.ts';
import { Editor } from './support/editor.ts';
import { claudeEnvironment, prepared } from './support/environment.ts';
import { expect, test } from './support/fixtures.ts';
import type { ProcessRow } from './support/processes.ts';
import { allEnded } from './support/processes.ts';
import type { Project } from './support/project.ts';
import { until } from './support/waiting.ts';
import { Workbench } from './support/workbench.ts';

/** A command that ends only when somebody ends it. */
const ENDLESS = "node -e 'setInterval(() => {}, 1000)'";

interface Scene {
  readonly model: ScriptedModel;
  readonly project: Project;
  readonly workbench: Workbench;
  readonly editor: Editor;
}

/** Four tabs, one in each state that a fault can meet; everything that runs for them. */
async function fourStates({ model, project, workbench, editor }: Scene): Promise<ProcessRow[]> {
  await project.allowTools('Bash');
  model.enqueue(
    say('The finished answer.'),
    say('Half of an answer, ', new Gate(), 'never the rest.'),
    [say('This takes long.'), tool('Bash', { command: ENDLESS, description: 'Wait' })],
    tool('Write', { file_path: path.join(project.folder, 'asked.txt'), content: 'asked\n' }),
  );
  const idle = await newTab(workbench);
  await idle.prompt('Tab idle');
  await expect(idle.answers.last()).toContainText('The finished answer.');
  await idle.idle();
  const streaming = await newTab(workbench);
  await streaming.prompt('Tab streaming');
  await expect(streaming.answers.last()).toContainText('Half of an answer');
  await streaming.prompt('Queued words');
  await streaming.composer.fill('Unsent words');
  await until('the draft on disk', () => (drafts(project).length > 0 ? true : undefined));
  const running = await newTab(workbench);
  await running.prompt('Tab tool');
  await until('the endless command', async () => {
    const rows = await editor.processes.all();
    return rows.some(({ command }) => /^\S*node\S* -e setInterval/.test(command)) ? true : undefined;
  });
  const asking = await newTab(workbench);
  await asking.prompt('Tab question');
  await expect(asking.permission('Write')).toBeVisible();
  return (await editor.processes.all()).filter(({ command }) => /claude|setInterval/.test(command));
}

/** What Handrail has put aside of words that were typed and not sent. */
function drafts(project: Project): string[] {
  const folder = path.join(project.userData, 'User', 'globalStorage', 'handrail-vscode.handrail', 'drafts');
  return existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.draft.json')) : [];
}

/** A new chat in a tab of its own; the frame of the tab before may stand there for a moment still. */
async function newTab(workbench: Workbench): Promise<Chat> {
  const { page } = workbench;
  await workbench.runCommand('handrail.newSessionInEditor');
  await expect(page.locator('.tabs-container .tab.active')).toContainText('New session');
  return until('a new chat', async () => {
    const chat = await Chat.find(page, 'editor');
    const isNew = (await chat.composer.isVisible()) && (await chat.prompts.count()) === 0;
    return isNew ? chat : undefined;
  });
}

/** Brings a tab to the front by its name and finds the chat in it. */
async function tab(page: Page, name: string): Promise<Chat> {
  await page.locator('.tabs-container .tab').filter({ hasText: name }).click();
  return until(`the chat “${name}”`, async () => {
    const chat = await Chat.find(page, 'editor');
    const shown = await chat.prompts
      .first()
      .textContent({ timeout: 1_000 })
      .catch(() => '');
    return shown?.includes(name) === true ? chat : undefined;
  });
}

/** What a person finds in the four tabs after the window, its host or its server came back. */
async function comesBack({ model, project, workbench: { page } }: Scene): Promise<void> {
  const idle = await tab(page, 'Tab idle');
  await expect(idle.answers.last()).toContainText('The finished answer.');
  await expect(idle.error).toBeHidden();

  const streaming = await tab(page, 'Tab streaming');
  await expect(streaming.error).toContainText('The last turn was interrupted');
  await expect(streaming.stop).toBeHidden();
  await expect(streaming.composer).toHaveValue(/Unsent words/);
  await expect(streaming.composer).toHaveValue(/Queued words/);

  const running = await tab(page, 'Tab tool');
  await expect(running.error).toContainText('The last turn was interrupted');
  await expect(running.stop).toBeHidden();
  await expect(running.article('Bash')).toBeVisible();
  model.enqueue(say('Going on.'));
  await running.button('Continue the turn').click();
  await expect(running.answers.last()).toContainText('Going on.');
  await expect(running.error).toBeHidden();

  const asking = await tab(page, 'Tab question');
  await expect(asking.error).toContainText('Write was waiting for your answer and did not run');
  await expect(asking.permission('Write')).toBeHidden();
  expect(existsSync(path.join(project.folder, 'asked.txt'))).toBe(false);
  model.enqueue(tool('Write', { file_path: path.join(project.folder, 'asked.txt'), content: 'asked\n' }), say('Done.'));
  await asking.button('Continue the turn').click();
  await asking.answer('Write', 'Allow');
  await expect(asking.answers.last()).toContainText('Done.');
  expect(existsSync(path.join(project.folder, 'asked.txt'))).toBe(true);
}

test.describe('Idle, streaming, a tool running, a question waiting', () => {
  // Four conversations and two windows each: a busy machine may take a minute over it.
  test.describe.configure({ timeout: 120_000 });

  test('when the agents are killed: each says so, keeps what was said and goes on', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const children = await fourStates({ model, project, workbench, editor });
    const agents = await editor.processes.claude();
    expect(agents).toHaveLength(4);

    for (const { pid } of agents) process.kill(pid, 'SIGKILL');

    await allEnded(children.filter(({ command }) => !command.includes('guardian')));
    const { page } = workbench;
    const asking = await tab(page, 'Tab question');
    await expect(asking.error).toContainText('in the middle of a turn');
    await expect(asking.permission('Write')).toBeHidden();
    await expect(asking.stop).toBeHidden();
    const running = await tab(page, 'Tab tool');
    await expect(running.error).toContainText('in the middle of a turn');
    const streaming = await tab(page, 'Tab streaming');
    await expect(streaming.composer).toHaveValue(/Unsent words/);
    await expect(streaming.composer).toHaveValue(/Queued words/);
    model.enqueue(say('Going on.'));
    await streaming.button('Continue the turn').click();
    await expect(streaming.answers.last()).toContainText('Going on.');
    const idle = await tab(page, 'Tab idle');
    await expect(idle.answers.last()).toContainText('The finished answer.');
    model.enqueue(say('And another answer.'));
    await idle.prompt('Go on');
    await expect(idle.answers.last()).toContainText('And another answer.');
  });

  test('when the extension host is killed: all comes back with the window', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    const scene = { model, project, workbench, editor };
    const children = await fourStates(scene);
    // The agent whose question lost its reader tells the model so before it leaves.
    model.enqueue(say('Nobody answered.'));

    process.kill(await editor.bridge.hostPid(), 'SIGKILL');
    await allEnded(children);
    await workbench.open();

    await comesBack(scene);
  });

  test('when the whole server is killed: all comes back with the next one', async ({
    model,
    project,
    workbench,
    editor,
    claude,
    context,
    page,
  }) => {
    const children = await fourStates({ model, project, workbench, editor });
    model.enqueue(say('Nobody answered.'));

    await editor.kill();
    await allEnded(children);
    const next = await Editor.start({
      prepared: prepared(),
      project,
      machine: { 'handrail.claude.executable': claude, 'handrail.claude.environment': claudeEnvironment(model.url) },
      port: editor.port,
    });
    try {
      await next.prepare(context);
      const again = new Workbench(page, next);
      await again.open();

      await comesBack({ model, project, workbench: again, editor: next });
    } finally {
      await next.stop();
    }
  });
});
