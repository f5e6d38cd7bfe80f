import path from 'node:path';
import { toolResultsOf } from '../support/model/request.ts';
import { say, tool } from '../support/model/script.ts';
import { prepared } from './support/environment.ts';
import { expect, test } from './support/fixtures.ts';

const server = path.join(prepared().root, 'test', 'support', 'cli', 'elicitingServer.mjs');
const config = JSON.stringify({ mcpServers: { weather: { command: process.execPath, args: [server] } } });

test.describe('What an MCP server asks', () => {
  test.use({ machine: { 'handrail.claude.extraArguments': ['--mcp-config', config, '--strict-mcp-config'] } });

  test('is filled in on its card, waits like every question, and the server gets what was said', async ({
    model,
    project,
    workbench,
  }) => {
    await project.allowTools('mcp__weather__form');
    model.enqueue(tool('mcp__weather__form', {}), say('Rain.'), tool('mcp__weather__form', {}), say('As you like.'));
    const chat = await workbench.openChat();
    const card = chat.group('Elicitation: weather');
    const said = () => JSON.stringify(model.conversation.flatMap(toolResultsOf).at(-1) ?? '');
    /** Buttons do nothing for a moment after they appeared or moved; like a person, this presses again. */
    const press = async (name: string): Promise<void> => {
      await expect(async () => {
        if (await card.isVisible()) await card.getByRole('button', { name, exact: true }).click({ timeout: 2_000 });
        await expect(card).toBeHidden({ timeout: 1_000 });
      }).toPass();
    };

    await chat.prompt('What is the weather like?');
    await expect(card).toContainText('Which town?');
    await expect(workbench.statusBarItem('1 question waiting')).toBeVisible();
    await expect(async () => {
      await card.getByRole('button', { name: 'Submit' }).click({ timeout: 2_000 });
      await expect(card.getByRole('alert')).toHaveText('An answer is needed here', { timeout: 1_000 });
    }).toPass();
    await card.getByRole('textbox', { name: 'Town' }).fill('Oslo');
    await expect(card.getByRole('alert')).toHaveCount(0);
    await press('Submit');
    await expect(chat.answers.last()).toContainText('Rain.');
    expect(said()).toContain(String.raw`\"action\":\"accept\",\"content\":{\"town\":\"Oslo\",\"days\":3}`);

    await chat.prompt('And again?');
    await expect(card).toBeVisible();
    await press('Decline');
    await expect(chat.answers.last()).toContainText('As you like.');
    expect(said()).toContain(String.raw`{\"action\":\"decline\"}`);
    await expect(chat.log.getByRole('article', { name: 'Elicitation' }).last()).toContainText('Declined');
  });
});
