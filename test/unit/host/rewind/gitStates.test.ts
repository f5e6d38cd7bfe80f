import { randomUUID } from 'node:crypto';
import { readdir, rm, symlink } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitStates } from '../../../../src/host/rewind/gitStates.ts';
import { gitState } from '../../../torture/rewindRig.ts';
import { TestFolder } from './folder.ts';

let folder: TestFolder;

beforeEach(async () => {
  folder = await TestFolder.make({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'sub/c.txt': 'c\n', '.gitignore': 'ignored/\n' });
  await folder.commitAll();
});

afterEach(async () => folder.dispose());

async function open(path = folder.path, mostBytes?: number): Promise<GitStates> {
  const states = await GitStates.open({
    folder: path,
    storage: folder.storage,
    objects: 'objects-1',
    newId: randomUUID,
    ...(mostBytes === undefined ? {} : { mostBytes }),
  });
  if (states === undefined) throw new Error('no repository');
  return states;
}

describe('states of a folder under git', () => {
  it('differ by what was changed, made and deleted, and give the old contents back', async () => {
    const states = await open();
    const before = await states.take();
    await folder.write('a.txt', 'A\n');
    await folder.write('new.txt', 'new\n');
    await rm(folder.at('sub/c.txt'));
    const after = await states.take();
    const changes = await states.changes(before, after);
    expect(changes.map(({ path, change }) => `${change} ${path}`).sort()).toEqual([
      'changed a.txt',
      'created new.txt',
      'deleted sub/c.txt',
    ]);
    const wanted = changes.flatMap(({ path, old }) => (old === undefined ? [] : [{ path, id: old }]));
    const contents = await states.contents(before, wanted);
    expect(contents.map(bytes => bytes?.toString()).sort()).toEqual(['a\n', 'c\n']);
  });

  it('are equal when nothing changed but the times', async () => {
    const states = await open();
    const before = await states.take();
    await folder.write('a.txt', 'a\n');
    expect(await states.changes(before, await states.take())).toEqual([]);
  });

  it('touch neither index, refs, stash nor objects, also in the middle of a merge', async () => {
    await folder.write('a.txt', 'stashed\n');
    await folder.git('stash');
    await folder.git('checkout', '-q', '-b', 'other');
    await folder.write('a.txt', 'other\n');
    await folder.git('commit', '-q', '-am', 'other');
    await folder.git('checkout', '-q', 'main');
    await folder.write('a.txt', 'mine\n');
    await folder.git('commit', '-q', '-am', 'mine');
    await folder.git('merge', 'other').catch(() => undefined);
    await folder.write('b.txt', 'staged\n');
    await folder.git('add', 'b.txt');
    await folder.write('b.txt', 'and more\n');
    const untouched = await gitState(folder.path);
    const states = await open();
    const before = await states.take();
    await folder.write('a.txt', 'resolved\n');
    await folder.write('free.txt', 'x\n');
    const changes = await states.changes(before, await states.take());
    expect(changes.map(change => change.path).sort()).toEqual(['a.txt', 'free.txt']);
    const [merged] = await states.contents(before, [{ path: 'a.txt', id: changes[0]?.old ?? '' }]);
    expect(merged?.toString()).toContain('<<<<<<<');
    expect(await gitState(folder.path)).toBe(untouched);
  });

  it('leave no index behind', async () => {
    const states = await open();
    await states.take();
    expect(await readdir(folder.storage)).toEqual(['objects-1']);
  });

  it('know nothing of ignored files, and say so', async () => {
    await folder.write('ignored/x.txt', '1');
    const states = await open();
    const before = await states.take();
    await folder.write('ignored/x.txt', '2');
    expect(await states.changes(before, await states.take())).toEqual([]);
    expect(await states.unseen(['ignored/x.txt', 'a.txt'])).toEqual(new Set(['ignored/x.txt']));
    expect(await states.unseen(['a.txt'])).toEqual(new Set());
  });

  describe('keep no content of big files, and still see', () => {
    const big = 'x'.repeat(1000);
    const bigger = 'y'.repeat(2000);
    const cases: [what: string, before: string | undefined, after: string | undefined, change: string | undefined][] = [
      ['that they changed', big, bigger, 'changed'],
      ['that they are the same', big, big, undefined],
      ['that they were made', undefined, big, 'created'],
      ['that they were deleted', big, undefined, 'deleted'],
      ['that they became small', big, 'small', 'changed'],
      ['that they were small', 'small', big, 'changed'],
    ];
    const set = async (path: string, content: string | undefined): Promise<void> => {
      if (content === undefined) await rm(folder.at(path), { force: true });
      else await folder.write(path, content);
    };
    // `new.bin` is not known to git, `a.txt` and `sub/c.txt` are, with another content in the index.
    for (const path of ['new.bin', 'a.txt', 'sub/c.txt']) {
      it.each(cases)(`%s (${path})`, async (_what, before, after, change) => {
        const states = await open(folder.path, 100);
        await set(path, before);
        const from = await states.take();
        if (before !== after) await set(path, after);
        const changes = await states.changes(from, await states.take());
        expect(changes).toMatchObject(change === undefined ? [] : [{ path, change }]);
        expect(changes.map(({ old }) => old !== undefined)).toEqual(changes.map(() => before === 'small'));
        const held = await states.held(from, new Set([path]));
        expect(held.has(path)).toBe(before !== undefined);
        if (before === undefined) return;
        const [content] = await states.contents(from, [{ path, id: held.get(path)?.id ?? '' }]);
        expect(content?.toString()).toBe(before === 'small' ? before : undefined);
      });
    }

    it('a committed one as changed, and give its content back', async () => {
      await folder.write('big.bin', big);
      await folder.git('add', 'big.bin');
      await folder.git('commit', '-q', '-m', 'big');
      const states = await open(folder.at('sub'), 100);
      const whole = await open(folder.path, 100);
      const from = await whole.take();
      await folder.write('big.bin', bigger);
      const [change] = await whole.changes(from, await whole.take());
      expect(change).toMatchObject({ path: 'big.bin', change: 'changed' });
      const [content] = await whole.contents(from, [{ path: 'big.bin', id: change?.old ?? '' }]);
      expect(content?.toString()).toBe(big);
      await folder.write('sub/big.bin', big);
      expect(Object.keys((await states.take()).big)).toEqual(['big.bin']);
    });
  });

  it('of a folder inside a repository name files from that folder', async () => {
    const states = await open(folder.at('sub'));
    const before = await states.take();
    await folder.write('sub/c.txt', 'C\n');
    await folder.write('a.txt', 'outside of it\n');
    const changes = await states.changes(before, await states.take());
    expect(changes.map(change => change.path)).toEqual(['c.txt']);
    const [old] = await states.contents(before, [{ path: 'c.txt', id: changes[0]?.old ?? '' }]);
    expect(old?.toString()).toBe('c\n');
  });

  it('hold what files were, links told apart', async () => {
    await symlink(folder.at('a.txt'), folder.at('link'));
    const states = await open();
    const held = await states.held(await states.take(), new Set(['a.txt', 'link', 'nowhere']));
    expect([...held.values()].map(({ path, plain }) => [path, plain])).toEqual([
      ['a.txt', true],
      ['link', false],
    ]);
  });

  it('give contents as a checkout would write them', async () => {
    await folder.write('.gitattributes', '*.crlf text eol=crlf\n');
    await folder.write('w.crlf', 'one\r\ntwo\r\n');
    const states = await open();
    const before = await states.take();
    const held = await states.held(before, new Set(['w.crlf']));
    const [content] = await states.contents(before, [{ path: 'w.crlf', id: held.get('w.crlf')?.id ?? '' }]);
    expect(content?.toString()).toBe('one\r\ntwo\r\n');
  });

  it('are not to be had without a repository', async () => {
    await rm(folder.at('.git'), { recursive: true });
    const options = { folder: folder.path, storage: folder.storage, objects: 'o', newId: randomUUID };
    expect(await GitStates.open(options)).toBeUndefined();
  });
});
