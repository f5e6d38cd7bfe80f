import { Gate } from '../support/model/gate.ts';
import { say } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';

test.describe('The panel', () => {
  test('has the cursor in the composer when it opens, and sends with Enter', async ({ model, workbench, page }) => {
    model.enqueue(say('You typed that.'));
    const chat = await workbench.openChat();

    await expect(chat.composer).toBeFocused();
    await page.keyboard.type('No mouse was used');
    await page.keyboard.press('Enter');

    await expect(chat.prompts).toContainText('No mouse was used');
    await expect(chat.answers).toContainText('You typed that.');
  });

  test('shows what was said while it was hidden', async ({ model, workbench, page }) => {
    const half = new Gate();
    model.enqueue(say('Said in the light. ', half, 'Said in the dark.'));
    const chat = await workbench.openChat();
    await chat.prompt('Talk on.');
    await expect(chat.answers).toContainText('Said in the light.');

    await workbench.runCommand('workbench.action.toggleAuxiliaryBar');
    await expect(page.locator('.part.auxiliarybar')).toBeHidden();
    half.open();
    await (
      await model.nextRequest()
    ).ended;
    const again = await workbench.openChat();

    await expect(again.prompts).toContainText('Talk on.');
    await expect(again.answers).toContainText('Said in the light. Said in the dark.');
    await again.idle();
  });

  test('starts over with a new session that knows nothing of the old one', async ({ model, workbench }) => {
    model.enqueue(say('The first session.'), say('The second session.'));
    const chat = await workbench.openChat();
    await chat.prompt('One');
    await expect(chat.answers).toContainText('The first session.');
    await chat.idle();

    await workbench.runCommand('handrail.newSession');
    await expect(chat.prompts).toHaveCount(0);
    await chat.prompt('Two');

    await expect(chat.answers).toContainText('The second session.');
    await expect(chat.prompts).toHaveCount(1);
    const roles = model.conversation.at(-1)?.messages.map(({ role }) => role);
    expect(roles?.filter(role => role !== 'system')).toEqual(['user']);
  });

  test('is left as it is by commands that find nothing to do, and those of questions say so', async ({
    model,
    workbench,
  }) => {
    model.enqueue(say('Still here.'));
    const chat = await workbench.openChat();
    await chat.composer.fill('Half a sentence');
    await workbench.runCommand('handrail.interrupt');
    await expect(chat.composer).toHaveValue('Half a sentence');
    await expect(chat.error).toBeHidden();
    await workbench.runCommand('handrail.nextPrompt');
    await expect(workbench.notification('No question is waiting')).toBeVisible();
    await workbench.runCommand('handrail.showProposal');
    await expect(workbench.notification('No proposal is waiting')).toBeVisible();
    await chat.composer.press('Enter');
    await expect(chat.answers).toContainText('Still here.');
    await expect(chat.prompts).toHaveCount(1);
  });

  test('and an editor tab hold two conversations at once', async ({ model, workbench, editor }) => {
    const first = new Gate();
    const second = new Gate();
    model.onRequest(({ kind, messages }) => {
      if (kind !== 'main') return undefined;
      const inTab = JSON.stringify(messages).includes('Hello from the tab');
      return inTab ? say('In the tab: ', second, 'done.') : say('In the side bar: ', first, 'done.');
    });
    const sideBar = await workbench.openChat();
    await sideBar.prompt('Hello from the side bar');
    await expect(sideBar.answers).toContainText('In the side bar:');
    const tab = await workbench.openChatInEditor();
    await tab.prompt('Hello from the tab');
    await expect(tab.answers).toContainText('In the tab:');
    expect(await editor.processes.claude()).toHaveLength(2);

    second.open();
    await expect(tab.answers).toContainText('In the tab: done.');
    await expect(sideBar.answers).not.toContainText('done.');
    first.open();
    await expect(sideBar.answers).toContainText('In the side bar: done.');
  });
});
