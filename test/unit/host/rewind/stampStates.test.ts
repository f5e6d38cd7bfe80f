import { chmod, rm, symlink, utimes } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StampStates } from '../../../../src/host/rewind/stampStates.ts';
import { TestFolder } from './folder.ts';

let folder: TestFolder;

beforeEach(async () => {
  folder = await TestFolder.make({ 'a.txt': 'a', 'b.txt': 'b', 'node_modules/m/x.js': 'x' });
});

afterEach(async () => folder.dispose());

describe('states of a folder without git', () => {
  it('differ by what was changed, made and deleted', async () => {
    const states = new StampStates({ folder: folder.path });
    const before = await states.take();
    await folder.write('a.txt', 'A');
    await folder.write('sub/new.txt', 'n');
    await rm(folder.at('b.txt'));
    const changes = await states.changes(before, await states.take());
    expect(changes.map(({ path, change }) => `${change} ${path}`).sort()).toEqual([
      'changed a.txt',
      'created sub/new.txt',
      'deleted b.txt',
    ]);
  });

  it('are equal when a file was only touched', async () => {
    const states = new StampStates({ folder: folder.path });
    const before = await states.take();
    await utimes(folder.at('a.txt'), 1, 1);
    expect(await states.changes(before, await states.take())).toEqual([]);
  });

  it('see what can be run, and tell it', async () => {
    const states = new StampStates({ folder: folder.path });
    const before = await states.take();
    await chmod(folder.at('a.txt'), 0o755);
    const after = await states.take();
    expect(await states.changes(before, after)).toEqual([{ path: 'a.txt', change: 'changed' }]);
    const held = async (state: typeof before) => (await states.held(state, new Set(['a.txt']))).get('a.txt');
    expect([(await held(before))?.executable, (await held(after))?.executable]).toEqual([false, true]);
    expect((await held(before))?.id).toBe((await held(after))?.id);
  });

  it('see links by where they point', async () => {
    const states = new StampStates({ folder: folder.path });
    const before = await states.take();
    await rm(folder.at('a.txt'));
    await symlink('b.txt', folder.at('a.txt'));
    const after = await states.take();
    expect(await states.changes(before, after)).toEqual([{ path: 'a.txt', change: 'changed' }]);
    expect((await states.held(after, new Set(['a.txt']))).get('a.txt')).toMatchObject({ plain: false });
  });

  it('look at no more files than they should, and then claim nothing about the rest', async () => {
    const states = new StampStates({ folder: folder.path, mostFiles: 1 });
    const before = await states.take();
    expect(before.truncated).toBe(true);
    await folder.write('c.txt', 'c');
    expect(await states.changes(before, await states.take())).toEqual([]);
  });

  it('pass over folders that tools make', async () => {
    const states = new StampStates({ folder: folder.path });
    expect(Object.keys((await states.take()).stamps).sort()).toEqual(['a.txt', 'b.txt']);
    expect(await states.unseen(['node_modules/m/x.js', 'a.txt'])).toEqual(new Set(['node_modules/m/x.js']));
  });
});
