import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { emptyAmong } from '../../../../src/host/rewind/emptyFolders.ts';

it('tells empty folders from those with files and from those that nobody may look into', async () => {
  const top = await mkdtemp(join(tmpdir(), 'handrail-empty-'));
  try {
    await mkdir(join(top, 'empty/deep'), { recursive: true });
    await mkdir(join(top, 'full/deep'), { recursive: true });
    await writeFile(join(top, 'full/deep/file'), '');
    await mkdir(join(top, 'locked'));
    const read = (folder: string) =>
      folder.endsWith('locked')
        ? Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' }))
        : readdir(folder, { withFileTypes: true });
    expect(await emptyAmong(top, ['empty', 'full', 'locked'], read)).toEqual(['empty']);
  } finally {
    await rm(top, { recursive: true });
  }
});
