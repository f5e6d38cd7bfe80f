import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { Gate } from '../support/model/gate.ts';
import { fail, say, tool } from '../support/model/script.ts';
import { writeTranscript } from '../bench/support/transcriptFiles.ts';
import type { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';
import { until } from './support/waiting.ts';

const paragraphs = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} paragraph ${at}. ${'It says a little more. '.repeat(4)}\n\n`).join(
    '',
  );

const jump = (chat: Chat): Locator => chat.button('Jump to latest');

/** Pixels between the end of the conversation and the lower edge of what is seen. */
function rest(chat: Chat): Promise<number> {
  return chat.log.evaluate(log => log.scrollHeight - log.clientHeight - log.scrollTop);
}

async function topOf(locator: Locator): Promise<number> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('It is not in the page');
  return box.y;
}

/** Turns the wheel over the conversation until something is seen. */
async function wheelTo(page: Page, chat: Chat, wanted: Locator, step: number): Promise<void> {
  await chat.log.hover();
  await until('the paragraph', async () => {
    if ((await wanted.count()) > 0 && (await isInside(wanted, chat.log))) return true;
    await page.mouse.wheel(0, step);
    return undefined;
  });
  // The wheel is smooth in some browsers: wait until it has come to rest.
  await until('rest', async () => {
    const before = await topOf(wanted);
    await page.waitForTimeout(100);
    return Math.abs((await topOf(wanted)) - before) < 0.5 ? true : undefined;
  });
}

async function isInside(wanted: Locator, frame: Locator): Promise<boolean> {
  const [inner, outer] = [await wanted.boundingBox(), await frame.boundingBox()];
  return inner !== null && outer !== null && inner.y > outer.y + 60 && inner.y < outer.y + outer.height - 60;
}

test.describe('A reader', () => {
  test('is followed at the end, and left alone anywhere else', async ({ model, project, workbench, page }) => {
    await project.allowTools('Bash');
    const [second, third] = [new Gate(), new Gate()];
    model.enqueue(
      [
        say('I run it first.'),
        tool('Bash', { command: `node -e 'for (let i = 0; i < 30; i++) console.log("row", i)'`, description: 'Count' }),
      ],
      say(paragraphs('First', 30), second, paragraphs('Second', 30), third, 'The very end.'),
    );
    const chat = await workbench.openChat();
    await chat.prompt('Tell me a lot.');
    await second.reached;
    await expect(chat.answers.last()).toContainText('First paragraph 29');
    await expect.poll(() => rest(chat)).toBeLessThan(5);
    await expect(jump(chat)).toBeHidden();

    const read = chat.answers.last().getByText('First paragraph 15.');
    await wheelTo(page, chat, read, -200);
    await expect(jump(chat)).toBeVisible();
    const place = await topOf(read);
    second.open();
    await third.reached;
    await expect(chat.answers.last()).toContainText('Second paragraph 29');
    expect(Math.abs((await topOf(read)) - place)).toBeLessThanOrEqual(1);

    await jump(chat).click();
    await expect.poll(() => rest(chat)).toBeLessThan(5);
    await expect(jump(chat)).toBeHidden();
    third.open();
    await expect(chat.answers.last()).toContainText('The very end.');
    await chat.idle();
    await expect.poll(() => rest(chat)).toBeLessThan(5);

    const toggle = chat.article('Bash').getByRole('button', { expanded: false }).first();
    await wheelTo(page, chat, toggle, -600);
    const opened = chat.article('Bash').getByRole('button', { expanded: true }).first();
    const before = await topOf(toggle);
    await toggle.click();
    await expect(chat.article('Bash')).toContainText('row 5');
    expect(Math.abs((await topOf(opened)) - before)).toBeLessThanOrEqual(1);
  });

  test('of an old session sees its end at once, and is not moved when older pages come or the panel goes', async ({
    project,
    workbench,
    page,
  }) => {
    const folder = path.join(project.home, '.claude', 'projects', project.folder.replaceAll(/[^A-Za-z0-9]/g, '-'));
    writeTranscript(folder, '6f0b6b53-7a42-4a52-9e3c-0d9a5d8f3b11', 8_000_000, project.folder);
    let chat = await workbench.openChat();
    await chat.body.locator('.empty-list').getByRole('button').last().click();
    await expect(chat.answers.last()).toContainText(/Answer \d{3,}/);
    await expect.poll(() => rest(chat)).toBeLessThan(5);
    const last = await chat.answers.last().textContent();
    const turn = Number(/Answer (\d+)/.exec(last ?? '')?.[1]);

    const read = chat.prompts.getByText(`Prompt number ${turn - 5}`, { exact: true });
    await wheelTo(page, chat, read, -300);
    const place = await topOf(read);
    const size = (): Promise<number> =>
      chat.prompts.last().evaluate(row => Number(row.getAttribute('aria-setsize') ?? 0));
    await expect.poll(size, { timeout: 30_000 }).toBeGreaterThan(turn * 3);
    expect(Math.abs((await topOf(read)) - place)).toBeLessThanOrEqual(1);

    await workbench.runCommand('workbench.action.toggleAuxiliaryBar');
    await expect(page.locator('.part.auxiliarybar')).toBeHidden();
    chat = await workbench.openChat();
    const again = chat.prompts.getByText(`Prompt number ${turn - 5}`, { exact: true });
    await expect(again).toBeVisible();
    await expect.poll(async () => Math.abs((await topOf(again)) - place)).toBeLessThanOrEqual(2);

    await chat.log.focus();
    await page.keyboard.press('Home');
    await expect(chat.prompts.first()).toContainText('Prompt number 0');
    expect(await chat.log.locator('.row').count()).toBeLessThanOrEqual(80);
  });

  test('opens places, copies and inserts code, and sends messages again', async ({
    model,
    project,
    workbench,
    editor,
    page,
  }) => {
    await mkdir(path.join(project.folder, 'docs'));
    await writeFile(path.join(project.folder, 'docs', 'how it works.md'), 'one\ntwo\nthree\nfour\n');
    const outside = path.join(project.root, 'outside.txt');
    await writeFile(outside, 'outside\n');
    model.enqueue(
      say(
        'See `src/greet.ts:3`, `docs/how it works.md:2` and `',
        `${outside}:1`,
        '`.\n\n```ts\nexport const inserted = 42;\n```\n',
      ),
      say('Said again.'),
    );
    const chat = await workbench.openChat();
    await chat.prompt('Where is it?');
    await chat.idle();
    const link = (name: string): Locator => chat.answers.first().getByRole('link', { name });
    const shown = (): Promise<string> =>
      editor.bridge.run(api => {
        const active = api.window.activeTextEditor;
        return active ? `${active.document.uri.path.split('/').at(-1) ?? ''}:${active.selection.active.line + 1}` : '';
      });

    await link('docs/how it works.md:2').click();
    await expect.poll(shown).toBe('how it works.md:2');
    await link('src/greet.ts:3').click();
    await expect.poll(shown).toBe('greet.ts:3');
    await link(`${outside}:1`).click();
    const dialog = page.locator('.monaco-dialog-box');
    await expect(dialog).toContainText('outside the folder');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(dialog).toBeHidden();
    expect(await shown()).toBe('greet.ts:3');

    const code = chat.answers.first().getByRole('group', { name: 'Code, ts' });
    await code.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => editor.bridge.run(api => api.env.clipboard.readText())).toContain('export const inserted');
    await code.getByRole('button', { name: 'Insert at cursor' }).click();
    await expect
      .poll(() => editor.bridge.run(api => api.window.activeTextEditor?.document.getText() ?? ''))
      .toContain('export const inserted = 42;');

    const prompt = chat.prompts.first();
    await prompt.hover();
    await prompt.getByRole('button', { name: 'Copy message' }).click();
    await expect.poll(() => editor.bridge.run(api => api.env.clipboard.readText())).toBe('Where is it?');
    await prompt.getByRole('button', { name: 'Edit and send again' }).click();
    await expect(chat.composer).toHaveValue('Where is it?');
    await expect(chat.composer).toBeFocused();
    await chat.composer.fill('');
    await prompt.hover();
    await prompt.getByRole('button', { name: 'Retry' }).click();
    await expect(chat.answers.last()).toContainText('Said again.');
    await expect(chat.prompts).toHaveCount(2);
  });

  test('sees when the service is busy, for how long, and can stop waiting', async ({ model, workbench }) => {
    model.onRequest(({ kind }) => (kind === 'main' ? fail(529, { retryAfter: 40 }) : undefined));
    const chat = await workbench.openChat();
    await chat.prompt('Are you there?');
    const notice = chat.article('Notice').last();
    await expect(notice).toContainText(/in \d+\ss/);
    await notice.getByRole('button', { name: 'Stop retrying' }).click();
    await expect(chat.send).toBeVisible();
    await expect(chat.body.locator('.composer').getByRole('button', { name: 'Stop', exact: true })).toBeHidden();
    await expect(chat.prompts).toContainText('Are you there?');
  });
});
