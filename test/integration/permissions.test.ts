import assert from 'node:assert/strict';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { silentLogger } from '../../src/base/logger.ts';
import { ChatProposals } from '../../src/host/permissions/chatProposals.ts';
import { DiffTabs } from '../../src/host/permissions/diffTabs.ts';
import { readFileOnDisk } from '../../src/host/permissions/fileOnDisk.ts';
import { KeyboardPlace } from '../../src/host/permissions/keyboardPlace.ts';
import type { PermissionAsk } from '../../src/session/permissionAsk.ts';
import { toAsk } from '../../src/session/permissionAsk.ts';
import { eventually } from './extension.ts';

const schemes = { proposal: 'handrail-test-proposal', present: 'handrail-test-present' };
let folder: string;
let keyboard: KeyboardPlace;
let tabs: DiffTabs;
let proposals: ChatProposals;
let told: string[];
let count = 0;

/** The editor's side of proposals, with the real editor and real files; only the agent is missing. */
describe('Proposals in the editor', () => {
  before(() => {
    keyboard = new KeyboardPlace();
    tabs = new DiffTabs(keyboard, silentLogger, schemes);
    keyboard.start();
    tabs.start();
  });

  after(() => {
    tabs.dispose();
    keyboard.dispose();
  });

  beforeEach(async () => {
    folder = await realpath(await mkdtemp(path.join(tmpdir(), 'handrail-proposals-')));
    told = [];
    proposals = new ChatProposals({
      name: `chat${++count}`,
      cwd: folder,
      stage: tabs,
      read: readFileOnDisk,
      open: () => 'automatically',
      fail: (_, message) => told.push(message),
      tell: message => told.push(message),
      t: (message, ...values) => vscode.l10n.t(message, ...values),
      logger: silentLogger,
    });
  });

  afterEach(async () => {
    proposals.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(folder, { recursive: true, force: true });
  });

  it('open as a diff: the file on the left, the proposal on the right', async () => {
    const { right, left } = await openDiff(await edit('one\ntwo\nthree\n', 'two\n', 'zwei\n'));

    assert.equal(left.getText(), 'one\ntwo\nthree\n');
    assert.equal(right.getText(), 'one\nzwei\nthree\n');
    assert.equal(diffTab()?.label, 'a.txt: proposal (Handrail)');
    assert.equal(diffTab()?.isPreview, false);
  });

  it('are accepted as the right side holds them', async () => {
    const ask = await edit('one\ntwo\nthree\n', 'two\n', 'zwei\n');
    const { right } = await openDiff(ask);
    await replace(right, 'zwei', 'deux');

    const allowed = await proposals.allow(ask, []);

    assert.equal(allowed?.input?.['new_string'], 'deux\n');
    assert.match(allowed.note ?? '', /\+deux/);
    assert.deepEqual(told, []);
  });

  it('are accepted untouched as the input they came with', async () => {
    const ask = await edit('one\ntwo\n', 'two\n', 'zwei\n');
    await openDiff(ask);
    assert.deepEqual(await proposals.allow(ask, []), {});
  });

  it('take a hunk back on the right side when it is unticked', async () => {
    const ask = await edit('one\ntwo\nthree\n', 'two\n', 'zwei\n');
    const { right } = await openDiff(ask);

    await proposals.chooseHunk(ask.id, 0, false);
    await eventually('the old line on the right', () => (right.getText() === 'one\ntwo\nthree\n' ? true : undefined));
    await proposals.chooseHunk(ask.id, 0, true);

    await eventually('the new line on the right', () => (right.getText() === 'one\nzwei\nthree\n' ? true : undefined));
    assert.equal(right.isDirty, false);
  });

  it('untick a hunk that is reverted on the right side', async () => {
    const ask = await edit('one\ntwo\nthree\n', 'two\n', 'zwei\n');
    const { right } = await openDiff(ask);
    await replace(right, 'zwei', 'two');
    await eventually('the hunk left', () => {
      const card = proposals.present(ask.toolUseId ?? '')?.card;
      return card?.type === 'edit' && card.hunks[0]?.state === 'left' ? true : undefined;
    });
  });

  it('never stay unsaved, so that closing asks nothing and loses nothing', async () => {
    const ask = await edit('one\ntwo\n', 'two\n', 'zwei\n');
    const { right } = await openDiff(ask);
    await replace(right, 'zwei', 'deux');
    await eventually('the text put by', () => (right.isDirty ? undefined : true));

    const tab = diffTab();
    assert.ok(tab);
    assert.equal(await vscode.window.tabGroups.close(tab), true);

    const allowed = await proposals.allow(ask, []);
    assert.equal(allowed?.input?.['new_string'], 'deux\n');
  });

  it('go with their question, even in the middle of typing', async () => {
    const ask = await edit('one\ntwo\n', 'two\n', 'zwei\n');
    const { right } = await openDiff(ask);
    await replace(right, 'zwei', 'deux');
    assert.equal(right.isDirty, true);

    proposals.deskChanged({ type: 'closed', ask, outcome: { type: 'withdrawn' } });

    await eventually('no diff', () => (diffTab() === undefined ? true : undefined));
  });

  it('follow the file on disk', async () => {
    const ask = await edit('one\ntwo\n', 'two\n', 'zwei\n');
    const { left, right } = await openDiff(ask);

    await writeFile(path.join(folder, 'a.txt'), 'zero\none\ntwo\n');

    await eventually('the new file on the left', () => (left.getText() === 'zero\none\ntwo\n' ? true : undefined));
    await eventually('the new right side', () => (right.getText() === 'zero\none\nzwei\n' ? true : undefined));
  });

  it('show every character of every language, with the line ends of the file', async () => {
    const ask = await edit('\uFEFFäöü\r\n日本\r\n', '日本', 'かな 😀');
    const { left, right } = await openDiff(ask);
    assert.equal(left.getText(), 'äöü\r\n日本\r\n');
    assert.equal(right.getText(), 'äöü\r\nかな 😀\r\n');
    assert.deepEqual(await proposals.allow(ask, []), {});
  });

  it('stay behind the tab in which somebody types', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'mine' });
    const editor = await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('type', { text: 'x' });
    const ask = await edit('one\ntwo\n', 'two\n', 'zwei\n');
    proposals.deskChanged({ type: 'opened', ask });

    await eventually('a diff behind', () => diffTab());

    assert.equal(diffTab()?.isActive, false);
    assert.equal(vscode.window.activeTextEditor, editor);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('give an editor back in which somebody began to type while they were opening', async () => {
    const other = await vscode.workspace.openTextDocument({ content: 'mine\n' });
    await vscode.window.showTextDocument(other);
    keyboard.inChat(true);
    const shown = tabs.show({ id: 'late', path: 'a.txt', title: 'a.txt', left: 'one\n', right: 'two\n' }, 'quietly');
    // The diff is on its way over the editor; now the person types.
    await vscode.commands.executeCommand('type', { text: 'y' });
    await shown;

    assert.ok(diffTab());
    await eventually('the editor in front', () =>
      vscode.window.activeTextEditor?.document === other ? true : undefined,
    );
    await vscode.commands.executeCommand('type', { text: 'es' });
    assert.match(other.getText(), /yes/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await tabs.close('late');
    keyboard.inChat(false);
  });

  it('of plans are documents of their own', async () => {
    const ask = toAsk('plan', request('ExitPlanMode', { plan: '# Plan\n' }), 0, 'plan');
    proposals.deskChanged({ type: 'opened', ask });
    assert.equal(await proposals.show('plan'), true);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.languageId, 'markdown');
    await replace(editor.document, 'Plan', 'Better plan');
    assert.equal(proposals.editedPlan(ask), '# Better plan\n');
  });
});

function request(tool: string, input: Record<string, unknown>) {
  return { subtype: 'can_use_tool', tool_name: tool, input, tool_use_id: `use-${count}` } as const;
}

async function edit(text: string, from: string, to: string): Promise<PermissionAsk> {
  const file = path.join(folder, 'a.txt');
  await writeFile(file, text);
  return toAsk(`ask-${count}`, request('Edit', { file_path: file, old_string: from, new_string: to }), 0, 'default');
}

async function openDiff(ask: PermissionAsk): Promise<{ left: vscode.TextDocument; right: vscode.TextDocument }> {
  proposals.deskChanged({ type: 'opened', ask });
  const tab = await eventually('the diff', () => diffTab());
  assert.ok(tab.input instanceof vscode.TabInputTextDiff);
  const [left, right] = await Promise.all([
    vscode.workspace.openTextDocument(tab.input.original),
    vscode.workspace.openTextDocument(tab.input.modified),
  ]);
  return { left, right };
}

function diffTab(): vscode.Tab | undefined {
  return vscode.window.tabGroups.all
    .flatMap(group => group.tabs)
    .find(({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === schemes.proposal);
}

async function replace(document: vscode.TextDocument, from: string, to: string): Promise<void> {
  const start = document.getText().indexOf(from);
  assert.ok(start >= 0, `${from} is not in the document`);
  const range = new vscode.Range(document.positionAt(start), document.positionAt(start + from.length));
  const change = new vscode.WorkspaceEdit();
  change.replace(document.uri, range, to);
  assert.ok(await vscode.workspace.applyEdit(change));
}
