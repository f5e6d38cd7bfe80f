// The integration layer: mocha in the real extension host, through @vscode/test-electron's `runTests`. Always on the
// server build of VS Code; on the desktop too where it can be had.
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from '../lib/cache.mjs';
import { ensureChromium } from '../lib/chromium.mjs';
import { removeFolder, run as runProgram, temporaryFolder } from '../lib/processes.mjs';
import { ensureVscode } from '../lib/vscode.mjs';
import { packageExtension } from '../package.mjs';
import { QUIET, writeSettings } from '../../support/vscode/server.mjs';

/** @typedef {(line: string) => void} Log */
/** @typedef {{passed: number, failed: number, failures: {title: string, message: string}[]}} LayerResult */

/** The oldest VS Code that the manifest promises to work with has the least API, so the desktop runs are on that one. */
const DESKTOP_VERSION = '1.106.3';
const RUN_LIMIT_MS = 180_000;

/**
 * @param {{root: string, log: Log, artifacts: string}} options
 * @returns {Promise<LayerResult>}
 */
export async function run({ root, log, artifacts }) {
  const suite = await bundleSuites(root);
  // Leaves the bundles that are shipped in `dist`, where the manifest looks for them.
  await packageExtension({ log, out: path.join(path.dirname(suite), 'handrail.vsix') });
  const results = [await runOnServer({ root, log, artifacts, suite })];
  const desktop = await findDesktop(log);
  if (desktop !== undefined) results.push(await runOnDesktop({ root, log, artifacts, suite, desktop }));
  const failures = results.flatMap(result => result.failures);
  return { passed: results.reduce((sum, { passed }) => sum + passed, 0), failed: failures.length, failures };
}

/**
 * Test files are found by glob and stand beside the suite that runs them.
 * @param {string} root
 * @returns {Promise<string>} the bundled suite
 */
async function bundleSuites(root) {
  const { build } = await import('esbuild');
  const outdir = path.join(root, '.build', 'integration');
  fs.rmSync(outdir, { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: ['test/integration/suite.ts', 'test/integration/**/*.test.ts'],
    outdir,
    outbase: 'test/integration',
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    define: { 'import.meta.dirname': '__dirname' },
    logLevel: 'silent',
  });
  return path.join(outdir, 'suite.cjs');
}

/** @typedef {{root: string, log: Log, artifacts: string, suite: string}} Run */

/**
 * @param {Run} options
 * @returns {Promise<LayerResult>}
 */
async function runOnServer(options) {
  const { vscode, node } = await ensureVscode(options.log);
  const chromium = await ensureChromium(options.log);
  const launcher = path.join(options.root, 'test/support/vscode', process.platform === 'win32' ? 'code.cmd' : 'code');
  return launch({
    ...options,
    name: 'server',
    executable: launcher,
    env: { HANDRAIL_HOST: JSON.stringify({ vscode, node, chromium, timeout: RUN_LIMIT_MS - 20_000 }) },
    args: [],
  });
}

/**
 * @param {Run & {desktop: string}} options
 * @returns {Promise<LayerResult>}
 */
function runOnDesktop(options) {
  const { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY } = process.env;
  return launch({
    ...options,
    name: 'desktop',
    executable: options.desktop,
    env: { DISPLAY, WAYLAND_DISPLAY, XAUTHORITY },
    args: ['--disable-telemetry', '--password-store=basic'],
  });
}

/**
 * @param {Run & {name: string, executable: string, env: Record<string, string | undefined>, args: string[]}} options
 * @returns {Promise<LayerResult>}
 */
async function launch({ root, log, artifacts, suite, name, executable, env, args }) {
  const temp = temporaryFolder('handrail-integration');
  const [home, workspace, userData, extensions] = ['home', 'workspace', 'user-data', 'extensions'].map(folder =>
    path.join(temp, folder),
  );
  if (!home || !workspace || !userData || !extensions) throw new Error('No folders were made.');
  for (const folder of [home, workspace, extensions]) fs.mkdirSync(folder);
  fs.writeFileSync(path.join(workspace, 'readme.txt'), 'A workspace of the integration tests.\n');
  // No command line program is started here: what needs one is tested end to end.
  const machine = { 'handrail.claude.executable': path.join(temp, 'no-such-claude') };
  // The desktop reads settings of the machine from the user's file, the server from its own.
  await writeSettings(userData, { user: { ...QUIET, ...(name === 'desktop' && machine) }, machine });
  const resultsFile = path.join(temp, 'results.json');
  const outcome = await runProgram(process.execPath, [path.join(root, 'test/integration/launch.mjs')], {
    cwd: root,
    what: `The integration tests on the ${name}`,
    timeoutMs: RUN_LIMIT_MS,
    onLine: line => log(line),
    env: {
      ...allowedEnvironment(home),
      ...env,
      HANDRAIL_TEST_RESULTS: resultsFile,
      HANDRAIL_LAUNCH: JSON.stringify({
        executable,
        extension: root,
        suite,
        args: [workspace, '--user-data-dir', userData, '--extensions-dir', extensions, ...args],
      }),
    },
  });
  const result = readResults(resultsFile, name, outcome.code);
  if (result.failed > 0) keepLogs(userData, path.join(artifacts, `integration-${name}`));
  removeFolder(temp);
  return result;
}

/** Nothing of the person's own machine reaches the tests. @param {string} home */
function allowedEnvironment(home) {
  const { PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT } = process.env;
  const system = { PATH, LANG, TMPDIR, TEMP, TMP, SystemRoot, ComSpec, PATHEXT };
  return { ...system, HOME: home, USERPROFILE: home, APPDATA: home, LOCALAPPDATA: home };
}

/**
 * A suite that left no results (a killed or hanging extension host), ran nothing, or ended badly has failed.
 * @param {string} file
 * @param {string} name
 * @param {number | null} code
 * @returns {LayerResult}
 */
function readResults(file, name, code) {
  /** @param {string} message @param {number} [passed] @returns {LayerResult} */
  const broken = (message, passed = 0) => ({
    passed,
    failed: 1,
    failures: [{ title: `${name}: the suite as a whole`, message }],
  });
  if (!fs.existsSync(file)) return broken(`It did not come to its end (exit code ${String(code)}).`);
  /** @type {import('../../integration/suite.ts').SuiteResults} */
  const { passed, failures } = JSON.parse(fs.readFileSync(file, 'utf8'));
  if (passed + failures.length === 0) return broken('No test ran.');
  if (failures.length === 0 && code !== 0) return broken(`VS Code ended with exit code ${String(code)}.`, passed);
  return {
    passed,
    failed: failures.length,
    failures: failures.map(({ title, message }) => ({ title: `${name}: ${title}`, message })),
  };
}

/** @param {string} userData @param {string} target */
function keepLogs(userData, target) {
  fs.rmSync(target, { recursive: true, force: true });
  for (const name of ['logs', 'server.log']) {
    const source = path.join(userData, name);
    if (fs.existsSync(source)) fs.cpSync(source, path.join(target, name), { recursive: true });
  }
}

/**
 * The desktop VS Code, downloaded once into the cache; where that is not possible, one line says why.
 * @param {Log} log
 * @returns {Promise<string | undefined>}
 */
async function findDesktop(log) {
  /** @param {string} why */
  const without = why => {
    log(`Desktop VS Code is left out: ${why}`);
    return undefined;
  };
  if (process.platform === 'linux' && !process.env['DISPLAY'] && !process.env['WAYLAND_DISPLAY']) {
    return without('there is no display (use xvfb-run).');
  }
  const cachePath = path.join(cacheFolder(), 'desktop');
  if (!fs.existsSync(cachePath)) {
    try {
      await fetch('https://update.code.visualstudio.com/api/releases/stable', { signal: AbortSignal.timeout(5_000) });
    } catch (error) {
      return without(`its download cannot be reached (${reasonOf(error)}).`);
    }
  }
  const { downloadAndUnzipVSCode } = await import('@vscode/test-electron');
  try {
    return await downloadAndUnzipVSCode({ version: DESKTOP_VERSION, cachePath, timeout: 15_000 });
  } catch (error) {
    return without(`its download failed (${reasonOf(error)}).`);
  }
}

/** What `fetch` says is in its cause. @param {unknown} error @returns {string} */
function reasonOf(error) {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
