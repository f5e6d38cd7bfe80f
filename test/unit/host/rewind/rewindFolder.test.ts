import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Deferred } from '../../../../src/base/deferred.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { FileHistory } from '../../../../src/host/rewind/fileHistory.ts';
import { RewindFolder } from '../../../../src/host/rewind/rewindFolder.ts';
import { TestFolder } from './folder.ts';

let folder: TestFolder;

beforeEach(async () => {
  folder = await TestFolder.make({ 'a.txt': 'a\n' });
});
afterEach(async () => folder.dispose());

function open(): RewindFolder {
  const history = new FileHistory(new DiskSessionFiles(folder.storage), folder.storage);
  return new RewindFolder(folder.path, join(folder.storage, 'rewind'), history, silentLogger);
}

it('lets no prompt out while files are being taken back', async () => {
  const here = open();
  const gate = new Deferred<undefined>();
  const order: string[] = [];
  const rewind = here.alone(async () => {
    await gate.promise;
    order.push('rewind');
  });
  const prompt = here.before().then(() => order.push('prompt'));
  gate.resolve(undefined);
  await Promise.all([rewind, prompt]);
  expect(order).toEqual(['rewind', 'prompt']);
});

it('goes on with the next thing when one fails', async () => {
  const here = open();
  const failing = here.alone(() => Promise.reject(new Error('no')));
  const prompt = here.before();
  await expect(failing).rejects.toThrow('no');
  expect((await prompt).inTime).toBe(true);
});
