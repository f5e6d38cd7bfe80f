// Calls vsce, which makes a .vsix of an extension's folder.
import path from 'node:path';
import { root } from './bootstrap.mjs';
import { Fault } from './fault.mjs';
import { run } from './processes.mjs';

/**
 * @param {string} folder
 * @param {string} out
 * @returns {Promise<string>} `out`
 */
export async function vscePackage(folder, out) {
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const switches = ['--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--skip-license'];
  const { PATH, SystemRoot, ComSpec, PATHEXT, HOME, USERPROFILE } = process.env;
  const result = await run(process.execPath, [vsce, 'package', ...switches, '--out', out], {
    cwd: folder,
    what: 'vsce',
    timeoutMs: 120_000,
    env: { PATH, SystemRoot, ComSpec, PATHEXT, HOME, USERPROFILE, CI: '1' },
  });
  if (result.code !== 0)
    throw new Fault(`vsce could not make the package:\n${`${result.stdout}\n${result.stderr}`.trim()}`);
  return out;
}
