import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from '@playwright/test';
import { say } from '../support/model/script.ts';
import type { Chat } from './support/chat.ts';
import type { Editor } from './support/editor.ts';
import { expect, test } from './support/fixtures.ts';

const removeButton = (chat: Chat, name: string): Locator =>
  chat.body.getByRole('button', { name: `Remove ${name}`, exact: true });

/** Opens a file and selects whole lines of it, as a person would. */
async function select(editor: Editor, file: string, from: number, to: number): Promise<void> {
  await editor.bridge.run(
    async (api, name, first, last) => {
      const shown = await api.window.showTextDocument(api.Uri.file(name));
      shown.selection = new api.Selection(first - 1, 0, last, 0);
    },
    file,
    from,
    to,
  );
}

test.describe('Context from the editor', () => {
  test('goes along as a chip that follows the selection, also unsaved, and never from a denied file', async ({
    model,
    project,
    workbench,
    editor,
  }) => {
    model.enqueue(say('It greets.'), say('Nothing to see.'));
    await writeFile(path.join(project.folder, '.env'), 'SECRET=very-secret-value\n');
    const greet = path.join(project.folder, 'src', 'greet.ts');
    const chat = await workbench.openChat();
    await select(editor, greet, 2, 3);
    await expect(removeButton(chat, 'greet.ts:2-3')).toBeVisible();
    await editor.bridge.run(async (api, name) => {
      const edit = new api.WorkspaceEdit();
      edit.insert(api.Uri.file(name), new api.Position(1, 0), '// typed and not saved\n');
      await api.workspace.applyEdit(edit);
    }, greet);
    await select(editor, greet, 2, 4);
    await expect(removeButton(chat, 'greet.ts:2-4')).toBeVisible();
    await expect(removeButton(chat, 'greet.ts:2-3')).toHaveCount(0);

    await chat.prompt('What does this do?');
    await expect(chat.answers.last()).toContainText('It greets.');
    const asked = JSON.stringify(model.conversation.at(-1)?.messages);
    expect(asked).toContain('src/greet.ts, lines 2 to 4 (with changes that are not saved)');
    expect(asked).toContain('// typed and not saved');
    // In the conversation it is a chip, not a text in brackets.
    await expect(chat.prompts.last().locator('.chip')).toHaveText('greet.ts:2-4');
    await expect(chat.prompts.last()).not.toContainText('editor-context');

    await removeButton(chat, 'greet.ts:2-4').click();
    await expect(removeButton(chat, 'greet.ts:2-4')).toHaveCount(0);
    await select(editor, path.join(project.folder, '.env'), 1, 1);
    await expect(chat.body.locator('.composer .chip')).toHaveCount(0);
    await workbench.runCommand('handrail.addSelection');
    await expect(workbench.notification(/on the deny list/)).toBeVisible();
    await chat.prompt('And now?');
    await expect(chat.answers.last()).toContainText('Nothing to see.');
    expect(JSON.stringify(model.conversation.at(-1)?.messages)).not.toContain('very-secret-value');
  });

  test('is added by commands: selection, file and problems; and what fills the context is told', async ({
    model,
    project,
    workbench,
    editor,
    page,
  }) => {
    model.enqueue(say('Seen.'));
    const main = path.join(project.folder, 'src', 'main.ts');
    const chat = await workbench.openChat();
    await select(editor, main, 3, 3);
    await editor.bridge.run((api, name) => {
      const problems = api.languages.createDiagnosticCollection('rehearsal');
      problems.set(api.Uri.file(name), [new api.Diagnostic(new api.Range(2, 8, 2, 13), 'greet is too loud')]);
    }, main);
    const commands = { 'Add Selection': 'main.ts:3', 'Add File': 'main.ts', 'Add Problems': 'main.ts: 1 problem' };
    for (const [command, name] of Object.entries(commands)) {
      await workbench.runFromPalette(`Handrail: ${command} to Chat`);
      await expect(removeButton(chat, name)).toBeVisible();
      await expect(chat.composer).toBeFocused();
    }
    await expect(chat.body.locator('.composer .chip')).toHaveCount(3);

    // Chips are part of the draft: they come back with it.
    await workbench.reload();
    const again = await workbench.openChat();
    await expect(again.body.locator('.composer .chip:not(.chip-selection)')).toHaveCount(3);
    await again.prompt('Look at these.');
    await expect(again.answers.last()).toContainText('Seen.');
    const asked = JSON.stringify(model.conversation.at(-1)?.messages);
    expect(asked).toContain('src/main.ts:3:9 error: greet is too loud');
    expect(asked).toContain('Selected in the editor: src/main.ts, line 3');
    await again.idle();

    await workbench.runCommand('handrail.showContextUsage');
    const list = page.locator('.quick-input-widget:visible');
    await expect(list).toContainText(/Context: [\d,]+ of [\d,]+ tokens/);
    await expect(list).toContainText('System prompt');
  });
});
