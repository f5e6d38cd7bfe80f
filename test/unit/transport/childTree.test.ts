import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { ChildTree } from '../../../src/transport/childTree.ts';
import type { ProcessEntry } from '../../../src/transport/processTable.ts';
import { startFailureOf } from '../../../src/transport/startFailure.ts';
import { allowListedEnvironment } from '../../support/cli/fakeCli.ts';

/** A real child that can be ended, under a table of processes as Windows would show it. */
function onWindows(entries: readonly ProcessEntry[], taskkillWorks: boolean) {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], {
    env: allowListedEnvironment('/'),
    stdio: 'ignore',
  });
  const exited = new Promise(resolve => child.on('exit', resolve));
  const pid = Number(child.pid);
  const done: string[] = [];
  const tree = new ChildTree(
    child,
    pid,
    {
      marker: 'm',
      clock: systemClock,
      logger: silentLogger,
      times: { settleMs: 0, terminateMs: 1, killMs: 2 },
      platform: 'win32',
      processes: {
        list: () => {
          done.push('list');
          return Promise.resolve([...entries]);
        },
        identify: id => Promise.resolve({ pid: id, startedAtMost: 100 }),
        marked: () => Promise.resolve(new Set()),
        signal: (id, signal) => {
          done.push(`${signal} ${id}`);
          return true;
        },
      },
    },
    id => {
      done.push(`taskkill ${id === pid ? 'child' : id}`);
      if (taskkillWorks) child.kill('SIGKILL');
      return Promise.resolve(taskkillWorks);
    },
  );
  return { child, pid, tree, done, exited };
}

describe('the tree of a child on Windows', () => {
  it('is ended in one call, without the slow listing', async () => {
    const { tree, done, exited } = onWindows([], true);
    await tree.collect();
    await tree.signal('SIGTERM');
    await exited;
    expect(await tree.sweep()).toBe(0);
    expect(done).toEqual(['taskkill child']);
  });

  it('loses at least its root when that call fails', async () => {
    const { tree, exited } = onWindows([], false);
    await tree.signal('SIGKILL');
    await exited;
  });

  it('is listed only after a crash, and then what is left of it is ended', async () => {
    const entries: ProcessEntry[] = [];
    const { child, pid, tree, done, exited } = onWindows(entries, true);
    child.kill('SIGKILL');
    await exited;
    await tree.sweepOrphans(true);
    expect(done).toEqual([]);
    entries.push({ pid: 7000, parentPid: pid, startedAt: 120 }, { pid: 7001, parentPid: 4, startedAt: 120 });
    await tree.sweepOrphans(false);
    expect(done.filter(one => one !== 'list')[0]).toBe('SIGTERM 7000');
    expect(done.some(one => one.includes('7001'))).toBe(false);
  });
});

describe('a failed start', () => {
  const failing = (code: string): Error => Object.assign(new Error('spawn failed'), { code });

  it.each([
    ['ENOENT', 'folder', 'notFound'],
    ['ENOENT', 'missing', 'folderMissing'],
    ['EACCES', 'folder', 'notExecutable'],
    ['EACCES', 'notAllowed', 'folderNotAllowed'],
    ['ENOTDIR', 'missing', 'folderMissing'],
    ['ENOEXEC', 'folder', 'notExecutable'],
    ['E2BIG', 'folder', 'tooBig'],
    ['EMFILE', 'folder', 'other'],
  ] as const)('%s with the folder %s is called %s', (code, folder, failure) => {
    expect(startFailureOf(failing(code), '/x', () => folder)).toBe(failure);
  });

  it('is called other if it is no error of the system at all', () => {
    expect(startFailureOf('odd', '/x', () => 'folder')).toBe('other');
  });
});
