import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Safekeeping } from '../../../../src/host/rewind/safekeeping.ts';
import { TestFolder } from './folder.ts';

let folder: TestFolder;
let time = 0;
let ids = 0;

beforeEach(async () => {
  folder = await TestFolder.make({ 'a.txt': 'a', 'sub/b.txt': 'b' });
});

afterEach(async () => folder.dispose());

const head = {
  kind: 'rewind',
  folder: '/project',
  sessionId: 's',
  promptId: 'p',
  promptText: 'words',
} as const;

function safekeeping(storage = folder.storage, mostRecords = 50): Safekeeping {
  return new Safekeeping({ storage, logger: silentLogger, newId: () => `id-${++ids}`, now: () => ++time, mostRecords });
}

describe('the state before a rewind', () => {
  it('comes back byte for byte, with its mode, also in another window', async () => {
    const bytes = Buffer.from([0, 255, 13, 10, 0]);
    await folder.write('a.txt', bytes);
    await chmod(folder.at('a.txt'), 0o755);
    const record = await safekeeping().save(head, [folder.at('a.txt'), folder.at('sub/b.txt'), folder.at('new.txt')]);
    await folder.write('a.txt', 'changed');
    await chmod(folder.at('a.txt'), 0o644);
    await rm(folder.at('sub'), { recursive: true });
    await folder.write('new.txt', 'new');
    const other = safekeeping();
    const found = await other.find(record.id);
    if (found === undefined) throw new Error('the record is gone');
    await other.putBack(found);
    expect(await readFile(folder.at('a.txt'))).toEqual(bytes);
    expect((await stat(folder.at('a.txt'))).mode & 0o777).toBe(0o755);
    expect(await readFile(folder.at('sub/b.txt'), 'utf8')).toBe('b');
    expect(await readdir(folder.path)).toEqual(['a.txt', 'sub']);
  });

  it('that cannot be saved stops everything and leaves nothing behind', async () => {
    await writeFile(folder.storage, 'a file where a folder should be');
    await expect(safekeeping().save(head, [folder.at('a.txt')])).rejects.toMatchObject({ code: 'failed' });
    expect(await readFile(folder.at('a.txt'), 'utf8')).toBe('a');
  });

  it('that does not fit on the disk stops everything, and what was copied goes', async () => {
    let copies = 0;
    const full = new Safekeeping({
      storage: folder.storage,
      logger: silentLogger,
      newId: () => 'full',
      now: () => 1,
      copy: async (from, to) => {
        if (++copies > 1) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
        await copyFile(from, to);
      },
    });
    const attempt = full.save(head, [folder.at('a.txt'), folder.at('sub/b.txt')]);
    await expect(attempt).rejects.toMatchObject({ code: 'noSpace' });
    expect(await readdir(folder.storage)).toEqual([]);
    expect(await full.list()).toEqual([]);
  });

  it('knows who wrote after the rewind', async () => {
    const safe = safekeeping();
    const record = await safe.finish(await safe.save(head, [folder.at('a.txt'), folder.at('sub/b.txt')]));
    expect(await safe.changedSince(record)).toEqual([]);
    await folder.write('sub/b.txt', 'by hand');
    expect(await safe.changedSince(record)).toEqual([folder.at('sub/b.txt')]);
  });

  it('knows who wrote after a rewind that was cut off', async () => {
    const [gone, edited, done, odd] = ['gone.txt', 'edited.txt', 'done.txt', 'odd.txt'].map(name => folder.at(name));
    for (const name of ['gone.txt', 'edited.txt', 'done.txt', 'odd.txt']) await folder.write(name, 'before');
    const paths = [gone, edited, done, odd, folder.at('a.txt')].filter(path => path !== undefined);
    const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
    const wanted = new Map(paths.map(path => [path, path === gone ? null : hash('taken back')]));
    if (odd !== undefined) wanted.delete(odd);
    const record = await safekeeping().save(head, paths, wanted);
    await rm(folder.at('gone.txt'));
    await folder.write('done.txt', 'taken back');
    await folder.write('edited.txt', 'by hand');
    await folder.write('odd.txt', 'nobody said what was to come');
    const safe = safekeeping();
    const found = await safe.find(record.id);
    if (found === undefined) throw new Error('the record is gone');
    expect(await safe.changedSince(found)).toEqual([edited, odd]);
  });

  it('goes back for the files that let it, and names the others', async () => {
    const safe = safekeeping();
    const record = await safe.save(head, [folder.at('a.txt'), folder.at('sub/b.txt')]);
    await rm(folder.at('a.txt'));
    await mkdir(folder.at('a.txt'));
    await folder.write('sub/b.txt', 'changed');
    await expect(safe.putBack(record)).rejects.toMatchObject({ code: 'halfDone', paths: [folder.at('a.txt')] });
    expect(await readFile(folder.at('sub/b.txt'), 'utf8')).toBe('b');
  });

  it('never writes through a link', async () => {
    const safe = safekeeping();
    const record = await safe.save(head, [folder.at('a.txt')]);
    await folder.write('target.txt', 'mine');
    await rm(folder.at('a.txt'));
    await symlink(folder.at('target.txt'), folder.at('a.txt'));
    await expect(safe.putBack(record)).rejects.toMatchObject({ code: 'halfDone' });
    expect(await readFile(folder.at('target.txt'), 'utf8')).toBe('mine');
  });

  it('is kept for the newest rewinds only', async () => {
    const safe = safekeeping(folder.storage, 2);
    for (let count = 0; count < 4; count++) await safe.finish(await safe.save(head, [folder.at('a.txt')]));
    const kept = await safe.list();
    expect(kept).toHaveLength(2);
    expect(kept[0]?.at).toBeGreaterThan(kept[1]?.at ?? Infinity);
  });

  it('survives a record that somebody broke', async () => {
    const safe = safekeeping();
    const record = await safe.save(head, [folder.at('a.txt')]);
    await writeFile(join(folder.storage, record.id, 'record.json'), '{"half":');
    expect(await safe.list()).toEqual([]);
    expect(await safe.find('../../etc')).toBeUndefined();
  });
});
