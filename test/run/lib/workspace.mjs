// The project a person tries Handrail on: a copy of test/run/sample in a temporary folder, under git.
import fs from 'node:fs';
import path from 'node:path';
import { findProgram } from './chromium.mjs';
import { Fault } from './fault.mjs';
import { run } from './processes.mjs';

/**
 * @param {string} folder
 * @param {(line: string) => void} log
 */
export async function createWorkspace(folder, log) {
  fs.cpSync(path.join(import.meta.dirname, '..', 'sample'), folder, { recursive: true });
  if (!findProgram('git')) {
    log('git is not found: the sample is not under version control');
    return;
  }
  // An identity of its own and no settings of the person: their hooks and signing keys have no business here.
  const identity = { GIT_AUTHOR_NAME: 'Sample', GIT_AUTHOR_EMAIL: 'sample@localhost' };
  const env = {
    PATH: process.env['PATH'],
    SystemRoot: process.env['SystemRoot'],
    ...identity,
    GIT_COMMITTER_NAME: identity.GIT_AUTHOR_NAME,
    GIT_COMMITTER_EMAIL: identity.GIT_AUTHOR_EMAIL,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
  };
  for (const args of [
    ['-c', 'init.defaultBranch=main', 'init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '--message', 'feat: a weather station'],
  ]) {
    const result = await run('git', args, { cwd: folder, env, timeoutMs: 30_000 });
    if (result.code !== 0) throw new Fault(`git ${args.join(' ')} failed: ${result.stderr.trim()}`);
  }
}
