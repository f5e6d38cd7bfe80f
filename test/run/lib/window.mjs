// Opens the packaged extension in a real VS Code: the desktop one if there is one, else the server build in a browser.
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { installExtension, QUIET, startServer, workbenchUrl, writeSettings } from '../../support/vscode/server.mjs';
import { findProgram } from './chromium.mjs';
import { Fault } from './fault.mjs';
import { atEnd, pause, run, start, stopMatching, stopTree, watchOver } from './processes.mjs';

/** @typedef {(line: string) => void} Log */
/**
 * @typedef {object} WindowOptions
 * @property {string} folder the workspace
 * @property {string} temp where settings, extensions and logs of this window go
 * @property {readonly string[]} vsix the packages to install
 * @property {Record<string, unknown>} machine settings of scope machine
 * @property {NodeJS.ProcessEnv} env the whole environment of VS Code
 * @property {Log} log
 */
/** @typedef {{address?: string, closed: Promise<unknown>}} OpenWindow */

/** A first window for a person: calm, but not the frozen one of the tests. */
const settings = {
  ...Object.fromEntries(
    Object.entries(QUIET).filter(
      ([name]) => !/^(editor\.|workbench\.(colorTheme|reduceMotion)|window\.|files\.)/.test(name),
    ),
  ),
  'files.autoSave': 'off',
};

/** @returns {string | undefined} the desktop VS Code's launcher, if a window of it can be opened from here */
export function findDesktop() {
  const { DISPLAY, WAYLAND_DISPLAY, VSCODE_IPC_HOOK_CLI, WSL_DISTRO_NAME } = process.env;
  // In a terminal of a remote window, and in WSL, `code` is another program that cannot open a window of its own profile.
  if (VSCODE_IPC_HOOK_CLI || WSL_DISTRO_NAME) return undefined;
  if (process.platform === 'linux' && !DISPLAY && !WAYLAND_DISPLAY) return undefined;
  return findProgram('code');
}

/**
 * @param {WindowOptions & {code: string}} options
 * @returns {Promise<OpenWindow>}
 */
export async function openDesktop({ code, folder, temp, vsix, machine, env, log }) {
  const userData = path.join(temp, 'user-data');
  // On the desktop, settings of scope machine are read from the user's file.
  await writeSettings(userData, { user: { ...settings, ...machine, 'security.workspace.trust.enabled': false } });
  const profile = ['--user-data-dir', userData, '--extensions-dir', path.join(temp, 'extensions')];
  const shell = process.platform === 'win32';
  const command = shell ? `"${code}"` : code;
  const quoted = (/** @type {string[]} */ args) => (shell ? args.map(arg => `"${arg}"`) : args);
  const installed = await run(
    command,
    quoted([...profile, ...vsix.flatMap(file => ['--install-extension', file]), '--force']),
    {
      env,
      shell,
      timeoutMs: 120_000,
    },
  );
  if (installed.code !== 0) throw new Fault(`${code} could not install the extension: ${installed.stderr.trim()}`);
  const window = await start(command, quoted([...profile, '--new-window', '--wait', folder]), {
    env,
    shell,
    stdio: 'ignore',
  });
  // The launcher may hand over to a process of its own; it is found by the profile folder that no other window has.
  atEnd(() => stopMatching(userData));
  log('The window is open; close it or press Ctrl+C to end.');
  return { closed: window.exited };
}

/**
 * @param {WindowOptions & {build: import('./vscode.mjs').VscodeBuild, port: number | undefined}} options
 * @returns {Promise<OpenWindow & {address: string}>}
 */
export async function openWeb({ build, port, folder, temp, vsix, machine, env }) {
  const userDataDir = path.join(temp, 'user-data');
  const extensionsDir = path.join(temp, 'extensions');
  await writeSettings(userDataDir, { user: settings, machine });
  const host = { ...build, userDataDir, extensionsDir, env };
  await installExtension({ ...host, vsix });
  const logFile = fs.createWriteStream(path.join(temp, 'server.log'));
  const server = await startOnPort({ ...host, onLog: text => logFile.write(text) }, port);
  const forget = watchOver(server.pid);
  void server.ended.then(forget);
  atEnd(async () => {
    // The agents too: they are in groups of their own, and would go on writing into a folder that is about to go.
    await stopTree(server.pid, 4000);
    await server.stop();
  });
  return { address: await workbenchUrl(server.authority, folder), closed: server.ended };
}

/** @param {number} port @returns {Promise<boolean>} */
function isFree(port) {
  return new Promise(resolve => {
    const probe = net.createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

/** @param {number} port @returns {Promise<number>} */
async function mustBeFree(port) {
  if (await isFree(port)) return port;
  throw new Fault(`Port ${port} is taken: choose another one with --port, or leave it out.`);
}

/**
 * On the port asked for; else always on the same one if possible, so that a browser tab can be reloaded. Between seeing
 * that a port is free and taking it another start can be quicker; then the next one is tried.
 * @param {import('../../support/vscode/server.mjs').ServerOptions} options
 * @param {number | undefined} wanted
 */
async function startOnPort(options, wanted) {
  if (wanted !== undefined) return startServer({ ...options, port: await mustBeFree(wanted) });
  for (let port = 8420; port < 8440; port += 1) {
    if (!(await isFree(port))) continue;
    try {
      return await startServer({ ...options, port });
    } catch (error) {
      if (!(error instanceof Error && error.message.includes('EADDRINUSE'))) throw error;
    }
  }
  return startServer(options);
}

/** @param {string} address @param {Log} log */
export async function openBrowser(address, log) {
  const { DISPLAY, WAYLAND_DISPLAY } = process.env;
  /** @type {[string, string[]] | undefined} */
  let command;
  if (process.platform === 'darwin') command = ['open', [address]];
  else if (process.platform === 'win32') command = ['rundll32', ['url.dll,FileProtocolHandler', address]];
  else if ((DISPLAY || WAYLAND_DISPLAY) && findProgram('xdg-open')) command = ['xdg-open', [address]];
  if (!command) return;
  try {
    const opener = await start(command[0], command[1], { stdio: 'ignore' });
    // The opener may stay for as long as the browser does: that one is the person's, not ours.
    await Promise.race([opener.exited, pause(2000)]);
    opener.release();
  } catch (error) {
    log(
      `No browser could be opened (${error instanceof Error ? error.message : String(error)}): open the address yourself.`,
    );
  }
}
