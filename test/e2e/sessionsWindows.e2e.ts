import { say } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';

test.describe('A session', () => {
  test.describe.configure({ timeout: 120_000 });

  test('that another window works on is said to be taken, until that window lets go of it', async ({
    model,
    workbench,
  }) => {
    model.enqueue(say('The only answer.'));
    // Begun here, so that no command line names it.
    const first = await workbench.openChat();
    await first.prompt('One question');
    await expect(first.answers.last()).toContainText('The only answer.');
    await first.idle();

    const other = await workbench.openBeside();
    const second = await other.openChat();
    const openIt = async (): Promise<void> => {
      await other.runCommand('handrail.newSession');
      await expect(second.prompts).toHaveCount(0);
      await other.runCommand('handrail.continueSession');
      await expect(second.answers.last()).toContainText('The only answer.');
    };
    await openIt();
    await expect(second.error).toContainText('Another process has this session open');
    await expect(second.error.getByRole('button', { name: 'Fork session' })).toBeVisible();

    await workbench.page.bringToFront();
    await workbench.runCommand('handrail.newSession');
    await expect(first.prompts).toHaveCount(0);
    await other.page.bringToFront();
    await expect(async () => {
      await openIt();
      await expect(second.error).toBeHidden({ timeout: 2_000 });
    }).toPass({ timeout: 40_000 });
  });
});
