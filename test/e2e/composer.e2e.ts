import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Locator } from '@playwright/test';
import { Gate } from '../support/model/gate.ts';
import { say } from '../support/model/script.ts';
import type { Chat } from './support/chat.ts';
import { allowedEnvironment } from './support/environment.ts';
import { expect, test } from './support/fixtures.ts';

/** A picture of one red dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** Pastes a picture into the composer, as a browser does. */
async function pastePicture(chat: Chat, name: string): Promise<void> {
  await chat.composer.evaluate(
    (field, { data, file }) => {
      const bytes = Uint8Array.from(atob(data), letter => letter.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], file, { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    },
    { data: dot, file: name },
  );
}

const removeButton = (chat: Chat, name: string): Locator => chat.button(`Remove ${name}`);
const queue = (chat: Chat): Locator => chat.body.getByRole('list', { name: 'Queued messages' });
const options = (chat: Chat): Locator => chat.body.getByRole('option');

test.describe('The composer', () => {
  test('sends with Enter, breaks lines with Shift, leaves input methods alone and remembers what was sent', async ({
    model,
    workbench,
    page,
  }) => {
    model.enqueue(say('First answer.'), say('Second answer.'));
    const chat = await workbench.openChat();
    const input = await page.context().newCDPSession(page);
    await chat.composer.click();
    await page.keyboard.type('one');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('two ');

    // An input method composes: Enter picks its word and sends nothing.
    await input.send('Input.imeSetComposition', { text: 'にほ', selectionStart: 2, selectionEnd: 2 });
    await expect(chat.composer).toHaveValue('one\ntwo にほ');
    await page.keyboard.press('Enter');
    await input.send('Input.insertText', { text: '日本' });
    await expect(chat.composer).toHaveValue(/^one\ntwo .*日本/);
    await expect(chat.prompts).toHaveCount(0);

    await page.keyboard.press('Enter');
    await expect(chat.prompts.last()).toContainText('two');
    await expect(chat.answers.last()).toContainText('First answer.');
    await chat.idle();
    await chat.prompt('another question');
    await expect(chat.answers.last()).toContainText('Second answer.');
    await chat.idle();

    await chat.composer.click();
    await page.keyboard.press('ArrowUp');
    await expect(chat.composer).toHaveValue('another question');
    await page.keyboard.press('ArrowUp');
    await expect(chat.composer).toHaveValue(/^one\ntwo /);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(chat.composer).toHaveValue('');
    await page.keyboard.type('a draft nobody may take');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowDown');
    await expect(chat.composer).toHaveValue('a draft nobody may take');
  });

  test('completes commands and files, and takes pictures along', async ({ model, project, workbench, page }) => {
    const commands = path.join(project.folder, '.claude', 'commands');
    await mkdir(commands, { recursive: true });
    await writeFile(
      path.join(commands, 'polite.md'),
      '---\ndescription: Greets politely\nargument-hint: <name>\n---\nGreet $1.\n',
    );
    await mkdir(path.join(project.folder, 'build'));
    await writeFile(path.join(project.folder, 'build', 'greetOutput.js'), '');
    await writeFile(path.join(project.folder, '.gitignore'), 'build/\n');
    await promisify(execFile)('git', ['init', '-q', project.folder], { env: allowedEnvironment(project.home) });
    model.enqueue(say('A red dot.'));
    const chat = await workbench.openChat();

    await chat.composer.click();
    await page.keyboard.type('/poli');
    await expect(options(chat).first()).toContainText('/polite <name>');
    await expect(options(chat).first()).toContainText('Greets politely');
    await page.keyboard.press('Tab');
    await expect(chat.composer).toHaveValue('/polite ');
    await expect(chat.body.getByText('<name>', { exact: true })).toBeVisible();

    await chat.composer.fill('');
    await page.keyboard.type('What does @greet');
    await expect(options(chat).filter({ hasText: 'src/greet.ts' })).toBeVisible();
    await expect(options(chat).filter({ hasText: 'greetOutput' })).toHaveCount(0);
    await page.keyboard.press('Escape');
    await expect(options(chat)).toHaveCount(0);
    await expect(chat.composer).toBeFocused();

    await pastePicture(chat, 'wrong.png');
    await expect(removeButton(chat, 'wrong.png')).toBeVisible();
    await removeButton(chat, 'wrong.png').click();
    await expect(removeButton(chat, 'wrong.png')).toHaveCount(0);
    await pastePicture(chat, 'dot.png');
    await expect(chat.body.locator('.chip img')).toHaveJSProperty('naturalWidth', 1);
    await chat.prompt('What is this?');

    await expect(chat.answers).toContainText('A red dot.');
    expect(JSON.stringify(model.conversation.at(-1)?.body)).toContain(dot);
    await expect(removeButton(chat, 'dot.png')).toHaveCount(0);
    await expect(chat.prompts.locator('img')).toHaveJSProperty('naturalWidth', 1);
  });

  test('keeps draft and attachments while it is hidden and over a reload', async ({ workbench, page }) => {
    let chat = await workbench.openChat();
    await chat.composer.fill('Half a thought');
    await pastePicture(chat, 'dot.png');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();

    await workbench.runCommand('workbench.action.toggleAuxiliaryBar');
    await expect(page.locator('.part.auxiliarybar')).toBeHidden();
    chat = await workbench.openChat();
    await expect(chat.composer).toHaveValue('Half a thought');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();

    await workbench.reload();
    chat = await workbench.openChat();
    await expect(chat.composer).toHaveValue('Half a thought');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();

    // At once: a browser writes the state of a page down only every few seconds.
    await pastePicture(chat, 'late.png');
    await expect(removeButton(chat, 'late.png')).toBeVisible();
    await workbench.reload();
    chat = await workbench.openChat();
    await expect(chat.composer).toHaveValue('Half a thought');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();
    await expect(removeButton(chat, 'late.png')).toBeVisible();
    await removeButton(chat, 'late.png').click();
    await workbench.reload();
    chat = await workbench.openChat();
    await expect(removeButton(chat, 'dot.png')).toBeVisible();
    await expect(removeButton(chat, 'late.png')).toHaveCount(0);
  });

  test('keeps the draft of each session with that session', async ({ model, workbench }) => {
    model.enqueue(say('First answer.'));
    const chat = await workbench.openChat();
    await chat.prompt('First session.');
    await expect(chat.answers).toContainText('First answer.');
    await chat.idle();
    await chat.composer.fill('for the first session');
    await pastePicture(chat, 'dot.png');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();

    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    await expect(chat.composer).toHaveValue('');
    await expect(removeButton(chat, 'dot.png')).toHaveCount(0);
    await chat.composer.fill('for the new session');

    await workbench.runCommand('handrail.continueSession');
    await expect(chat.prompts).toHaveCount(1);
    await expect(chat.composer).toHaveValue('for the first session');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();
    await workbench.runCommand('handrail.newSession');
    await expect(chat.composer).toHaveValue('for the new session');
  });

  test('gives queued messages back when the turn is stopped, and sends none of them', async ({
    model,
    workbench,
    page,
  }) => {
    const busy = new Gate();
    model.enqueue(say('Working on it. ', busy, 'Done.'));
    const chat = await workbench.openChat();
    await chat.prompt('Work.');
    await busy.reached;
    await expect(chat.answers).toContainText('Working on it.');
    for (const text of ['first thought', 'second thought']) {
      await chat.composer.fill(text);
      await page.keyboard.press('Enter');
      await expect(queue(chat).getByRole('listitem').last()).toContainText(text);
    }
    const requests = model.conversation.length;

    await chat.stop.click();
    await expect(chat.composer).toHaveValue('first thought\n\nsecond thought');
    await expect(queue(chat)).toHaveCount(0);
    await chat.idle();
    busy.open();
    await expect(chat.prompts).toHaveCount(1);

    // The next message is the next request: nothing ran in between.
    model.enqueue(say('Both at once.'));
    await chat.send.click();
    await expect(chat.answers.last()).toContainText('Both at once.');
    expect(model.conversation).toHaveLength(requests + 1);
  });

  test('queues what is typed while the agent works, to be changed, taken back or hurried', async ({
    model,
    workbench,
    page,
  }) => {
    const busy = new Gate();
    model.enqueue(say('Working on it. ', busy, 'Done.'));
    model.onRequest(({ kind, messages }) =>
      kind === 'main' && JSON.stringify(messages.at(-1)).includes('hurry up') ? say('Hurried.') : undefined,
    );
    const chat = await workbench.openChat();
    await chat.prompt('Work.');
    await busy.reached;
    await expect(chat.answers).toContainText('Working on it.');

    await chat.composer.fill('change me');
    await pastePicture(chat, 'dot.png');
    await expect(removeButton(chat, 'dot.png')).toBeVisible();
    await page.keyboard.press('Enter');
    await expect(queue(chat).getByRole('listitem')).toHaveText([/change me/]);
    await chat.composer.fill('a draft');
    await queue(chat).getByRole('button', { name: 'Edit queued message' }).click();
    await expect(chat.composer).toHaveValue('change me\n\na draft');
    await expect(removeButton(chat, 'image.png')).toBeVisible();
    await expect(queue(chat)).toHaveCount(0);
    await expect(chat.prompts).toHaveCount(1);
    await removeButton(chat, 'image.png').click();

    await chat.composer.fill('take me back');
    await page.keyboard.press('Enter');
    await queue(chat).getByRole('button', { name: 'Cancel queued message' }).click();
    await expect(queue(chat)).toHaveCount(0);
    // Taken back is not said: no row of it stays.
    await expect(chat.prompts).toHaveCount(1);

    await chat.composer.fill('hurry up');
    await page.keyboard.press('Enter');
    await queue(chat).getByRole('button', { name: 'Send now' }).click();
    busy.open();
    await expect(chat.answers.last()).toContainText('Hurried.');
    await expect(queue(chat)).toHaveCount(0);
    await chat.idle();
    const said = JSON.stringify(model.conversation.at(-1)?.messages);
    expect(said).not.toContain('change me');
    expect(said).not.toContain('take me back');
  });
});
