import { chmod, mkdtemp, readFile, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { Deferred } from '../../src/base/deferred.ts';
import type { RewindAgent } from '../../src/host/rewind/rewindLook.ts';
import type { RewindPreview } from '../../src/host/rewind/rewindPreview.ts';
import { isRestorable } from '../../src/host/rewind/rewindPreview.ts';
import { RewindNotes } from '../../src/host/rewind/rewindNotes.ts';
import { HookRegistry } from '../../src/session/hooks.ts';
import { tool } from '../support/model/script.ts';
import { rewindOnFullDisk } from '../torture/rewindFullDisk.ts';
import { difference, foretoldFiles, git, gitState, RewindRig } from '../torture/rewindRig.ts';
import type { Tree } from '../torture/rewindRig.ts';

let rig: RewindRig | undefined;

afterEach(async () => {
  const problems = rig?.stage.model.problems ?? [];
  await rig?.dispose();
  rig = undefined;
  expect(problems).toEqual([]);
});

async function set(...[files, options]: Parameters<typeof RewindRig.set>): Promise<RewindRig> {
  return (rig = await RewindRig.set(files, options));
}

const plainly = { restore: [], keep: new Set<string>(), promptText: 'words' } as const;
const names = (preview: RewindPreview) => preview.files.map(({ path, change }) => `${change} ${path}`).sort();

/** Edits, makes and deletes, by tools and by the shell, in three turns. */
async function threeTurns(here: RewindRig): Promise<readonly { readonly prompt: string; readonly tree: Tree }[]> {
  const at = (name: string) => here.stage.path(name);
  const turns = [
    [
      tool('Read', { file_path: at('a.txt') }),
      tool('Edit', { file_path: at('a.txt'), old_string: 'one', new_string: 'two' }),
      tool('Write', { file_path: at('sub/new.txt'), content: 'new\n' }),
      tool('Bash', { command: 'echo shell >> b.txt', description: 'add a line' }),
    ],
    [
      tool('Bash', { command: 'echo made > made.txt && rm gone.txt', description: 'make and delete' }),
      tool('Read', { file_path: at('b.txt') }),
      tool('Edit', { file_path: at('b.txt'), old_string: 'b', new_string: 'B' }),
    ],
    [
      tool('Bash', { command: 'rm sub/new.txt', description: 'delete' }),
      tool('Write', { file_path: at('last.txt'), content: 'last\n' }),
    ],
  ];
  const points: { prompt: string; tree: Tree }[] = [];
  for (const [index, steps] of turns.entries()) {
    const tree = await here.tree();
    points.push({ prompt: await here.turn(`turn ${index}`, steps), tree });
  }
  return points;
}

const files = { 'a.txt': 'one\r\n', 'b.txt': 'b\n', 'gone.txt': 'gone\n' };

describe('three turns by tools and shell', () => {
  it('go back to each point and forth again, byte for byte, and the repository is not touched', async () => {
    const here = await set(files, { git: true });
    await writeFile(here.stage.path('a.txt'), 'staged\n');
    await git(here.folder, 'stash');
    await writeFile(here.stage.path('b.txt'), 'b\nstaged\n');
    await git(here.folder, 'add', 'b.txt');
    const untouched = await gitState(here.folder);
    const points = await threeTurns(here);
    const end = await here.tree();
    for (const { prompt, tree } of points) {
      const preview = await here.look(prompt);
      const restore = preview.leftovers.filter(isRestorable);
      const done = await here.rewinder.rewind(preview, here.live.session, { ...plainly, restore });
      expect(done.differing).toEqual([]);
      expect(difference(tree, await here.tree())).toEqual([]);
      await here.rewinder.undo(done.record);
      expect(difference(end, await here.tree())).toEqual([]);
    }
    expect(await gitState(here.folder)).toBe(untouched);
  });

  it('go back without git too, and every file that will differ is named beforehand', async () => {
    const here = await set(files, { git: false });
    const points = await threeTurns(here);
    const end = await here.tree();
    const foretold: string[][] = [];
    for (const { prompt, tree } of points) {
      const preview = await here.look(prompt);
      foretold.push(preview.leftovers.map(({ path, change }) => `${change} ${path}`));
      const done = await here.rewinder.rewind(preview, here.live.session, plainly);
      expect(difference(tree, await here.tree())).toEqual(foretoldFiles(preview));
      await here.rewinder.undo(done.record);
      expect(difference(end, await here.tree())).toEqual([]);
    }
    expect(foretold).toEqual([
      ['changed b.txt', 'deleted gone.txt', 'created made.txt', 'created sub/'],
      ['deleted gone.txt', 'created made.txt'],
      [],
    ]);
  });

  it('go back in the middle of a merge, which stays as it is', async () => {
    const here = await set(files, { git: true });
    await git(here.folder, 'checkout', '-q', '-b', 'other');
    await writeFile(here.stage.path('gone.txt'), 'theirs\n');
    await git(here.folder, 'commit', '-q', '-am', 'other');
    await git(here.folder, 'checkout', '-q', 'main');
    await writeFile(here.stage.path('gone.txt'), 'ours\n');
    await git(here.folder, 'commit', '-q', '-am', 'main');
    await expect(git(here.folder, 'merge', 'other')).rejects.toThrow();
    const untouched = await gitState(here.folder);
    expect(untouched).toContain('MERGE_HEAD');
    const points = await threeTurns(here);
    const end = await here.tree();
    for (const { prompt, tree } of points) {
      const preview = await here.look(prompt);
      const restore = preview.leftovers.filter(isRestorable);
      const done = await here.rewinder.rewind(preview, here.live.session, { ...plainly, restore });
      expect(difference(tree, await here.tree())).toEqual([]);
      await here.rewinder.undo(done.record);
      expect(difference(end, await here.tree())).toEqual([]);
    }
    expect(await gitState(here.folder)).toBe(untouched);
  });

  it('can be undone by another window, after the process died and was resumed', async () => {
    const here = await set(files, { git: true });
    const points = await threeTurns(here);
    const end = await here.tree();
    process.kill(here.live.pid, 'SIGKILL');
    await here.live.session.ended;
    const again = await here.stage.resume(here.live.id);
    const prompt = points[1]?.prompt ?? '';
    const preview = await here.look(prompt, again);
    const done = await here.rewinder.rewind(preview, again.session, plainly);
    expect(difference(end, await here.tree())).not.toEqual([]);
    const found = await here.safe.find(done.record.id);
    if (found === undefined) throw new Error('the record is gone');
    await here.rewinder.undo(found);
    expect(difference(end, await here.tree())).toEqual([]);
  });
});

describe('a look at a rewind', () => {
  it('names what will change as the CLI does, and created files as deletions', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const preview = await here.look(first?.prompt ?? '');
    const dry = await here.live.session.rewindFiles(first?.prompt ?? '', { dryRun: true });
    expect(preview.files.map(file => file.path).sort()).toEqual(dry.canRewind ? [...dry.filesChanged].sort() : []);
    expect(names(preview)).toEqual([
      `delete ${here.stage.path('last.txt')}`,
      `restore ${here.stage.path('a.txt')}`,
      `restore ${here.stage.path('b.txt')}`,
    ]);
  });

  it('names files whose access rights alone will change, which the CLI does not tell, and undoing brings them back', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const a = here.stage.path('a.txt');
    await writeFile(a, files['a.txt']);
    await chmod(a, 0o755);
    const preview = await here.look(first?.prompt ?? '');
    expect(preview.files.filter(file => file.modeOnly).map(file => file.path)).toEqual([a]);
    const done = await here.rewinder.rewind(preview, here.live.session, plainly);
    expect((await stat(a)).mode & 0o777).toBe(0o644);
    await here.rewinder.undo(done.record);
    expect((await stat(a)).mode & 0o777).toBe(0o755);
  });

  it('finds edits by hand that would be overwritten, and they can be kept', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    await writeFile(here.stage.path('a.txt'), 'my own words\n');
    const preview = await here.look(first?.prompt ?? '', here.live, new Set([here.stage.path('b.txt')]));
    expect(preview.files.filter(file => file.editedSince).map(file => file.path)).toEqual([here.stage.path('a.txt')]);
    expect(preview.files.filter(file => file.unsaved).map(file => file.path)).toEqual([here.stage.path('b.txt')]);
    await here.rewinder.rewind(preview, here.live.session, { ...plainly, keep: new Set([here.stage.path('a.txt')]) });
    expect(await readFile(here.stage.path('a.txt'), 'utf8')).toBe('my own words\n');
    expect(await readFile(here.stage.path('b.txt'), 'utf8')).toBe('b\nshell\n');
  });

  it('says no when checkpoints are off, and when the message has none', async () => {
    const off = { extraEnvironment: { CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '' } };
    const here = await set(files, { git: false, open: off });
    const prompt = await here.turn('write', [tool('Write', { file_path: here.stage.path('n.txt'), content: 'n' })]);
    await expect(here.look(prompt)).rejects.toMatchObject({ code: 'notEnabled' });
    const on = await here.stage.resume(here.live.id);
    await expect(here.look('11111111-2222-4333-8444-555555555555', on)).rejects.toMatchObject({ code: 'unknownPoint' });
  });

  it('tells files outside of the folder', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'handrail-outside-')));
    try {
      await writeFile(join(outside, 'o.txt'), 'o\n');
      const flags = { addDirs: [outside] };
      const here = await set(files, { git: true, open: { flags } });
      const file_path = join(outside, 'o.txt');
      const prompt = await here.turn('write', [
        tool('Read', { file_path }),
        tool('Edit', { file_path, old_string: 'o', new_string: 'O' }),
      ]);
      const preview = await here.look(prompt);
      expect(preview.files).toMatchObject([{ path: file_path, outside: true }]);
      const done = await here.rewinder.rewind(preview, here.live.session, plainly);
      expect(await readFile(file_path, 'utf8')).toBe('o\n');
      await here.rewinder.undo(done.record);
      expect(await readFile(file_path, 'utf8')).toBe('O\n');
    } finally {
      await rm(outside, { recursive: true });
    }
  });
});

describe('a rewind that cannot be carried out', () => {
  it('changes nothing when a file is read-only', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    await chmod(here.stage.path('a.txt'), 0o444);
    const end = await here.tree();
    const preview = await here.look(first?.prompt ?? '');
    const attempt = here.rewinder.rewind(preview, here.live.session, plainly);
    await expect(attempt).rejects.toMatchObject({ code: 'readOnly', paths: [here.stage.path('a.txt')] });
    expect(difference(end, await here.tree())).toEqual([]);
  });

  it('changes nothing when a file changed after the preview', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const preview = await here.look(first?.prompt ?? '');
    await writeFile(here.stage.path('a.txt'), 'in between\n');
    const attempt = here.rewinder.rewind(preview, here.live.session, plainly);
    await expect(attempt).rejects.toMatchObject({ code: 'changedMeanwhile' });
    expect(await readFile(here.stage.path('a.txt'), 'utf8')).toBe('in between\n');
  });

  it('changes nothing when a file that would be taken back too changed after the preview', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const preview = await here.look(first?.prompt ?? '');
    const restore = preview.leftovers.filter(isRestorable);
    await writeFile(here.stage.path('made.txt'), 'in between\n');
    const end = await here.tree();
    const attempt = here.rewinder.rewind(preview, here.live.session, { ...plainly, restore });
    await expect(attempt).rejects.toMatchObject({ code: 'changedMeanwhile', paths: [here.stage.path('made.txt')] });
    expect(difference(end, await here.tree())).toEqual([]);
  });

  it('changes nothing when there is no room for what comes back', async () => {
    const here = await set({ 'long.txt': 'long\n'.repeat(1000) }, { git: false });
    const file_path = here.stage.path('long.txt');
    const prompt = await here.turn('shorten', [
      tool('Read', { file_path }),
      tool('Write', { file_path, content: 'short\n' }),
    ]);
    const end = await here.tree();
    const full = here.anotherWindow(4_000);
    const attempt = full.rewind(await here.look(prompt), here.live.session, plainly);
    await expect(attempt).rejects.toMatchObject({ code: 'noSpace' });
    expect(difference(end, await here.tree())).toEqual([]);
    await here.anotherWindow(5_000).rewind(await here.look(prompt), here.live.session, plainly);
    expect(await readFile(file_path, 'utf8')).toBe('long\n'.repeat(1000));
  });

  it('says on a disk that is really full that there is no room, where one can be had', async () => {
    expect(await rewindOnFullDisk()).toMatch(/^(no disk of our own|refused, then carried out)$/);
  });

  it('can be undone when the window died in the middle of it', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const end = await here.tree();
    const preview = await here.look(first?.prompt ?? '');
    const half = new Deferred<undefined>();
    const dying: RewindAgent = {
      rewindFiles: async () => {
        await writeFile(here.stage.path('a.txt'), 'half');
        await rm(here.stage.path('last.txt'));
        half.resolve(undefined);
        // Nobody is there any more to hear the end of it.
        return new Deferred<never>().promise;
      },
    };
    void here.rewinder.rewind(preview, dying, plainly);
    await half.promise;
    const [record] = await here.safe.list();
    if (record === undefined) throw new Error('nothing was saved');
    expect(record).toMatchObject({ done: false, undone: false });
    await here.anotherWindow().undo(record);
    expect(difference(end, await here.tree())).toEqual([]);
  });

  it('puts everything back when the agent fails in the middle of it', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    const end = await here.tree();
    const preview = await here.look(first?.prompt ?? '');
    const clumsy: RewindAgent = {
      rewindFiles: async () => {
        await writeFile(here.stage.path('a.txt'), 'half');
        await rm(here.stage.path('last.txt'));
        return { canRewind: false, message: 'out of luck' };
      },
    };
    await expect(here.rewinder.rewind(preview, clumsy, plainly)).rejects.toMatchObject({ code: 'refused' });
    expect(difference(end, await here.tree())).toEqual([]);
    expect(await here.safe.list()).toEqual([]);
  });

  it('leaves a link alone that stands where the file was', async () => {
    const here = await set(files, { git: true });
    const [first] = await threeTurns(here);
    await rm(here.stage.path('a.txt'));
    await symlink(here.stage.path('b.txt'), here.stage.path('a.txt'));
    const preview = await here.look(first?.prompt ?? '');
    expect(preview.skipped).toEqual([{ path: here.stage.path('a.txt'), reason: 'link' }]);
    await here.rewinder.rewind(preview, here.live.session, plainly);
    expect(await realpath(here.stage.path('a.txt'))).toBe(here.stage.path('b.txt'));
  });
});

describe('after a rewind of files only', () => {
  it('the agent is told with the next prompt, once', async () => {
    const hooks = new HookRegistry();
    const notes = new RewindNotes();
    const here = await set(files, { git: true, open: { session: { hooks } } });
    await here.live.end();
    hooks.register({
      event: 'UserPromptSubmit',
      callback: input => notes.take(input.session_id ?? '', here.safe),
    });
    const live = await here.stage.open({
      flags: { permissionMode: 'acceptEdits', allowedTools: ['Bash'] },
      session: { hooks },
    });
    const heard = () => JSON.stringify(here.stage.model.conversation.at(-1)?.messages);
    const prompt = await here.turn(
      'write',
      [tool('Write', { file_path: here.stage.path('told.txt'), content: 'n' })],
      live,
    );
    const done = await here.rewinder.rewind(await here.look(prompt, live), live.session, plainly);
    expect(done.removed).toEqual([here.stage.path('told.txt')]);
    notes.touched(live.id);
    await here.turn('go on', [], live);
    expect(heard()).toContain('are gone:\\n- told.txt');
    const count = heard().split('are gone:').length;
    await here.turn('and on', [], live);
    expect(heard().split('are gone:')).toHaveLength(count);
  });
});
