import path from 'node:path';
import { Gate } from '../support/model/gate.ts';
import { say, tool } from '../support/model/script.ts';
import type { Editor } from './support/editor.ts';
import { expect, test } from './support/fixtures.ts';
import type { ProcessRow } from './support/processes.ts';
import { allEnded } from './support/processes.ts';
import { until } from './support/waiting.ts';

/** A command that ends only when somebody ends it. */
const ENDLESS = "node -e 'setInterval(() => {}, 1000)'";

test.describe('A conversation', () => {
  test('streams the answer into the panel while the model still writes it', async ({ model, workbench }) => {
    const half = new Gate();
    model.enqueue(say('The first half of the answer. ', half, 'The second half of the answer.'));
    const chat = await workbench.openChat();

    await chat.prompt('Say it in two halves.');
    await half.reached;

    await expect(chat.prompts).toContainText('Say it in two halves.');
    await expect(chat.answers).toContainText('The first half of the answer.');
    await expect(chat.answers).not.toContainText('The second half');
    await expect(chat.stop).toBeVisible();
    half.open();
    await expect(chat.answers).toContainText('The second half of the answer.');
    await chat.idle();
    await expect(chat.composer).toHaveValue('');
  });

  test('goes on in the same process', async ({ model, workbench, editor }) => {
    model.enqueue(say('Answer number one.'), say('Answer number two.'));
    const chat = await workbench.openChat();

    await chat.prompt('First question');
    await expect(chat.answers.last()).toContainText('Answer number one.');
    await chat.idle();
    const pid = await editor.processes.theClaude();
    await chat.prompt('Second question');

    await expect(chat.answers.last()).toContainText('Answer number two.');
    expect(await editor.processes.theClaude()).toBe(pid);
    await expect(chat.prompts).toHaveCount(2);
    const roles = model.conversation.at(-1)?.messages.map(({ role }) => role);
    expect(roles?.filter(role => role !== 'system')).toEqual(['user', 'assistant', 'user']);
  });

  test('can be stopped in the middle of an answer, and continued', async ({ model, workbench, editor }) => {
    const never = new Gate();
    model.enqueue(say('Counting to a million: one, two, ', never, 'three.'), say('Back again.'));
    const chat = await workbench.openChat();

    await chat.prompt('Count to a million.');
    await expect(chat.answers.last()).toContainText('one, two,');
    const pid = await editor.processes.theClaude();
    const request = await model.nextRequest();
    await chat.stop.click();

    await chat.idle();
    expect(await request.ended).toBe('aborted');
    await expect(chat.answers.first()).toContainText('one, two,');
    await chat.prompt('Are you there?');
    await expect(chat.answers.last()).toContainText('Back again.');
    expect(await editor.processes.theClaude()).toBe(pid);
  });

  test('can be started in an editor tab', async ({ model, workbench }) => {
    model.enqueue(say('Hello in a tab.'));
    const chat = await workbench.openChatInEditor();

    await chat.prompt('Hello');

    await expect(chat.answers).toContainText('Hello in a tab.');
  });

  test('works after the window was reloaded', async ({ model, workbench, editor }) => {
    model.enqueue(say('Before the reload.'), say('After the reload.'));
    const before = await workbench.openChat();
    await before.prompt('First');
    await expect(before.answers.last()).toContainText('Before the reload.');
    await before.idle();
    const old = await editor.processes.claude();

    await workbench.reload();
    await allEnded(old);
    const chat = await workbench.openChat();
    await chat.prompt('Second');

    await expect(chat.answers.last()).toContainText('After the reload.');
  });
});

test.describe('When the agent dies', () => {
  test('the panel says so, keeps what was said, and starts again on request', async ({ model, workbench, editor }) => {
    const never = new Gate();
    model.enqueue(say('Half of a sent', never), say('Alive again.'));
    const chat = await workbench.openChat();
    await chat.prompt('Talk to me.');
    await expect(chat.answers.last()).toContainText('Half of a sent');
    const pid = await editor.processes.theClaude();

    process.kill(pid, 'SIGKILL');

    await expect(chat.error).toBeVisible();
    await expect(chat.error).toContainText(/SIGKILL|killed|ended/i);
    await expect(chat.prompts).toContainText('Talk to me.');
    await expect(chat.stop).toBeHidden();
    await chat.error.getByRole('button', { name: /Restart|Retry|Try again|Start again/i }).click();
    await expect(chat.error).toBeHidden();
    await chat.prompt('And now?');
    await expect(chat.answers.last()).toContainText('Alive again.');
    expect(await editor.processes.theClaude()).not.toBe(pid);
  });
});

test.describe('Without the agent’s program', () => {
  const missing = path.resolve('no', 'such', 'claude');
  test.use({ claude: missing });

  test('the panel says what was tried', async ({ workbench }) => {
    const chat = await workbench.openChat();

    await chat.prompt('Hello?');

    await expect(chat.error).toBeVisible();
    await expect(chat.error).toContainText(missing);
    await expect(chat.stop).toBeHidden();
  });
});

test.describe('Nothing is left behind', () => {
  test('when the window is closed in the middle of an answer', async ({ model, workbench, editor, page }) => {
    const never = new Gate();
    model.enqueue(say('I am still talking', never));
    const chat = await workbench.openChat();
    await chat.prompt('Talk.');
    await expect(chat.answers.last()).toContainText('I am still talking');
    const children = await editor.processes.below(await editor.bridge.hostPid());
    expect(await editor.processes.claude()).toHaveLength(1);

    await page.close({ runBeforeUnload: true });

    await allEnded(children);
  });

  test('when the window is closed while a command runs', async ({ model, project, workbench, editor, page }) => {
    await project.allowTools('Bash');
    model.enqueue([say('This takes long.'), tool('Bash', { command: ENDLESS, description: 'Wait' })]);
    const chat = await workbench.openChat();
    await chat.prompt('Wait for me.');
    const children = await commandRunning(editor);

    await page.close({ runBeforeUnload: true });

    await allEnded(children);
  });

  test('when the extension host is killed while a command runs', async ({ model, project, workbench, editor }) => {
    await project.allowTools('Bash');
    model.enqueue([say('This takes long.'), tool('Bash', { command: ENDLESS, description: 'Wait' })]);
    const chat = await workbench.openChat();
    await chat.prompt('Wait for me.');
    const children = await commandRunning(editor);

    process.kill(await editor.bridge.hostPid(), 'SIGKILL');

    await allEnded(children);
  });

  test('when VS Code ends', async ({ model, workbench, editor }) => {
    const never = new Gate();
    model.enqueue(say('I am still talking', never));
    const chat = await workbench.openChat();
    await chat.prompt('Talk.');
    await expect(chat.answers.last()).toContainText('I am still talking');
    const all = await editor.processes.all();
    expect(await editor.processes.claude()).toHaveLength(1);

    await editor.stop();

    await allEnded(all);
  });
});

/** Waits until the agent runs the endless command, and returns everything that runs below the extension host. */
async function commandRunning(editor: Editor): Promise<ProcessRow[]> {
  const host = await editor.bridge.hostPid();
  return until('the endless command', async () => {
    const rows = await editor.processes.below(host);
    return rows.some(({ command }) => /^\S*node\S* -e setInterval/.test(command)) ? rows : undefined;
  });
}
