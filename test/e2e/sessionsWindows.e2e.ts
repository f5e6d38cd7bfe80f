import path from 'node:path';
import { say } from '../support/model/script.ts';
import { Bridge } from './support/bridge.ts';
import { expect, test } from './support/fixtures.ts';
import { until } from './support/waiting.ts';
import { Workbench } from './support/workbench.ts';

test.describe('A session', () => {
  test.describe.configure({ timeout: 120_000 });

  test('that another window works on is said to be taken, until that window lets go of it', async ({
    model,
    project,
    workbench,
    editor,
    context,
  }) => {
    model.enqueue(say('The only answer.'));
    // Begun here, so that no command line names it.
    const first = await workbench.openChat();
    await first.prompt('One question');
    await expect(first.answers.last()).toContainText('The only answer.');
    await first.idle();

    const pid = await editor.bridge.hostPid();
    const page = await context.newPage();
    await new Workbench(page, editor).open();
    // The host that started last has written where it is.
    const bridge = await until('the other extension host', async () => {
      const newest = new Bridge(path.join(project.root, 'bridge.json'));
      return (await newest.hostPid()) === pid ? undefined : newest;
    });
    const other = new Workbench(page, editor, bridge);
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
