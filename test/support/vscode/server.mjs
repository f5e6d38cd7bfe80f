// A VS Code server (the web build) on loopback: started, made quiet, and taken down without a trace.
// Plain JavaScript without dependencies, because `npm start` uses it before anything is installed.
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** @typedef {Record<string, string | undefined>} Environment */
/** @typedef {Record<string, unknown>} Settings */

/**
 * What is needed to run a server.
 * @typedef {object} ServerOptions
 * @property {string} vscode folder of the VS Code build (the one that holds `out/server-main.js`)
 * @property {string} node executable that can run this build
 * @property {string} userDataDir settings, logs and state of this window
 * @property {string} extensionsDir installed extensions
 * @property {number} [port] a free one is taken if absent
 * @property {boolean} [trust] true: workspace trust is on, as for a user; false (default): every folder is trusted
 * @property {string[]} [args] more switches for the server
 * @property {Environment} env the whole environment of the server and of all that it starts; nothing is added but what a server needs
 * @property {number} [startTimeout] milliseconds until a start counts as failed
 * @property {(text: string) => void} [onLog] what the server prints
 */

/**
 * @typedef {object} Server
 * @property {number} port
 * @property {string} authority `127.0.0.1:<port>`
 * @property {number} pid
 * @property {Promise<number | null>} ended resolves with the exit code, however the server ends
 * @property {() => Promise<void>} stop ends the server with all its children and removes its temporary folder; may be called twice
 */

/** Settings of a window that shows nothing of its own accord: no welcome, no toasts, no request to another host. */
export const QUIET = Object.freeze({
  'workbench.startupEditor': 'none',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.tips.enabled': false,
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.colorTheme': 'Dark Modern',
  'window.autoDetectColorScheme': false,
  'window.autoDetectHighContrast': false,
  'chat.disableAIFeatures': true,
  'telemetry.telemetryLevel': 'off',
  // Agents come and go; after twenty of them VS Code would say that it forwards too many ports.
  'remote.autoForwardPorts': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'git.autofetch': false,
  'json.schemaDownload.enable': false,
  'npm.fetchOnlinePackageInfo': false,
  'editor.cursorBlinking': 'solid',
  // The web build saves by itself; a desktop does not, and tests look at unsaved files.
  'files.autoSave': 'off',
});

/**
 * Writes the settings files of a window. To be called before the start: a running window takes up outside changes only once.
 * Settings of scope `machine` must be in `machine`, because the window is a remote one and drops them from the user's file.
 * @param {string} userDataDir
 * @param {{ user?: Settings, machine?: Settings }} settings
 */
export async function writeSettings(userDataDir, { user = QUIET, machine = {} }) {
  for (const [folder, content] of Object.entries({ User: user, Machine: machine })) {
    await mkdir(path.join(userDataDir, folder), { recursive: true });
    await writeFile(path.join(userDataDir, folder, 'settings.json'), JSON.stringify(content, null, 2) + '\n');
  }
}

/**
 * The address of the workbench with a folder or a `.code-workspace` file, or of an empty window.
 * @param {string} authority
 * @param {string} [target]
 * @param {[string, string][]} [payload] start-up switches of the workbench, such as `['disableExtensions', 'true']`
 */
export async function workbenchUrl(authority, target, payload) {
  const query = new URLSearchParams();
  if (target === undefined) query.set('ew', 'true');
  else query.set((await stat(target)).isDirectory() ? 'folder' : 'workspace', remotePath(path.resolve(target)));
  if (payload) query.set('payload', JSON.stringify(payload));
  return `http://${authority}/?${query.toString()}`;
}

/**
 * A path of this machine as the path of a URI.
 * @param {string} file an absolute path
 */
export function remotePath(file) {
  const slashes = file.replaceAll('\\', '/');
  return slashes.startsWith('/') ? slashes : `/${slashes}`;
}

/**
 * Installs a VSIX, or several at once, into an extensions folder. Needs no running server.
 * @param {Pick<ServerOptions, 'vscode' | 'node' | 'userDataDir' | 'extensionsDir' | 'env'> & { vsix: string | readonly string[] }} options
 */
export async function installExtension({ vscode, node, userDataDir, extensionsDir, env, vsix }) {
  await mkdir(extensionsDir, { recursive: true });
  const files = typeof vsix === 'string' ? [vsix] : vsix;
  const { code, output } = await manageExtensions({ vscode, node, userDataDir, extensionsDir, env }, [
    ...files.flatMap(file => ['--install-extension', file]),
    '--force',
  ]);
  if (code !== 0)
    throw new Error(`VS Code could not install ${files.join(', ')} (exit code ${String(code)}).\n${output}`);
}

/**
 * Runs the server's own command line for extensions, for example `['--list-extensions']`.
 * @param {Pick<ServerOptions, 'vscode' | 'node' | 'userDataDir' | 'extensionsDir' | 'env'>} options
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function manageExtensions({ vscode, node, userDataDir, extensionsDir, env }, args) {
  const folders = folderSwitches(userDataDir, extensionsDir);
  const child = spawn(node, [serverMain(vscode), '--accept-server-license-terms', ...folders, ...args], {
    env: { ...env, VSCODE_IPC_HOOK_CLI: undefined },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', text => (output += String(text)));
  }
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', code => resolve({ code, output }));
  });
}

/**
 * Starts a server and resolves when it listens. Rejects, with all that it printed, if it ends or is silent too long.
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer(options) {
  const port = options.port ?? (await freePort());
  // The server leaves its sockets in the temporary folder, so it gets one of its own. Short: socket paths have a limit.
  const temp = await mkdtemp(path.join(tmpdir(), 'hr-'));
  const child = spawn(options.node, serverArguments(options, port), {
    env: {
      ...options.env,
      EXTENSIONS_GALLERY: options.env['EXTENSIONS_GALLERY'] ?? '{"serviceUrl":""}',
      TMPDIR: temp,
      XDG_RUNTIME_DIR: temp,
      // A server started from a terminal of VS Code must not talk to that window.
      VSCODE_IPC_HOOK_CLI: undefined,
      ELECTRON_RUN_AS_NODE: undefined,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  /** @type {Promise<number | null>} */
  const ended = new Promise(resolve => {
    child.once('exit', resolve);
    child.once('error', () => resolve(null));
  });
  const stop = once(async () => {
    signalGroup(child, 'SIGTERM');
    await Promise.race([ended, delay(3_000)]);
    signalGroup(child, 'SIGKILL');
    const isGone = await Promise.race([ended.then(() => true), delay(10_000)]);
    if (!isGone) throw new Error(`The VS Code server (process ${String(child.pid)}) was killed and did not end.`);
    await rm(temp, { recursive: true, force: true, maxRetries: 5 });
  });
  try {
    await listening(child, options.startTimeout ?? 30_000, options.onLog);
  } catch (error) {
    await stop();
    throw error;
  }
  return { port, authority: `127.0.0.1:${port}`, pid: child.pid ?? 0, ended, stop };
}

/**
 * The version of VS Code in a build.
 * @param {string} vscode
 * @returns {Promise<string>}
 */
export async function vscodeVersion(vscode) {
  return JSON.parse(await readFile(path.join(vscode, 'package.json'), 'utf8')).version;
}

/** @param {string} vscode */
function serverMain(vscode) {
  return path.join(vscode, 'out', 'server-main.js');
}

/**
 * @param {string} userDataDir
 * @param {string} extensionsDir
 */
function folderSwitches(userDataDir, extensionsDir) {
  return ['--user-data-dir', userDataDir, '--server-data-dir', userDataDir, '--extensions-dir', extensionsDir];
}

/**
 * @param {ServerOptions} options
 * @param {number} port
 */
function serverArguments({ vscode, userDataDir, extensionsDir, trust = false, args = [] }, port) {
  return [
    serverMain(vscode),
    ...['--host', '127.0.0.1', '--port', String(port), '--without-connection-token'],
    ...['--accept-server-license-terms', '--telemetry-level', 'off'],
    ...folderSwitches(userDataDir, extensionsDir),
    ...(trust ? [] : ['--disable-workspace-trust']),
    ...args,
  ];
}

/**
 * Resolves when the server says that it listens.
 * @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, import('node:stream').Readable>} child
 * @param {number} timeout
 * @param {((text: string) => void) | undefined} onLog
 * @returns {Promise<void>}
 */
function listening(child, timeout, onLog) {
  return new Promise((resolve, reject) => {
    let printed = '';
    /** @param {string} why */
    const fail = why => {
      clearTimeout(timer);
      reject(new Error(`The VS Code server did not start: ${why}${printed ? `\n${printed.trimEnd()}` : ''}`));
    };
    const timer = setTimeout(() => fail(`no answer after ${timeout / 1000} seconds.`), timeout);
    let ready = false;
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', chunk => {
        const text = String(chunk);
        onLog?.(text);
        if (ready) return;
        printed += text;
        if (!printed.includes('agent listening on')) return;
        ready = true;
        clearTimeout(timer);
        resolve();
      });
    }
    child.once('error', error => fail(error.message));
    child.once('exit', (code, signal) => fail(`it ended with ${signal ?? `exit code ${String(code)}`}.`));
  });
}

/**
 * The server, its extension hosts and what these started are one process group (on Windows, only the server can be reached this way).
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    child.kill(signal);
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch (error) {
    // ESRCH: the whole group has ended, which is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no free port.'));
      });
    });
  });
}

/**
 * @param {() => Promise<void>} action
 * @returns {() => Promise<void>}
 */
function once(action) {
  /** @type {Promise<void> | undefined} */
  let result;
  return () => (result ??= action());
}

/**
 * Bounds a wait. The timer does not keep the process alive.
 * @param {number} milliseconds
 * @returns {Promise<void>}
 */
function delay(milliseconds) {
  return new Promise(resolve => {
    setTimeout(resolve, milliseconds).unref();
  });
}
