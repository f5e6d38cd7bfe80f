import type { ModelRequest } from '../support/model/request.ts';
import { toolResultsOf } from '../support/model/request.ts';
import { say, tool } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';

const PLAN = '# A greeting for everyone\n\n1. Change greet.ts\n2. Run the tests\n';

test('A plan is a document to be changed and commented on, and the agent reads both', async ({
  model,
  workbench,
  editor,
}, info) => {
  const { page } = workbench;
  await editor.bridge.run(async api => {
    await api.workspace.getConfiguration('handrail').update('permissions.initialMode', 'plan', true);
  });
  model.onRequest(request => {
    if (request.kind !== 'main') return undefined;
    const file = /(\/\S+\/plans\/[^\s`'"]+\.md)/.exec(JSON.stringify(request.body))?.[1];
    const results = toolResultsOf(request).length;
    if (file === undefined && results === 0) return undefined;
    if (results === 0) return tool('Write', { file_path: file, content: PLAN });
    return results < 3 ? tool('ExitPlanMode', {}) : say('I begin.');
  });
  const chat = await workbench.openChat();
  await chat.prompt('Plan it.');
  const card = chat.group('Plan');
  await expect(card).toBeVisible();
  const tab = page.locator('.tabs-container .tab').filter({ hasText: 'plan.md' });
  await expect(tab).toBeVisible();
  // The document of the plan before this one looks the same until it is closed.
  const inFront = (): Promise<string | undefined> =>
    editor.bridge.run(api => api.window.activeTextEditor?.document.uri.toString());
  await expect.poll(async () => (await inFront()) ?? '').toContain('plan.md');
  const first = await inFront();

  const line = page.locator('.editor-instance .view-line').filter({ hasText: 'Run the tests' });
  await line.click();
  await workbench.runCommand('workbench.action.addComment');
  const box = page.locator('.review-widget .monaco-editor').first();
  await expect(box).toBeVisible();
  await page.keyboard.type('Use pnpm for that.');
  await page.locator('.review-widget').getByRole('button', { name: 'Comment on Plan' }).click();
  await expect(card).toContainText('Your comment in the document goes to the agent');
  await expect(page.locator('.part.panel')).toBeVisible();
  await info.attach('plan', { body: await page.screenshot(), contentType: 'image/png' });
  await expect(async () => {
    if (await card.isVisible()) await card.getByRole('button', { name: 'Keep planning' }).click({ timeout: 2_000 });
    const read = (): string => resultsOf(model.conversation.at(-1)).at(-1) ?? '';
    await expect.poll(read, { timeout: 2_000 }).toContain('Use pnpm for that.');
  }).toPass({ timeout: 30_000 });
  const feedback = resultsOf(model.conversation.at(-1)).at(-1) ?? '';
  expect(feedback).toContain('Line 4:\n> 2. Run the tests\n\nUse pnpm for that.');
  // VS Code opened its list of comments; with the comments it goes.
  await expect(page.locator('.part.panel')).toBeHidden();

  await expect(card).toBeVisible();
  await expect.poll(async () => (await inFront()) ?? first).not.toBe(first);
  await expect(tab).toHaveCount(1);
  await line.click();
  await page.keyboard.press('End');
  await page.keyboard.type(' with pnpm');
  await expect(card).toContainText('Run the tests with pnpm');
  await expect(async () => {
    if (await card.isVisible()) await card.getByRole('button', { name: 'Approve plan' }).click({ timeout: 2_000 });
    await expect(card).toBeHidden({ timeout: 1_000 });
  }).toPass({ timeout: 30_000 });
  await expect(chat.answers.last()).toContainText('I begin.');
  expect(JSON.stringify(model.conversation.at(-1)?.messages)).toContain('2. Run the tests with pnpm');
  await expect(tab).toHaveCount(0);
});

function resultsOf(request: ModelRequest | undefined): string[] {
  return request === undefined ? [] : toolResultsOf(request).map(({ text }) => text);
}
