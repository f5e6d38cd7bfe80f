// Stands in for the desktop executable of VS Code: takes the switches that @vscode/test-electron passes, and runs them on
// a VS Code server and a headless browser. `HANDRAIL_HOST` says where these are.
import { createWriteStream } from 'node:fs';
import { access, mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { launchChromium, prepareWorkbench } from './browser.mjs';
import { manageExtensions, startServer, vscodeVersion, workbenchUrl, writeSettings } from './server.mjs';

/**
 * @typedef {object} Host
 * @property {string} vscode folder of the VS Code build
 * @property {string} node executable for the server
 * @property {string} chromium executable of the browser
 * @property {number} [timeout] milliseconds after which a run without result has failed
 */

const text = /** @type {const} */ ({ type: 'string' });
const texts = /** @type {const} */ ({ type: 'string', multiple: true });
const flag = /** @type {const} */ ({ type: 'boolean' });

/** @param {string[]} argv */
function readArguments(argv) {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    // The desktop has many more switches; those without a meaning here are left aside.
    strict: false,
    options: {
      extensionTestsPath: text,
      extensionDevelopmentPath: texts,
      'user-data-dir': text,
      'extensions-dir': text,
      'install-extension': texts,
      'uninstall-extension': texts,
      'enable-proposed-api': texts,
      log: text,
      'list-extensions': flag,
      'show-versions': flag,
      force: flag,
      'disable-extensions': flag,
      'disable-workspace-trust': flag,
      version: flag,
    },
  });
  /** @param {unknown} value @returns {string[]} */
  const list = value => (Array.isArray(value) ? value : [value]).filter(item => typeof item === 'string');
  return {
    tests: list(values.extensionTestsPath)[0],
    extensions: list(values.extensionDevelopmentPath).map(folder => path.resolve(folder)),
    userDataDir: list(values['user-data-dir'])[0],
    extensionsDir: list(values['extensions-dir'])[0],
    target: positionals[0],
    disableExtensions: values['disable-extensions'] === true,
    trust: values['disable-workspace-trust'] !== true,
    version: values.version === true,
    manage: [
      ...list(values['install-extension']).flatMap(id => ['--install-extension', id]),
      ...list(values['uninstall-extension']).flatMap(id => ['--uninstall-extension', id]),
      ...(values['list-extensions'] === true ? ['--list-extensions'] : []),
      ...(values['show-versions'] === true ? ['--show-versions'] : []),
      ...(values.force === true ? ['--force'] : []),
    ],
    server: [
      ...list(values['enable-proposed-api']).flatMap(id => ['--enable-proposed-api', id]),
      ...list(values.log).flatMap(level => ['--log', level]),
    ],
  };
}

/**
 * One run of a window with a suite (or without, until it is closed).
 * @param {Host} host
 * @param {ReturnType<typeof readArguments> & { userDataDir: string, extensionsDir: string }} options
 * @returns {Promise<number>} exit code
 */
async function runWindow(host, options) {
  const temp = await mkdtemp(path.join(tmpdir(), 'hrc-'));
  const files = { output: path.join(temp, 'output'), passed: path.join(temp, 'passed') };
  await writeFile(files.output, '');
  const output = await follow(files.output);
  const log = createWriteStream(path.join(options.userDataDir, 'server.log'), { flags: 'a' });
  const verdict = new Verdict();
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.once(signal, () => verdict.fail(`stopped by ${signal}`));
  }
  const limit = host.timeout ?? 300_000;
  const timer = setTimeout(() => verdict.fail(`no result after ${limit / 1000} seconds`), limit);
  /** @type {(() => Promise<void>)[]} */
  const closers = [];
  try {
    await openWindow();
  } catch (error) {
    verdict.fail(error instanceof Error ? error.message : String(error));
  }
  const { code, reason } = await verdict.result;
  clearTimeout(timer);
  for (const close of closers.reverse()) await close();
  await output.end();
  log.end();
  await rm(temp, { recursive: true, force: true, maxRetries: 5 });
  if (reason !== undefined) console.error(`[vscode] ${reason}`);
  return code;

  async function openWindow() {
    const { tests, extensions, disableExtensions, target } = options;
    const server = await startServer({
      ...host,
      userDataDir: options.userDataDir,
      extensionsDir: options.extensionsDir,
      trust: options.trust,
      args: options.server,
      env: {
        ...process.env,
        ...(tests !== undefined && {
          HANDRAIL_RUNNER: JSON.stringify({ tests: path.resolve(tests), ...files }),
        }),
      },
      onLog: printed => {
        log.write(printed);
        const gone = /Extension Host Process exited[^\n]*/.exec(printed);
        // The workbench may still report the end of the suite, which is the better word; it gets a moment to do so.
        if (gone && tests !== undefined) setTimeout(() => verdict.fail(gone[0]), 2_000);
      },
    });
    closers.push(server.stop);
    void server.ended.then(code => verdict.fail(`the server ended with ${String(code)}`));
    const browser = await launchChromium(host.chromium);
    closers.push(() => bounded(browser.close(), 3_000));
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.once('crash', () => verdict.fail('the workbench page crashed'));
    await page.exposeFunction('codeAutomationLog', () => undefined);
    await page.exposeFunction('codeAutomationExit', async (/** @type {unknown} */ code) => {
      if (code !== undefined && code !== 0) verdict.fail();
      else if (tests === undefined || (await exists(files.passed))) verdict.pass();
      else verdict.fail('the extension host ended before the suite did');
    });
    await prepareWorkbench(page, {
      authority: server.authority,
      extensions,
      tests: tests === undefined ? undefined : path.join(import.meta.dirname, 'runner.mjs'),
    });
    const folder = target !== undefined && (await exists(target)) ? target : undefined;
    await page.goto(
      await workbenchUrl(server.authority, folder, disableExtensions ? [['disableExtensions', 'true']] : undefined),
    );
  }
}

/** The first verdict stands. */
class Verdict {
  constructor() {
    /** @type {Promise<{ code: number, reason?: string | undefined }>} */
    this.result = new Promise(resolve => {
      this.pass = () => resolve({ code: 0 });
      this.fail = (/** @type {string | undefined} */ reason) => resolve({ code: 1, reason });
    });
  }
  pass = () => {};
  /** @type {(reason?: string) => void} */
  fail = () => {};
}

/**
 * Prints what is appended to a file, as it comes.
 * @param {string} file
 */
async function follow(file) {
  const handle = await open(file, 'r');
  const buffer = Buffer.alloc(65_536);
  let reading = Promise.resolve();
  const drain = async () => {
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
      if (bytesRead === 0) return;
      process.stdout.write(Buffer.from(buffer.subarray(0, bytesRead)));
    }
  };
  const timer = setInterval(() => (reading = reading.then(drain)), 100);
  return {
    end: async () => {
      clearInterval(timer);
      await reading.then(drain);
      await handle.close();
    },
  };
}

/** @param {string} file */
async function exists(file) {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * @param {Promise<unknown>} work
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
async function bounded(work, milliseconds) {
  await Promise.race([work, new Promise(resolve => setTimeout(resolve, milliseconds).unref())]);
}

async function main() {
  /** @type {Host} */
  const host = JSON.parse(process.env['HANDRAIL_HOST'] ?? '{}');
  for (const name of /** @type {const} */ (['vscode', 'node', 'chromium'])) {
    if (!host[name]) throw new Error(`HANDRAIL_HOST does not say where "${name}" is.`);
  }
  const options = readArguments(process.argv.slice(2));
  if (options.version) {
    console.log(await vscodeVersion(host.vscode));
    return 0;
  }
  const userDataDir = path.resolve(options.userDataDir ?? (await mkdtemp(path.join(tmpdir(), 'hrd-'))));
  const extensionsDir = path.resolve(options.extensionsDir ?? path.join(userDataDir, 'extensions'));
  await mkdir(extensionsDir, { recursive: true });
  if (options.manage.length > 0) {
    const { code, output } = await manageExtensions(
      { ...host, userDataDir, extensionsDir, env: process.env },
      options.manage,
    );
    process.stdout.write(output);
    return code ?? 1;
  }
  if (!(await exists(path.join(userDataDir, 'User', 'settings.json')))) await writeSettings(userDataDir, {});
  return runWindow(host, { ...options, userDataDir, extensionsDir });
}

process.exitCode = await main().catch(error => {
  console.error(`[vscode] ${error instanceof Error ? error.message : String(error)}`);
  return 1;
});
