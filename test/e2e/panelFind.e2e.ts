import path from 'node:path';
import { Gate } from '../support/model/gate.ts';
import { say, tool } from '../support/model/script.ts';
import { writeTranscript } from '../bench/support/transcriptFiles.ts';
import { Chat } from './support/chat.ts';
import { expect, test } from './support/fixtures.ts';

test.describe('Somebody who looks for something', () => {
  test('finds it far back in a long conversation from disk, and is still there after a reload', async ({
    project,
    workbench,
    page,
  }) => {
    const folder = path.join(project.home, '.claude', 'projects', project.folder.replaceAll(/[^A-Za-z0-9]/g, '-'));
    writeTranscript(folder, '6f0b6b53-7a42-4a52-9e3c-0d9a5d8f3b12', 4_000_000, project.folder);
    let chat = await workbench.openChat();
    await chat.body.locator('.empty-list').getByRole('button').last().click();
    await expect(chat.answers.last()).toContainText(/Answer \d{3,}/);
    const first = (): Promise<number> =>
      chat.prompts.last().evaluate(row => Number(row.getAttribute('aria-setsize') ?? 0));
    await expect.poll(first, { timeout: 30_000 }).toBeGreaterThan(500);

    await chat.log.focus();
    await page.keyboard.press('Control+f');
    const search = chat.body.getByRole('search');
    const field = search.getByRole('textbox', { name: 'Find in conversation' });
    await expect(field).toBeFocused();
    await field.fill('prompt number 12');
    const status = search.getByRole('status');
    await expect(status).toHaveText(/^\d+ of \d+$/);
    const total = Number(/of (\d+)/.exec((await status.textContent()) ?? '')?.[1]);
    expect(total).toBeGreaterThan(10);
    await expect.poll(() => marked(chat)).toBeGreaterThan(0);

    await field.fill('Prompt number 12 ');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Shift+Enter');
    const wanted = chat.prompts.getByText('Prompt number 12', { exact: true });
    await expect(status).toHaveText(`1 of ${total}`);
    await expect(wanted).toBeInViewport();
    await page.keyboard.press('Escape');
    await expect(search).toBeHidden();
    await expect(chat.log).toBeFocused();
    expect(await marked(chat)).toBe(0);

    await workbench.reload();
    chat = await Chat.find(page, 'sideBar');
    await expect(chat.prompts.getByText('Prompt number 12', { exact: true })).toBeInViewport({ timeout: 30_000 });
    await expect(chat.button('Jump to latest')).toBeVisible();
  });
});

test.describe('The checklist of the agent', () => {
  test.use({ machine: { 'handrail.claude.extraArguments': ['--allowedTools=TaskCreate'] } });

  test('is one list that follows the work, and comes back with the session', async ({ model, workbench, page }) => {
    const [made, begun] = [new Gate(), new Gate()];
    model.enqueue(
      [
        tool('TaskCreate', { subject: 'Read the client', description: 'Read' }),
        tool('TaskCreate', { subject: 'Cap the retries', description: 'Cap' }),
      ],
      say('The list is made.', made),
    );
    let chat = await workbench.openChat();
    await chat.prompt('Work through it.');
    await made.reached;
    const steps = () => chat.body.getByRole('region', { name: 'Checklist' }).getByRole('listitem');
    await expect(steps()).toHaveText(['Read the client', 'Cap the retries']);
    made.open();
    await chat.idle();

    model.enqueue(
      [
        tool('TaskUpdate', { taskId: '1', status: 'completed' }),
        tool('TaskUpdate', { taskId: '2', status: 'in_progress' }),
      ],
      say('Half of it.', begun),
    );
    await chat.prompt('Go on.');
    await begun.reached;
    await expect(steps().nth(0).getByRole('img', { name: 'done' })).toBeVisible();
    await expect(steps().nth(1).getByRole('img', { name: 'in progress' })).toBeVisible();
    await expect(chat.body.getByRole('region', { name: 'Checklist' })).toContainText('1 of 2 done');
    await expect(steps()).toHaveCount(2);
    begun.open();
    await chat.idle();

    await workbench.reload();
    chat = await Chat.find(page, 'sideBar');
    await expect(steps().nth(1).getByRole('img', { name: 'in progress' })).toBeVisible({ timeout: 30_000 });
    await expect(steps()).toHaveText(['Read the client', 'Cap the retries']);
  });
});

/** How many matches the page marks. */
async function marked(chat: Chat): Promise<number> {
  const frame = await chat.frame();
  return frame.evaluate(() => CSS.highlights.get('handrail-find')?.size ?? 0);
}
