// The person's own Claude Code, only ever used when they ask for it.
import os from 'node:os';
import path from 'node:path';
import { findProgram } from './chromium.mjs';
import { Fault } from './fault.mjs';
import { run } from './processes.mjs';

/** @returns {Promise<string>} the path of an installed `claude` that has a login */
export async function findOwnClaude() {
  const home = os.homedir();
  const usual = [
    path.join(home, '.local', 'bin'),
    path.join(home, '.claude', 'local'),
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ];
  const file = findProgram('claude') ?? findProgram('claude', usual.join(path.delimiter));
  if (!file)
    throw new Fault(
      'There is no claude on the PATH: install Claude Code, or leave out --claude to rehearse with a scripted model.',
    );
  const script = /\.(cmd|bat)$/i.test(file);
  const status = await run(script ? `"${file}"` : file, ['auth', 'status'], {
    timeoutMs: 30_000,
    what: 'claude auth status',
    shell: script,
  });
  if (status.code !== 0)
    throw new Fault(
      `${file} has no login: run "claude auth login" first, or leave out --claude to rehearse with a scripted model.`,
    );
  return file;
}
