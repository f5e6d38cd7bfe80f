import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promptOf, toolResultsOf } from '../support/model/request.ts';
import { say, tool } from '../support/model/script.ts';
import { Bridge } from './support/bridge.ts';
import { expect, test } from './support/fixtures.ts';
import { until } from './support/waiting.ts';
import { Workbench } from './support/workbench.ts';

test.describe('Two windows on one workspace', () => {
  test.describe.configure({ timeout: 120_000 });

  test('a question is shown and answered only in the window that asked it', async ({
    model,
    project,
    workbench,
    editor,
    context,
  }) => {
    const file = (name: string): string => path.join(project.folder, `${name}.txt`);
    model.onRequest(request => {
      const name = /^Write (\w+)$/.exec(promptOf(request))?.[1];
      if (request.kind !== 'main' || name === undefined) return undefined;
      const done = toolResultsOf(request).some(({ id }) => id === `toolu_${name}`);
      return done ? say(`End of ${name}.`) : tool('Write', { file_path: file(name), content: name }, `toolu_${name}`);
    });
    const first = await workbench.openChat();
    await first.prompt('Write one');
    await expect(first.permission('Write')).toBeVisible();

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
    await expect(second.permission('Write')).toHaveCount(0);
    await expect(other.statusBarItem('question waiting')).toHaveCount(0);
    await bridge.run(async api => {
      await api.commands.executeCommand('handrail.acceptProposal');
      await api.commands.executeCommand('handrail.rejectProposal');
    });
    await expect(other.notification('No proposal is waiting').first()).toBeVisible();
    await expect(first.permission('Write')).toBeVisible();
    expect(existsSync(file('one'))).toBe(false);

    await other.runCommand('handrail.newSession');
    await expect(second.prompts).toHaveCount(0);
    await second.prompt('Write two');
    await expect(second.permission('Write').filter({ hasText: 'two.txt' })).toBeVisible();
    await second.answer('Write', 'Deny');
    await expect(second.answers.last()).toContainText('End of two.');
    await workbench.page.bringToFront();
    await expect(first.permission('Write').filter({ hasText: 'one.txt' })).toBeVisible();
    await first.answer('Write', 'Allow');
    await expect(first.answers.last()).toContainText('End of one.');
    expect(await readFile(file('one'), 'utf8')).toBe('one');
    expect(existsSync(file('two'))).toBe(false);
  });
});
