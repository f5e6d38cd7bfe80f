import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promptOf, toolResultsOf } from '../support/model/request.ts';
import { say, tool } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';

test.describe('Two windows on one workspace', () => {
  test.describe.configure({ timeout: 120_000 });

  test('a question is shown and answered only in the window that asked it', async ({ model, project, workbench }) => {
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

    const other = await workbench.openBeside();
    const second = await other.openChat();
    await expect(second.permission('Write')).toHaveCount(0);
    await expect(other.statusBarItem('question waiting')).toHaveCount(0);
    await other.runCommand('handrail.acceptProposal');
    await other.runCommand('handrail.rejectProposal');
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
