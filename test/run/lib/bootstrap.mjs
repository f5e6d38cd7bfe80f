// From a fresh clone to installed dependencies, and the frame every program in test/run lives in.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { asFault, Fault } from './fault.mjs';
import { npm } from './npm.mjs';
import { handleSignals, tidyUp } from './processes.mjs';
import { createProgress } from './progress.mjs';
import { withFolderLock } from './store.mjs';

export const root = path.resolve(import.meta.dirname, '../../..');

const modules = path.join(root, 'node_modules');
const stamp = path.join(modules, '.handrail-stamp');

/** @returns {string} what the installed packages depend on */
function wanted() {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'));
  return `${createHash('sha256').update(lock).digest('hex')} ${process.platform}-${process.arch}`;
}

/** @returns {boolean} */
function isInstalled() {
  if (!fs.existsSync(modules)) return false;
  if (fs.existsSync(stamp)) return fs.readFileSync(stamp, 'utf8') === wanted();
  // Installed by hand: npm's own note of what it installed is at least as new as the lock file.
  const note = fs.statSync(path.join(modules, '.package-lock.json'), { throwIfNoEntry: false });
  if (!note || note.mtimeMs < fs.statSync(path.join(root, 'package-lock.json')).mtimeMs) return false;
  fs.writeFileSync(stamp, wanted());
  return true;
}

/**
 * Makes `node_modules` fit the lock file. Two programs started at once in the same clone do it once.
 * @param {(line: string) => void} [log]
 */
export async function bootstrap(log = () => undefined) {
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) throw new Fault(`Node ${process.versions.node} is too old: install Node.js 20 or later.`);
  if (isInstalled()) return;
  const build = path.join(root, '.build');
  fs.mkdirSync(build, { recursive: true });
  await withFolderLock(path.join(build, 'install.lock'), 'the dependencies of this clone', log, async () => {
    if (isInstalled()) return;
    log('npm ci: fetching the dependencies (about half a minute the first time)');
    // One small question first: without a registry `npm ci` tries each of its packages for minutes before it gives up.
    await npm(['view', 'esbuild', 'name'], { cwd: root, what: "the project's dependencies", timeoutMs: 60_000 });
    // No install scripts: what is used here works as it is unpacked.
    await npm(['ci', '--ignore-scripts'], { cwd: root, what: "the project's dependencies" });
    fs.writeFileSync(stamp, wanted());
  });
}

/**
 * The frame of a program a person starts: signals tidy up, an expected failure is one sentence, the end leaves nothing behind.
 * @param {(progress: import('./progress.mjs').Progress) => Promise<number | void>} main returns the exit code
 * @param {NodeJS.WriteStream} [stream] where progress goes
 */
export async function program(main, stream = process.stderr) {
  handleSignals();
  const progress = createProgress(stream);
  let code = 1;
  try {
    code = (await main(progress)) ?? 0;
  } catch (error) {
    const fault = asFault(error);
    process.stderr.write(`\n${fault ? `✗ ${fault.message}` : describe(error)}\n`);
  }
  await tidyUp();
  process.exit(code);
}

/** @param {unknown} error @returns {string} */
function describe(error) {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
