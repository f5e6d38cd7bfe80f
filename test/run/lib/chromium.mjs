// The browser that shows VS Code in tests, pictures and `npm start` without a desktop VS Code.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { withLock } from './store.mjs';
import { Fault } from './fault.mjs';
import { run } from './processes.mjs';

/** @typedef {(line: string) => void} Log */

const missing =
  'Chromium is missing: install Chromium or Google Chrome (or run "npx playwright-core install chromium"), or set HANDRAIL_CHROMIUM to its path.';

/**
 * @param {string} name
 * @param {string | undefined} [searchPath]
 * @returns {string | undefined} the full path of a program on the PATH
 */
export function findProgram(name, searchPath = process.env['PATH']) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  for (const folder of (searchPath ?? '').split(path.delimiter))
    for (const ending of endings) {
      const file = path.join(folder, name + ending);
      if (folder && isExecutable(file)) return file;
    }
  return undefined;
}

/** @param {string} file @returns {boolean} */
function isExecutable(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false; // absent or not ours to run: the answer to the question
  }
}

/** @returns {string[]} where browsers are installed on systems that do not put them on the PATH */
function usualPlaces() {
  if (process.platform === 'darwin')
    return ['/Applications', path.join(os.homedir(), 'Applications')].flatMap(folder =>
      ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(name =>
        path.join(folder, `${name}.app`, 'Contents', 'MacOS', name),
      ),
    );
  if (process.platform !== 'win32') return [];
  const { PROGRAMFILES, 'PROGRAMFILES(X86)': x86, LOCALAPPDATA } = process.env;
  const roots = [PROGRAMFILES, x86, LOCALAPPDATA].filter(root => root !== undefined);
  const programs = [
    'Google/Chrome/Application/chrome.exe',
    'Chromium/Application/chrome.exe',
    'Microsoft/Edge/Application/msedge.exe',
  ];
  return roots.flatMap(root => programs.map(program => path.join(root, program)));
}

/** @returns {Promise<string | undefined>} a browser that Playwright's own installer has put into its cache */
async function playwrights() {
  if (!fs.existsSync(path.join(import.meta.dirname, '../../../node_modules/playwright-core'))) return undefined;
  const { chromium } = await import('playwright-core');
  const file = chromium.executablePath();
  return isExecutable(file) ? file : undefined;
}

/** @returns {Promise<string | undefined>} */
async function findChromium() {
  const chosen = process.env['HANDRAIL_CHROMIUM'];
  if (chosen) {
    if (isExecutable(chosen)) return chosen;
    throw new Fault(`HANDRAIL_CHROMIUM names ${chosen}, which is not a program: correct it or remove it.`);
  }
  for (const name of ['google-chrome-stable', 'google-chrome', 'chromium', 'chromium-browser']) {
    const file = findProgram(name);
    if (file) return file;
  }
  return usualPlaces().find(isExecutable) ?? (await playwrights());
}

/** Debian's own package is a real browser; Ubuntu's of the same name only points to a snap. @returns {boolean} */
function isDebian() {
  if (process.platform !== 'linux' || !fs.existsSync('/etc/os-release')) return false;
  return /^ID="?debian"?$/m.test(fs.readFileSync('/etc/os-release', 'utf8'));
}

/** @param {Log} log */
async function installFromDebian(log) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [['update'], ['install', '-y', '--no-install-recommends', 'chromium']]) {
    log(`apt-get ${args.join(' ')}`);
    const result = await run('apt-get', ['-q', '-o', 'DPkg::Lock::Timeout=300', '-o', 'Acquire::Retries=2', ...args], {
      env,
    });
    if (result.code !== 0) {
      const reason = /^[EW]: .*/m.exec(result.stderr)?.[0] ?? `exit code ${result.code}`;
      throw new Fault(`${missing} (apt-get could not install it: ${reason})`);
    }
  }
}

/**
 * @param {Log} [log]
 * @returns {Promise<string>} the path of a Chromium, Chrome or Edge
 */
export async function ensureChromium(log = () => undefined) {
  const found = await findChromium();
  if (found) return found;
  if (isDebian() && process.getuid?.() === 0)
    await withLock('chromium', log, async () => {
      if (!(await findChromium())) await installFromDebian(log);
    });
  const installed = await findChromium();
  if (!installed) throw new Fault(missing);
  return installed;
}
