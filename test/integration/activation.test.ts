import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { handrail, manifest } from './extension.ts';

/** Runs first (files are sorted by name): the tests after it activate the extension. */
describe('Activation', () => {
  it('does not happen because VS Code started', () => {
    assert.equal(handrail().isActive, false);
  });

  it('happens with the first command and needs no workspace file', async () => {
    await vscode.commands.executeCommand('handrail.open');
    assert.equal(handrail().isActive, true);
  });

  it('registers every declared command and no other', async () => {
    const declared = manifest().contributes.commands.map(({ command }) => command);
    const registered = (await vscode.commands.getCommands(true)).filter(id => id.startsWith('handrail.'));
    // VS Code itself adds commands for the view and its container, such as `handrail.chat.focus`.
    const own = registered.filter(id => !/^handrail\.chat\./.test(id));
    assert.deepEqual(own.sort(), declared.sort());
  });

  it('exports nothing to other extensions', () => {
    assert.equal(handrail().isActive, true);
    assert.equal(handrail().exports, undefined);
  });
});
