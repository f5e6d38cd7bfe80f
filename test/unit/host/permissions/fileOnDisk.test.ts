import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import nodePath from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFileOnDisk, sameFile } from '../../../../src/host/permissions/fileOnDisk.ts';
import { pathNotes } from '../../../../src/host/permissions/proposalTexts.ts';
import { textFile } from '../../../../src/session/proposal/presentFile.ts';
import { fill } from '../chat/fill.ts';

let folder: string;
const at = (name: string): string => nodePath.join(folder, name);

beforeEach(async () => {
  folder = await realpath(await mkdtemp(nodePath.join(tmpdir(), 'handrail-disk-')));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('a file for a proposal', () => {
  it('is read with its line ends and without its byte-order mark', async () => {
    await writeFile(at('a.txt'), '\uFEFFone\r\ntwo');
    expect(await readFileOnDisk(at('a.txt'))).toEqual({
      file: { state: 'text', text: 'one\r\ntwo', bom: true, encoding: 'utf8' },
      realPath: at('a.txt'),
      writable: true,
    });
  });

  it('that is not there yet is absent, also below a folder that is not there', async () => {
    await writeFile(at('file'), '');
    for (const name of ['new.txt', 'no/such/folder.txt', 'file/below.txt']) {
      expect(await readFileOnDisk(at(name))).toEqual({ file: { state: 'absent' }, writable: true });
    }
  });

  it('that cannot be compared says why', async () => {
    await mkdir(at('folder'));
    await writeFile(at('binary'), Buffer.from([1, 0, 2]));
    await writeFile(at('latin'), Buffer.from([0x63, 0xe9]));
    await writeFile(at('big'), 'x'.repeat(101));
    const code = async (name: string): Promise<string> => {
      const { file } = await readFileOnDisk(at(name), 100);
      return file.state === 'unreadable' ? file.code : file.state;
    };
    expect(await code('folder')).toBe('folder');
    expect(await code('binary')).toBe('binary');
    expect(await code('latin')).toBe('notUtf8');
    expect(await code('big')).toBe('tooBig');
  });

  it('leads where a link leads', async () => {
    await writeFile(at('real.txt'), 'x');
    await symlink(at('real.txt'), at('link.txt'));
    const { realPath } = await readFileOnDisk(at('link.txt'));
    expect(realPath).toBe(at('real.txt'));
    expect(pathNotes(at('link.txt'), realPath, folder, fill)).toEqual([
      `This is a link: the file is ${at('real.txt')}.`,
    ]);
  });
});

describe('the place of a file', () => {
  it('is told when only its case differs, or when it is outside the folder', () => {
    expect(pathNotes('/folder/READ.md', '/folder/Read.md', '/folder', fill)).toEqual([
      'On disk this file is called /folder/Read.md.',
    ]);
    expect(pathNotes('/etc/hosts', '/etc/hosts', '/folder', fill)).toEqual([
      'This is outside the folder of this session.',
    ]);
    expect(pathNotes('/folder/a', undefined, '/folder', fill)).toEqual([]);
  });
});

describe('two looks at a file', () => {
  it('are the same only with the same text and the same storage', () => {
    expect(sameFile(textFile('a'), textFile('a'))).toBe(true);
    expect(sameFile(textFile('a'), textFile('b'))).toBe(false);
    expect(sameFile(textFile('a'), textFile('a', true))).toBe(false);
    expect(sameFile(textFile('a'), { state: 'absent' })).toBe(false);
    expect(sameFile({ state: 'unreadable', code: 'binary' }, { state: 'unreadable', code: 'tooBig' })).toBe(false);
  });
});
