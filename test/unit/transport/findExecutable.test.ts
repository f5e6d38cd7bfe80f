import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FindOptions, PathKind } from '../../../src/transport/findExecutable.ts';
import { findExecutable } from '../../../src/transport/findExecutable.ts';
import { fakeCliPath } from '../../support/cli/fakeCli.ts';

/** A made-up file system: what is not in it is missing. */
function search(files: Record<string, PathKind>, options: FindOptions) {
  return findExecutable({
    home: '/home/x',
    platform: 'linux',
    env: {},
    inspect: path => files[path] ?? 'missing',
    probe: () => Promise.resolve({ version: '2.1.326' }),
    ...options,
  });
}

describe('the search for the CLI', () => {
  it('uses the setting before all else, with ~ for the home', async () => {
    const files = { '/home/x/bin/claude': 'executable', '/bin/claude': 'executable' } as const;
    const env = { PATH: '/bin', CLAUDE_BIN: '/bin/claude' };
    expect(await search(files, { setting: ' ~/bin/claude ', env })).toEqual({
      found: { path: '/home/x/bin/claude', source: 'setting', version: '2.1.326' },
      tried: [{ path: '/home/x/bin/claude', source: 'setting', outcome: 'ok' }],
    });
  });

  it('does not pass over a setting that does not work in silence', async () => {
    const result = await search({ '/bin/claude': 'executable' }, { setting: '/gone/claude', env: { PATH: '/bin' } });
    expect(result).toEqual({ tried: [{ path: '/gone/claude', source: 'setting', outcome: 'notFound' }] });
  });

  it('looks up a bare name of the setting on the PATH', async () => {
    const result = await search({ '/b/claude-next': 'executable' }, { setting: 'claude-next', env: { PATH: '/a:/b' } });
    expect(result.found).toMatchObject({ path: '/b/claude-next', source: 'setting' });
  });

  it('then asks CLAUDE_BIN, then the PATH, then the well-known places', async () => {
    const files = {
      '/o/claude': 'executable',
      '/b/claude': 'executable',
      '/home/x/.local/bin/claude': 'executable',
    } as const;
    expect((await search(files, { env: { CLAUDE_BIN: '/o/claude', PATH: '/b' } })).found?.source).toBe('environment');
    expect((await search(files, { env: { PATH: '/a:/b' } })).found).toMatchObject({
      path: '/b/claude',
      source: 'path',
    });
    expect((await search(files, { env: { PATH: '/a' } })).found).toMatchObject({
      path: '/home/x/.local/bin/claude',
      source: 'wellKnown',
    });
  });

  it('lists everything it tried, each once, with what was wrong', async () => {
    const files = { '/a/claude': 'directory', '/b/claude': 'notExecutable' } as const;
    const { found, tried } = await search(files, { env: { PATH: '/a:/b:/a:/usr/local/bin' } });
    expect(found).toBeUndefined();
    expect(tried.slice(0, 2).map(one => one.outcome)).toEqual(['isDirectory', 'notExecutable']);
    expect(new Set(tried.map(one => one.path)).size).toBe(tried.length);
    expect(tried.map(one => one.path)).toContain('/home/x/.claude/local/claude');
  });

  it('never takes a program from a relative folder of the PATH', async () => {
    const { tried } = await search(
      { 'node_modules/.bin/claude': 'executable' },
      { env: { PATH: 'node_modules/.bin:.::' } },
    );
    expect(tried.filter(one => one.source === 'path')).toEqual([
      { path: 'claude', source: 'path', outcome: 'notFound', detail: 'PATH names no folder' },
    ]);
  });

  it('still uses a program that does not tell its version, and says so', async () => {
    const probe = () => Promise.resolve({ problem: 'no answer within 2000 ms' });
    const { found, tried } = await search({ '/b/claude': 'executable' }, { env: { PATH: '/b' }, probe });
    expect(found).toEqual({ path: '/b/claude', source: 'path' });
    expect(tried[0]).toEqual({
      path: '/b/claude',
      source: 'path',
      outcome: 'probeFailed',
      detail: 'no answer within 2000 ms',
    });
  });

  it('prefers a claude.exe on Windows to a shim that comes first, and refuses shims', async () => {
    const windows = {
      platform: 'win32',
      home: 'C:\\Users\\x',
      env: { Path: 'C:\\npm;"C:\\Program Files\\c"' },
    } as const;
    const shim = { 'C:\\npm\\claude.cmd': 'executable' } as const;
    const both = { ...shim, 'C:\\Program Files\\c\\claude.exe': 'executable' } as const;
    expect((await search(both, windows)).found?.path).toBe('C:\\Program Files\\c\\claude.exe');
    const { found, tried } = await search(shim, windows);
    expect(found).toBeUndefined();
    expect(tried.find(one => one.path.endsWith('.cmd'))?.outcome).toBe('refusedScript');
    expect(tried.at(-1)?.path).toBe('C:\\Users\\x\\.local\\bin\\claude.exe');
    for (const setting of ['C:\\npm\\claude.cmd', 'c:\\npm\\CLAUDE.BAT', 'C:\\npm\\claude']) {
      const files = { [setting]: 'executable' } as const;
      expect((await search(files, { ...windows, setting })).tried[0]?.outcome).toBe('refusedScript');
    }
  });

  it('works on the real file system: links, folders, missing rights, versions, silence', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'handrail-find-'));
    const place = (name: string): string => join(folder, name);
    const env = { PATH: process.env['PATH'] };
    symlinkSync(fakeCliPath, place('linked'));
    mkdirSync(place('folder'));
    writeFileSync(place('text'), 'x');
    chmodSync(place('text'), 0o644);
    writeFileSync(place('silent'), '#!/bin/sh\nexec sleep 30\n');
    writeFileSync(place('odd'), '#!/bin/sh\necho hello\n');
    chmodSync(place('silent'), 0o755);
    chmodSync(place('odd'), 0o755);
    const outcome = async (name: string) => findExecutable({ setting: place(name), env, probeLimitMs: 300 });
    expect((await findExecutable({ setting: place('linked'), env })).found).toMatchObject({ version: '2.1.326' });
    expect((await outcome('folder')).tried[0]?.outcome).toBe('isDirectory');
    expect((await outcome('text')).tried[0]?.outcome).toBe('notExecutable');
    expect((await outcome('none')).tried[0]?.outcome).toBe('notFound');
    expect((await outcome('silent')).tried[0]).toMatchObject({
      outcome: 'probeFailed',
      detail: 'no answer within 300 ms',
    });
    expect((await outcome('odd')).tried[0]).toMatchObject({
      outcome: 'probeFailed',
      detail: 'the answer holds no version',
    });
  });
});
