import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually, manifest } from './extension.ts';

/** Names that users bind keys to. A command may come with its feature, but these are there from the beginning. */
const firstCommands = ['handrail.open', 'handrail.newSession', 'handrail.newSessionInEditor', 'handrail.interrupt'];

describe('Commands', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('have the names of the contract', () => {
    const declared = manifest().contributes.commands.map(({ command }) => command);
    assert.deepEqual(
      firstCommands.filter(command => !declared.includes(command)),
      [],
    );
  });

  it('stand in the palette under one category', () => {
    const categories = new Set(manifest().contributes.commands.map(({ category }) => category));
    assert.deepEqual([...categories], ['Handrail']);
  });

  it('open a session in an editor tab', async () => {
    await vscode.commands.executeCommand('handrail.newSessionInEditor');
    const tab = await eventually('a tab with the chat', chatTab);
    assert.equal(tab.isActive, true);
  });

  it('open a second session beside the first, not instead of it', async () => {
    await vscode.commands.executeCommand('handrail.newSessionInEditor');
    await vscode.commands.executeCommand('handrail.newSessionInEditor');
    await eventually('two tabs with chats', () => (chatTabs().length === 2 ? true : undefined));
  });
});

function chatTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('handrail.session'));
}

function chatTab(): vscode.Tab | undefined {
  return chatTabs()[0];
}
