import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { gitPlaces } from '../../../src/host/findGit.ts';
import { IgnoreRules } from '../../../src/host/ignoreRules.ts';
import { runGit, zeroSeparated } from '../../../src/host/runGit.ts';
import { walkFolder } from '../../../src/host/walkFolder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-files-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function fill(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

const rules = [
  '# a comment',
  '',
  '*.log',
  '!keep.log',
  '/build',
  'cache/',
  'docs/**/draft.md',
  '**/tmp',
  'deep/**',
  'a?c.txt',
  '[Tt]humbs.db',
  '[!x-z]1.dat',
  String.raw`\#sharp`,
  String.raw`\!bang`,
  'trailing   ',
  String.raw`space\ `,
  'half[',
  'middle/*.js',
  'dotted.[ch]',
  'foo/**/bar',
  '[z-a].back',
].join('\n');

const files: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...['x.log', 'keep.log', 'sub/x.log', 'sub/keep.log', 'build/out.js', 'sub/build/in.js', 'cache/a', 'sub/cache/b'],
    ...[
      'cacheless',
      'sub2/cache',
      'docs/draft.md',
      'docs/a/draft.md',
      'docs/a/b/draft.md',
      'docs/final.md',
      'draft.md',
    ],
    ...[
      'tmp/a',
      'sub/tmp/a',
      'deep/a',
      'deep/b/c',
      'abc.txt',
      'abbc.txt',
      'Thumbs.db',
      'thumbs.db',
      'a1.dat',
      'x1.dat',
    ],
    ...[
      '#sharp',
      '!bang',
      'bang',
      'trailing',
      'space ',
      'space',
      'half[',
      'middle/a.js',
      'middle/sub/a.js',
      'dotted.c',
    ],
    ...[
      'dotted.x',
      'foo/bar',
      'foo/a/bar',
      'foo/a/b/bar',
      'foo/baz',
      'inner/only.txt',
      'inner/other.txt',
      'inner/x.log',
      'm.back',
    ],
    ...['ünïcode.log', 'with space/file one.txt'],
  ].map(path => [path, '']),
);

describe('the files of a folder without a repository', () => {
  it('are those that git would list', async () => {
    await fill({ ...files, '.gitignore': rules, 'inner/.gitignore': 'only.txt\n!x.log\n' });
    const walked = await walkFolder(folder, 10_000);
    const env = { PATH: process.env['PATH'], HOME: folder };
    execFileSync('git', ['init', '-q', folder], { env });
    const listed = await runGit({
      cwd: folder,
      args: ['-c', 'core.excludesFile=', 'ls-files', '-z', '--others', '--exclude-standard'],
    });
    expect(zeroSeparated(listed).length).toBeGreaterThan(15);
    expect([...walked].sort()).toEqual(zeroSeparated(listed).sort());
  });

  it('are without what package managers install, and no more than allowed', async () => {
    await fill({ 'a.txt': '', 'b.txt': '', 'node_modules/p/index.js': '', 'sub/c.txt': '' });
    expect([...(await walkFolder(folder, 10))].sort()).toEqual(['a.txt', 'b.txt', 'sub/c.txt']);
    expect(await walkFolder(folder, 2)).toHaveLength(2);
  });

  it('are all listed where rules cannot be read', async () => {
    await fill({ 'a.log': '', 'sub/b.txt': '', 'private/.gitignore': '*.log', 'private/c.log': '' });
    const read = (path: string): Promise<string> =>
      Promise.reject(Object.assign(new Error(`EACCES: ${path}`), { code: 'EACCES' }));
    expect([...(await walkFolder(folder, 10, read))].sort()).toEqual([
      'a.log',
      'private/.gitignore',
      'private/c.log',
      'sub/b.txt',
    ]);
  });

  it('cannot be told when the folder itself is not there', async () => {
    await expect(walkFolder(join(folder, 'missing'), 10)).rejects.toThrow('ENOENT');
  });

  it('follow the case of the disk', () => {
    expect(new IgnoreRules('Build', true).judge('build', true)).toBe(true);
    expect(new IgnoreRules('Build', false).judge('build', true)).toBeUndefined();
  });
});

describe('git', () => {
  it('is looked for in absolute places only, never in the folder it works in', () => {
    const windows = { Path: '.;C:\\tools;"C:\\a b";bin', PROGRAMFILES: 'C:\\Program Files' };
    expect(gitPlaces(windows, 'win32')).toEqual([
      'C:\\tools\\git.exe',
      'C:\\a b\\git.exe',
      'C:\\Program Files\\Git\\cmd\\git.exe',
    ]);
    expect(gitPlaces({ PATH: '.:/usr/bin::bin:/opt/bin' }, 'linux')).toEqual(['/usr/bin/git', '/opt/bin/git']);
  });
});
