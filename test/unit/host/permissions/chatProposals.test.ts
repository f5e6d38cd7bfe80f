import { describe, expect, it } from 'vitest';
import { ChatProposals } from '../../../../src/host/permissions/chatProposals.ts';
import type { FileOnDisk } from '../../../../src/host/permissions/fileOnDisk.ts';
import type { PermissionAsk } from '../../../../src/session/permissionAsk.ts';
import { MemoryLog } from '../../session/sessionKit.ts';
import { fill } from '../chat/fill.ts';
import { askAbout, MemoryStage, onDisk } from './kit.ts';

const settled = (): Promise<void> => new Promise(resolve => setImmediate(resolve));
const path = '/project/a.txt';

function start(options: { open?: 'onRequest' | 'automatically'; read?: (path: string) => Promise<FileOnDisk> } = {}) {
  const stage = new MemoryStage();
  const files = new Map<string, FileOnDisk>([[path, onDisk('one\ntwo\nthree\n')]]);
  const failed: string[] = [];
  const told: string[] = [];
  const touched: string[] = [];
  const absent: FileOnDisk = { file: { state: 'absent' }, writable: true };
  const proposals = new ChatProposals({
    name: 'chat',
    cwd: '/project',
    stage,
    read: options.read ?? (name => Promise.resolve(files.get(name) ?? absent)),
    open: () => options.open ?? 'automatically',
    fail: (askId, message) => failed.push(`${askId}: ${message}`),
    tell: message => told.push(message),
    t: fill,
    logger: new MemoryLog(),
  });
  proposals.onDidChange(toolUseId => touched.push(toolUseId));
  const opened = async (ask: PermissionAsk): Promise<PermissionAsk> => {
    proposals.deskChanged({ type: 'opened', ask });
    await settled();
    return ask;
  };
  return { proposals, stage, files, failed, told, touched, opened };
}

const edit = (id = 'ask-1', file = path): PermissionAsk =>
  askAbout('Edit', { file_path: file, old_string: 'two\n', new_string: 'zwei\n' }, id);

describe('the proposals of a chat', () => {
  it('open their diff by themselves, and quietly', async () => {
    const { stage, opened, touched } = start();
    await opened(edit());
    expect(stage.shown).toEqual([{ id: 'chat-1', how: 'quietly' }]);
    expect(stage.open.get('chat-1')).toMatchObject({
      path: 'a.txt',
      title: 'a.txt: proposal (Handrail)',
      left: 'one\ntwo\nthree\n',
      right: 'one\nzwei\nthree\n',
    });
    expect(touched).toContain('use-ask-1');
  });

  it('wait to be asked where that is wanted', async () => {
    const { stage, proposals, opened } = start({ open: 'onRequest' });
    await opened(edit());
    expect(stage.shown).toEqual([]);
    expect(await proposals.show('ask-1')).toBe(true);
    expect(stage.shown).toEqual([{ id: 'chat-1', how: 'asked' }]);
  });

  it('share one tab: a second question waits, is shown in place of the first, and after it', async () => {
    const { stage, proposals, files, opened } = start();
    files.set('/project/b.txt', onDisk('two\n'));
    const first = await opened(edit());
    await opened(edit('ask-2', '/project/b.txt'));
    expect([...stage.open.keys()]).toEqual(['chat-1']);
    await proposals.show('ask-2');
    expect([...stage.open.keys()]).toEqual(['chat-2']);
    await proposals.show('ask-1');
    proposals.deskChanged({ type: 'closed', ask: first, outcome: { type: 'withdrawn' } });
    await settled();
    expect([...stage.open.keys()]).toEqual(['chat-2']);
  });

  it('put a hunk that is unticked on the card back on the right side', async () => {
    const { stage, proposals, opened } = start();
    await opened(edit());
    await proposals.chooseHunk('ask-1', 0, false);
    expect(stage.open.get('chat-1')?.right).toBe('one\ntwo\nthree\n');
    expect(proposals.present('use-ask-1')?.card).toMatchObject({ hunks: [{ state: 'left' }] });
  });

  it('tick and untick on the card what is done on the right side', async () => {
    const { stage, proposals, opened } = start();
    await opened(edit());
    stage.type('chat-1', 'one\ntwo\nthree\n');
    expect(proposals.present('use-ask-1')?.card).toMatchObject({ hunks: [{ state: 'left' }] });
    stage.type('chat-1', 'one\ndeux\nthree\n');
    expect(proposals.present('use-ask-1')?.card).toMatchObject({ hunks: [{ state: 'changed' }] });
  });

  it('allow what the right side holds at that moment, with a note for the agent', async () => {
    const { stage, proposals, opened } = start();
    const ask = await opened(edit());
    stage.type('chat-1', 'one\ndeux\nthree\n');
    const allowed = await proposals.allow(ask, []);
    expect(allowed?.input).toMatchObject({ file_path: path, new_string: 'deux\n' });
    expect(allowed?.note).toContain('+deux');
  });

  it('allow the original when nothing was changed', async () => {
    const { proposals, opened } = start();
    expect(await proposals.allow(await opened(edit()), [])).toEqual({});
    expect(await proposals.allow(askAbout('Bash', { command: 'ls' }, 'other'), [])).toEqual({});
  });

  it('allow nothing while the file is not the one that is shown, and show the new one', async () => {
    const { stage, proposals, files, told, opened } = start();
    const ask = await opened(edit());
    files.set(path, onDisk('zero\none\ntwo\nthree\n'));
    expect(await proposals.allow(ask, [])).toBeUndefined();
    expect(told).toHaveLength(1);
    expect(stage.open.get('chat-1')).toMatchObject({ left: 'zero\none\ntwo\nthree\n' });
    expect(await proposals.allow(ask, [])).toEqual({});
  });

  it('allow nothing when nothing is left, and say so', async () => {
    const { proposals, told, opened } = start();
    const ask = await opened(edit());
    expect(await proposals.allow(ask, [0])).toBeUndefined();
    expect(told).toEqual(['Nothing of the proposal is left to accept. Take a hunk, or deny.']);
  });

  it('follow the file on disk and say so on the card', async () => {
    const { stage, proposals, files, opened } = start();
    await opened(edit());
    files.set(path, onDisk('one\nthree\n'));
    stage.watched.get(path)?.();
    await settled();
    const notes = proposals.present('use-ask-1')?.notes.map(({ text }) => text) ?? [];
    expect(notes[0]).toContain('not in the file');
    expect(notes[1]).toContain('changed on disk');
  });

  it('say so when the editor holds unsaved changes of the file', async () => {
    const { stage, proposals, opened } = start();
    stage.unsaved.add(path);
    await opened(edit());
    expect(stage.open.get('chat-1')?.title).toBe('a.txt: proposal for the saved file (Handrail)');
    expect(proposals.present('use-ask-1')?.notes[0]?.text).toContain('unsaved');
  });

  it('take their tab away with the question, and stop watching', async () => {
    const { stage, proposals, opened } = start();
    const ask = await opened(edit());
    proposals.deskChanged({ type: 'closed', ask, outcome: { type: 'denied', message: 'no', interrupt: false } });
    await settled();
    expect(stage.open.size).toBe(0);
    expect(stage.watched.size).toBe(0);
    expect(proposals.present('use-ask-1')?.card).toMatchObject({ type: 'edit', created: false, added: 1 });
  });

  it('show what was accepted until its result is there, with nothing left to choose', async () => {
    const { proposals, stage, opened } = start();
    const ask = await opened(edit());
    stage.type('chat-1', 'one\ndeux\nthree\n');
    proposals.deskChanged({ type: 'closed', ask, outcome: { type: 'allowed', changed: true, always: false } });
    const card = proposals.present('use-ask-1')?.card;
    expect(card).toMatchObject({ type: 'edit', added: 1, removed: 1 });
    const hunk = card?.type === 'edit' ? card.hunks[0] : undefined;
    expect(hunk?.state).toBeUndefined();
    expect(hunk?.lines.find(({ type }) => type === 'added')?.text).toBe('deux');
  });

  it('that cannot be prepared are an error to the CLI, neither yes nor no', async () => {
    const { failed, opened } = start({ read: () => Promise.reject(new Error('broken')) });
    await opened(edit());
    expect(failed).toEqual(['ask-1: broken']);
  });

  it('show no diff of a file that is no text, and say why', async () => {
    const file = { state: 'unreadable', code: 'tooBig' } as const;
    const { proposals, stage, opened } = start({ read: () => Promise.resolve({ file, writable: true }) });
    const ask = await opened(askAbout('Write', { file_path: path, content: 'new\n' }));
    expect(stage.shown).toEqual([]);
    expect(proposals.present('use-ask-1')).toMatchObject({ hasDiff: false });
    expect(proposals.present('use-ask-1')?.notes[0]?.text).toContain('too big');
    expect(await proposals.show('ask-1')).toBe(false);
    expect(await proposals.allow(ask, [])).toEqual({});
  });

  it('of a notebook show the cell, under a name that opens as text', async () => {
    const notebook = JSON.stringify({ cells: [{ id: 'c', cell_type: 'markdown', source: ['# A\n', 'b'] }] });
    const { stage, opened } = start({ read: () => Promise.resolve(onDisk(notebook)) });
    await opened(askAbout('NotebookEdit', { notebook_path: '/project/n.ipynb', cell_id: 'c', new_source: '# B\n' }));
    expect(stage.open.get('chat-1')).toMatchObject({ path: 'n.ipynb [1].md', left: '# A\nb', right: '# B\n' });
  });
});

describe('a plan', () => {
  const plan = askAbout('ExitPlanMode', { plan: '# Plan\n' });

  it('opens as a document, quietly by itself and on request, and gives back what was written there', async () => {
    const { proposals, stage, opened } = start();
    await opened(plan);
    expect(stage.shown).toEqual([{ id: 'chat-1', how: 'quietly' }]);
    expect(proposals.editedPlan(plan)).toBeUndefined();
    await proposals.show('ask-1');
    expect(stage.shown.at(-1)).toEqual({ id: 'chat-1', how: 'asked' });
    expect(stage.open.get('chat-1')).toEqual({
      id: 'chat-1',
      path: 'plan.md',
      title: 'Plan (Handrail)',
      right: '# Plan\n',
    });
    stage.type('chat-1', '# Better plan\n');
    expect(proposals.editedPlan(plan)).toBe('# Better plan\n');
    expect(proposals.present('use-ask-1')?.card).toMatchObject({
      type: 'plan',
      markdown: '# Better plan\n',
      edited: true,
    });
  });

  it('counts the comments beside its lines on the card', async () => {
    const { proposals, stage, opened } = start();
    await opened(plan);
    stage.comment('chat-1', { line: 1, quote: '# Plan', text: 'Which one?' });
    expect(proposals.planComments(plan)).toHaveLength(1);
    expect(proposals.present('use-ask-1')).toMatchObject({ card: { comments: 1 }, notes: [{ level: 'info' }] });
  });
});
