// Calls npm with the user's registry and proxy settings, but without what an outer `npm run` left in the environment.
import fs from 'node:fs';
import path from 'node:path';
import { Fault, npmFault } from './fault.mjs';
import { run } from './processes.mjs';

/** @returns {{command: string, args: string[]}} */
function findNpm() {
  const outer = process.env['npm_execpath'];
  const bin = path.dirname(process.execPath);
  const candidates = [
    ...(outer && path.basename(outer) === 'npm-cli.js' ? [outer] : []),
    path.join(bin, 'node_modules', 'npm', 'bin', 'npm-cli.js'),
    path.join(bin, '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find(file => fs.existsSync(file));
  // Run by Node itself: on Windows npm is a batch file, which cannot be started without a shell.
  return script ? { command: process.execPath, args: [script] } : { command: 'npm', args: [] };
}

/** @returns {NodeJS.ProcessEnv} */
function environment() {
  const left =
    /^npm_(package_|lifecycle_|command$|node_execpath$|execpath$|config_(local_prefix|prefix|global|dry_run|json)$)|^INIT_CWD$/;
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !left.test(name)));
}

/**
 * @param {readonly string[]} args
 * @param {{cwd: string, what: string, timeoutMs?: number, onLine?: (line: string) => void}} options `what`: for the failure's sentence
 * @returns {Promise<string>} what npm wrote to stdout
 */
export async function npm(args, { cwd, what, timeoutMs = 600_000, onLine }) {
  const program = findNpm();
  const quick = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  const retry = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=4000'];
  const result = await run(program.command, [...program.args, ...args, ...quick, ...retry], {
    cwd,
    env: environment(),
    timeoutMs,
    what: `npm (${what})`,
    ...(onLine ? { onLine } : {}),
  }).catch((/** @type {unknown} */ error) => {
    if (error instanceof Fault && error.message.startsWith('The program npm'))
      throw new Fault('npm is not found: install Node.js 20 or later with npm, then run this again.', { cause: error });
    throw error;
  });
  if (result.code !== 0) throw npmFault(`${result.stderr}\n${result.stdout}`, what);
  return result.stdout;
}
