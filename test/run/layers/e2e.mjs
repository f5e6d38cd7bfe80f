// The end-to-end layer: Playwright in a real VS Code with the packaged extension, the real command line program and a
// scripted model.
import fs from 'node:fs';
import path from 'node:path';
import { ensureChromium } from '../lib/chromium.mjs';
import { ensureCli } from '../lib/cli.mjs';
import { removeFolder, run as runProgram, temporaryFolder } from '../lib/processes.mjs';
import { ensureVscode } from '../lib/vscode.mjs';
import { packageExtension } from '../package.mjs';
import { installExtension } from '../../support/vscode/server.mjs';

/** @typedef {(line: string) => void} Log */
/** @typedef {{passed: number, failed: number, failures: {title: string, message: string}[]}} LayerResult */

/**
 * @param {{root: string, log: Log, artifacts: string, args?: readonly string[]}} options `args`: more for Playwright, such as `-g name`
 * @returns {Promise<LayerResult>}
 */
export async function run({ root, log, artifacts, args = [] }) {
  const prepared = await prepare({ root, log, artifacts });
  const report = path.join(artifacts, 'e2e-results.json');
  fs.rmSync(report, { force: true });
  const home = path.dirname(prepared.extensions);
  const { PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT } = process.env;
  const playwright = path.join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const { code } = await runProgram(
    process.execPath,
    [playwright, 'test', '--config', 'test/e2e/playwright.config.ts', ...args],
    {
      cwd: root,
      what: 'The end-to-end tests',
      timeoutMs: 1_800_000,
      onLine: log,
      env: {
        ...{ PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT },
        HOME: home,
        HANDRAIL_E2E: JSON.stringify(prepared),
        ...parameters(),
      },
    },
  );
  removeFolder(home);
  return readReport(report, code, log);
}

/** How much of a test is wanted, for tests with more than one size. @returns {Record<string, string>} */
function parameters() {
  const names = ['HANDRAIL_SEQUENCES', 'HANDRAIL_DIFF_ROUNDS'];
  return Object.fromEntries(names.flatMap(name => (process.env[name] ? [[name, process.env[name]]] : [])));
}

/**
 * Fetches what the tests need and installs the packaged extension and the bridge into a folder of its own, once for all tests.
 * @param {{root: string, log: Log, artifacts: string}} options
 * @returns {Promise<import('../../e2e/support/environment.ts').Prepared>}
 */
export async function prepare({ root, log, artifacts }) {
  const { vscode, node } = await ensureVscode(log);
  const claude = await ensureCli(undefined, log);
  const chromium = await ensureChromium(log);
  const temp = temporaryFolder('handrail-e2e');
  const extensions = path.join(temp, 'extensions');
  const vsix = [
    await packageExtension({ log, out: path.join(temp, 'handrail.vsix') }),
    await packageBridge(root, path.join(temp, 'bridge.vsix')),
  ];
  const { PATH, SystemRoot } = process.env;
  const userDataDir = path.join(temp, 'user-data');
  await installExtension({
    vscode,
    node,
    userDataDir,
    extensionsDir: extensions,
    env: { PATH, SystemRoot, HOME: temp },
    vsix,
  });
  fs.mkdirSync(artifacts, { recursive: true });
  return { root, vscode, node, chromium, claude, extensions, builtin: copyPlainExtensions(vscode, temp), artifacts };
}

/**
 * VS Code's own extensions that only describe (languages, themes). Those that run a program of their own say nothing about
 * Handrail and take a sixth of the time in which a window opens.
 * @param {string} vscode
 * @param {string} temp
 * @returns {string} the folder
 */
function copyPlainExtensions(vscode, temp) {
  const source = path.join(vscode, 'extensions');
  const target = path.join(temp, 'builtin');
  for (const name of fs.readdirSync(source)) {
    const manifest = path.join(source, name, 'package.json');
    if (!fs.existsSync(manifest)) continue;
    /** @type {{main?: string, browser?: string}} */
    const { main, browser } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
    if (main === undefined && browser === undefined)
      fs.cpSync(path.join(source, name), path.join(target, name), { recursive: true });
  }
  return target;
}

/**
 * The bridge is installed like any extension: one under development would change the window (its title, for one).
 * @param {string} root
 * @param {string} out
 */
async function packageBridge(root, out) {
  const { PATH, SystemRoot } = process.env;
  const vsce = path.join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
  const switches = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', out];
  const { code, stdout, stderr } = await runProgram(process.execPath, [vsce, 'package', ...switches], {
    cwd: path.join(root, 'test', 'support', 'vscode', 'bridge'),
    what: 'vsce',
    timeoutMs: 60_000,
    env: { PATH, SystemRoot, HOME: path.dirname(out), CI: '1' },
  });
  if (code !== 0) throw new Error(`vsce could not package the bridge:\n${stdout}\n${stderr}`);
  return out;
}

/**
 * @typedef {object} Suite part of Playwright's JSON report
 * @property {string} title
 * @property {Suite[]} [suites]
 * @property {{title: string, tests: {status: string, results: {error?: {message?: string}}[]}[]}[]} [specs]
 */

/**
 * Counts the tests of the report. A pass at the second try counts and is named; anything else is a failure, and so is a run without
 * a report.
 * @param {string} file
 * @param {number | null} code
 * @param {Log} log
 * @returns {LayerResult}
 */
function readReport(file, code, log) {
  /** @type {{suites: Suite[], errors: {message?: string}[]}} */
  const report = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { suites: [], errors: [] };
  let passed = 0;
  /** @type {LayerResult['failures']} */
  const failures = report.errors.map(({ message }) => ({ title: 'Playwright', message: plain(message) }));
  /** @param {Suite} suite @param {string[]} above */
  const walk = (suite, above) => {
    const titles = [...above, suite.title];
    for (const spec of suite.specs ?? []) {
      for (const { status, results } of spec.tests) {
        const title = [...titles, spec.title].join(' › ');
        if (status === 'flaky') log(`Passed only at the second try: ${title}\n${plain(results[0]?.error?.message)}`);
        if (status === 'expected' || status === 'flaky') passed += 1;
        else failures.push({ title, message: plain(results.at(-1)?.error?.message) || `The test was ${status}.` });
      }
    }
    for (const inner of suite.suites ?? []) walk(inner, titles);
  };
  for (const suite of report.suites) walk(suite, []);
  if (failures.length === 0 && (code !== 0 || passed === 0)) {
    failures.push({
      title: 'The end-to-end tests as a whole',
      message: `Playwright ended with exit code ${String(code)} after ${passed} tests.`,
    });
  }
  return { passed, failed: failures.length, failures };
}

/** Without the colours of a terminal. @param {string | undefined} text */
function plain(text = '') {
  return text.replace(/\u001b\[[0-9;]*m/g, '');
}
