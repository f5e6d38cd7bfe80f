import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { EarlierFiles, unlikeBefore } from '../../../../src/host/rewind/earlierFiles.ts';
import { FileHistory } from '../../../../src/host/rewind/fileHistory.ts';
import { PromptStates } from '../../../../src/host/rewind/promptStates.ts';
import { TestFolder } from './folder.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
let folder: TestFolder;
let config: string;

beforeEach(async () => {
  folder = await TestFolder.make();
  config = join(folder.storage, 'config');
});
afterEach(async () => folder.dispose());

function filesOf(): { readonly earlier: EarlierFiles; readonly states: PromptStates } {
  const storage = join(folder.storage, 'states');
  const states = new PromptStates({ folder: folder.path, storage, logger: silentLogger, newId: randomUUID });
  const history = new FileHistory(new DiskSessionFiles(config), config);
  return { earlier: new EarlierFiles(folder.path, history, states), states };
}

/** The CLI's note that it kept a copy of `a.txt` before the prompt, or that there was no file. */
async function note(backupFileName: string | null): Promise<void> {
  await mkdir(join(config, 'projects', 'p'), { recursive: true });
  const backup = { backupFileName, version: 1 };
  const line = { type: 'file-history-delta', snapshotMessageId: 'p1', trackingPath: 'a.txt', backup };
  await writeFile(join(config, 'projects', 'p', `${sessionId}.jsonl`), `${JSON.stringify(line)}\n`);
}

const change = (before: string | null | undefined) => ({ path: 'a.txt', before, after: 'x', added: 1, removed: 1 });
const request = (before: string | null | undefined) => ({ sessionId, promptId: 'p1', changes: [change(before)] });

describe('what a file was before a turn', () => {
  it("comes from the CLI's copy, byte for byte", async () => {
    const bytes = Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x0d, 0x00, 0x0a, 0x00]);
    await note('a@v1');
    await mkdir(join(config, 'file-history', sessionId), { recursive: true });
    await writeFile(join(config, 'file-history', sessionId, 'a@v1'), bytes);
    expect(await filesOf().earlier.find(request('A\n'))).toEqual([
      { path: folder.at('a.txt'), before: bytes, guessed: false },
    ]);
  });

  it('is nothing for a file that was made', async () => {
    await note(null);
    expect(await filesOf().earlier.find(request(null))).toMatchObject([{ before: null, guessed: false }]);
  });

  it.each([
    ['its text', 'one\ntwo\n'],
    ['nothing of it', undefined],
  ])('comes from the state of the folder when the copy is gone and the tool told %s', async (_what, text) => {
    const bytes = Buffer.from('\uFEFFone\r\ntwo\n');
    await folder.write('a.txt', bytes);
    await folder.commitAll();
    const { earlier, states } = filesOf();
    await states.keep('p1', await states.before());
    await folder.write('a.txt', 'something else\n');
    await note('a@v1');
    expect(await earlier.find(request(text))).toMatchObject([{ before: bytes, guessed: false }]);
  });

  it.each([
    ['line ends', Buffer.from('1\r\n2\r\n'), Buffer.from('one\r\ntwo\r\n')],
    ['byte-order mark', Buffer.from('\uFEFF1\n'), Buffer.from('\uFEFFone\ntwo\n')],
    ['encoding', Buffer.from('\uFEFF1\r\n', 'utf16le'), Buffer.from('\uFEFFone\r\ntwo\r\n', 'utf16le')],
  ])('takes its %s from the present file when only the text is known, and says so', async (_what, present, before) => {
    await folder.write('a.txt', present);
    expect(await filesOf().earlier.find(request('one\ntwo\n'))).toMatchObject([{ before, guessed: true }]);
  });

  it('is nothing to go back to where the file is like that again', async () => {
    await folder.write('same.txt', 'as before');
    await folder.write('other.txt', 'changed');
    const of = (name: string, before: string | null | undefined) => ({
      path: folder.at(name),
      before: typeof before === 'string' ? Buffer.from(before) : before,
      guessed: false,
    });
    const [other, gone, unknown] = [of('other.txt', 'before'), of('gone.txt', 'before'), of('unknown.txt', undefined)];
    const files = [of('same.txt', 'as before'), other, of('made-and-gone.txt', null), gone, unknown];
    expect(await unlikeBefore(files)).toEqual([other, gone, unknown]);
  });

  it('is not known when nobody tells', async () => {
    expect(await filesOf().earlier.find(request(undefined))).toMatchObject([{ before: undefined }]);
  });
});
