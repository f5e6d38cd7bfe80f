// Children, the folders they use, and their end. Whatever is started here is ended here: by process id, and nothing else.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Fault } from './fault.mjs';

const windows = process.platform === 'win32';

/** @typedef {{code: number | null, signal: NodeJS.Signals | null}} Exit */
/**
 * @typedef {object} Child
 * @property {number} pid
 * @property {import('node:child_process').ChildProcess} process
 * @property {Promise<Exit>} exited resolves when the child has ended; never rejects
 * @property {(graceMs?: number) => Promise<Exit>} stop asks the child and all it started to end, then makes them
 * @property {() => void} release lets the child live on after this program
 */
/** @typedef {import('node:child_process').SpawnOptions} SpawnOptions */

/** @type {Set<Child>} */
const children = new Set();
/** @type {Set<string>} */
const folders = new Set();
/** @type {(() => unknown)[]} */
const endings = [];
/** @type {import('node:child_process').ChildProcess | undefined} */
let reaper;

/** @param {number} ms @returns {Promise<void>} */
export const pause = ms => new Promise(resolve => setTimeout(resolve, ms));

// ---- the reaper: ends what is left if this process is killed without a chance to tidy up

/** @param {'pid' | 'folder' | 'forgetPid' | 'forgetFolder'} key @param {number | string} value */
function tellReaper(key, value) {
  if (!reaper && !key.startsWith('forget')) {
    reaper = spawn(process.execPath, [path.join(import.meta.dirname, 'reaper.mjs')], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
      env: { PATH: process.env['PATH'], SystemRoot: process.env['SystemRoot'] },
    });
    reaper.unref();
    // A broken pipe only means that the safety net is gone; the ordinary tidying up does not depend on it.
    reaper.stdin?.on('error', () => (reaper = undefined));
    reaper.on('error', () => (reaper = undefined));
    if (reaper.stdin instanceof net.Socket) reaper.stdin.unref();
  }
  reaper?.stdin?.write(`${JSON.stringify({ [key]: value })}\n`);
}

// ---- children

/**
 * Starts a program in a process group of its own, so that Ctrl+C in the terminal reaches it only through `stop`.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {SpawnOptions} [options]
 * @returns {Promise<Child>}
 */
export async function start(command, args, options = {}) {
  const child = spawn(command, [...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
    ...options,
    detached: !windows,
  });
  /** @type {Promise<Exit>} */
  const exited = new Promise(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  await new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', error =>
      reject(
        'code' in error && error.code === 'ENOENT'
          ? new Fault(`The program ${command} is not found: install it or put it on the PATH.`, { cause: error })
          : error,
      ),
    );
  });
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command} has no process id`);
  /** @type {Child} */
  const handle = {
    pid,
    process: child,
    exited,
    stop: async (graceMs = 4000) => {
      await stopTree(pid, graceMs);
      return exited;
    },
    release: () => {
      if (children.delete(handle)) tellReaper('forgetPid', pid);
      child.unref();
    },
  };
  children.add(handle);
  tellReaper('pid', pid);
  void exited.then(handle.release);
  return handle;
}

/**
 * Lets the safety net also end a process group that another module started and stops by itself.
 * @param {number} pid
 * @returns {() => void} to be called when it has ended
 */
export function watchOver(pid) {
  tellReaper('pid', pid);
  return () => tellReaper('forgetPid', pid);
}

/**
 * Runs a program to its end. A time limit that passes is a Fault.
 * @param {string} command
 * @param {readonly string[]} args
 * @param {SpawnOptions & {timeoutMs?: number, what?: string, onLine?: (line: string) => void}} [options]
 * @returns {Promise<{code: number | null, signal: NodeJS.Signals | null, stdout: string, stderr: string}>}
 */
export async function run(command, args, options = {}) {
  const { timeoutMs = 600_000, what = path.basename(command), onLine, ...rest } = options;
  const child = await start(command, args, rest);
  const out = collect(child.process.stdout, onLine);
  const err = collect(child.process.stderr, onLine);
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const timeout = new Promise(resolve => (timer = setTimeout(resolve, timeoutMs, 'timeout')));
  const first = await Promise.race([child.exited, timeout]);
  clearTimeout(timer);
  if (first === 'timeout') {
    await child.stop(1000);
    throw new Fault(`${what} took longer than ${Math.round(timeoutMs / 1000)} seconds and was stopped.`);
  }
  const exit = await child.exited;
  // A grandchild may hold the pipe open after the child is gone; its output is not waited for longer than this.
  const [stdout, stderr] = await Promise.all([out(1000), err(1000)]);
  return { ...exit, stdout, stderr };
}

/**
 * @param {NodeJS.ReadableStream | null} stream
 * @param {((line: string) => void) | undefined} onLine
 * @returns {(ms: number) => Promise<string>} the whole text, once the stream has ended or the time is over
 */
function collect(stream, onLine) {
  if (!stream) return () => Promise.resolve('');
  let text = '';
  let rest = '';
  stream.setEncoding('utf8');
  stream.on('data', (/** @type {string} */ chunk) => {
    text += chunk;
    if (!onLine) return;
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? '';
    for (const line of lines) onLine(line);
  });
  const ended = new Promise(resolve => {
    stream.once('end', resolve);
    stream.once('close', resolve);
  });
  void ended.then(() => {
    if (onLine && rest) onLine(rest);
    rest = '';
  });
  return ms =>
    new Promise(resolve => {
      const timer = setTimeout(() => resolve(text), ms);
      void ended.then(() => {
        clearTimeout(timer);
        resolve(text);
      });
    });
}

// ---- process trees

/**
 * A process id can be given to another program once its owner is gone, so each one is kept with the time it started.
 * @returns {Promise<Map<number, {parent: number, born: string}>>}
 */
async function processTable() {
  /** @type {Map<number, {parent: number, born: string}>} */
  const table = new Map();
  if (process.platform === 'linux') {
    for (const name of fs.readdirSync('/proc')) {
      if (!/^\d+$/.test(name)) continue;
      const stat = readOrEmpty(`/proc/${name}/stat`);
      // The second field is the program's name in brackets and may hold anything; the rest is split by spaces.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields.length > 20) table.set(Number(name), { parent: Number(fields[1]), born: String(fields[19]) });
    }
    return table;
  }
  const text = await new Promise(resolve =>
    execFile('ps', ['-A', '-o', 'pid=,ppid=,lstart='], (error, stdout) => resolve(error ? '' : stdout)),
  );
  for (const line of String(text).split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (match) table.set(Number(match[1]), { parent: Number(match[2]), born: String(match[3]) });
  }
  return table;
}

/** @param {string} file @returns {string} */
function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return ''; // the process ended between the listing and the reading
  }
}

/**
 * @param {number} root
 * @param {Map<number, {parent: number, born: string}>} table
 * @returns {Map<number, string>} every process below `root` and itself, with the time it started
 */
function treeOf(root, table) {
  /** @type {Map<number, string>} */
  const found = new Map();
  const queue = [root];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    const row = table.get(pid);
    if (!row || found.has(pid)) continue;
    found.set(pid, row.born);
    for (const [other, { parent }] of table) if (parent === pid) queue.push(other);
  }
  return found;
}

/** @param {number} pid @param {NodeJS.Signals | 0} signal @returns {boolean} whether it arrived */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // already gone
  }
}

/**
 * Ends a process that was started here, its group and everything below it, and waits until all of them are gone.
 * @param {number} pid
 * @param {number} graceMs
 */
export async function stopTree(pid, graceMs) {
  if (windows) {
    await new Promise(resolve => execFile('taskkill', ['/pid', String(pid), '/T', '/F'], () => resolve(undefined)));
    return;
  }
  const tree = treeOf(pid, await processTable());
  if (tree.size === 0) return;
  send(-pid, 'SIGTERM');
  for (const member of tree.keys()) send(member, 'SIGTERM');
  for (const member of await leftOf(tree, graceMs)) send(member, 'SIGKILL');
  await leftOf(tree, 2000);
}

/**
 * @param {Map<number, string>} tree
 * @param {number} waitMs
 * @returns {Promise<number[]>} those that still run when the time is over; it returns as soon as there is none
 */
async function leftOf(tree, waitMs) {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const table = await processTable();
    const left = [...tree].filter(([member, born]) => table.get(member)?.born === born && !isZombie(member));
    if (left.length === 0 || Date.now() >= deadline) return left.map(([member]) => member);
    await pause(30);
  }
}

/**
 * Ends the processes whose command line names a folder that only this run has: launchers hand over to processes of their own.
 * @param {string} uniqueFolder a temporary folder of this run
 */
export async function stopMatching(uniqueFolder) {
  if (windows) return;
  const text = await new Promise(resolve =>
    execFile('ps', ['-A', '-ww', '-o', 'pid=,command='], { maxBuffer: 1 << 26 }, (error, stdout) =>
      resolve(error ? '' : stdout),
    ),
  );
  const pids = String(text)
    .split('\n')
    .filter(line => line.includes(uniqueFolder))
    .map(line => Number.parseInt(line, 10))
    .filter(pid => pid !== process.pid);
  await Promise.all(pids.map(pid => stopTree(pid, 4000)));
}

/** @param {number} pid @returns {boolean} ended, but its parent has not asked for its exit code */
function isZombie(pid) {
  if (process.platform !== 'linux') return false;
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  return stat === '' || stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}

// ---- folders

/**
 * A folder that goes when the program ends, however it ends.
 * @param {string} prefix
 * @returns {string}
 */
export function temporaryFolder(prefix) {
  const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), `${prefix}-`)));
  ownFolder(folder);
  return folder;
}

/** Marks a folder as ours to remove at the end. @param {string} folder */
export function ownFolder(folder) {
  folders.add(folder);
  tellReaper('folder', folder);
}

/** The folder is finished (renamed to its place) or already removed. @param {string} folder */
export function disownFolder(folder) {
  if (folders.delete(folder)) tellReaper('forgetFolder', folder);
}

/** @param {string} folder */
export function removeFolder(folder) {
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  disownFolder(folder);
}

// ---- the end of the program

/**
 * Something to do before the program ends; last in, first out.
 * @param {() => unknown} action
 */
export function atEnd(action) {
  endings.push(action);
}

/** @type {Promise<void> | undefined} */
let ending;

/** Ends every child, runs what `atEnd` was given, removes the temporary folders. Safe to call more than once. */
export function tidyUp() {
  ending ??= (async () => {
    for (let action = endings.pop(); action; action = endings.pop()) {
      try {
        await Promise.race([action(), pause(15_000)]);
      } catch (error) {
        process.stderr.write(`While tidying up: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    await Promise.all([...children].map(child => child.stop()));
    for (const folder of folders) {
      try {
        removeFolder(folder);
      } catch (error) {
        process.stderr.write(`Could not remove ${folder}: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
    reaper?.stdin?.end();
    ending = undefined;
  })();
  return ending;
}

/** @type {Record<string, number>} */
const signalNumbers = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };
let handling = false;

/**
 * From now on Ctrl+C, a request to end, a closed terminal and the death of the parent tidy up before the program ends.
 * A second Ctrl+C does not wait.
 */
export function handleSignals() {
  if (handling) return;
  handling = true;
  let asked = false;
  /** @param {string} signal */
  const onSignal = signal => {
    const code = 128 + (signalNumbers[signal] ?? 15);
    if (asked) process.exit(code);
    asked = true;
    void tidyUp().finally(() => process.exit(code));
  };
  for (const signal of Object.keys(signalNumbers)) process.on(signal, () => onSignal(signal));
  void watchAncestors(() => onSignal('SIGHUP'));
}

/**
 * npm and the shell between us and the terminal can die without passing anything on; and if npm is killed, its shell, our
 * parent, lives on. So under npm the parent's parent is watched too.
 * @param {() => void} onGone
 */
async function watchAncestors(onGone) {
  const parent = process.ppid;
  if (windows || parent <= 1) return;
  const grandparent = process.env['npm_lifecycle_event'] ? (await processTable()).get(parent)?.parent : undefined;
  setInterval(() => {
    if (process.ppid !== parent || (grandparent !== undefined && grandparent > 1 && !send(grandparent, 0))) onGone();
  }, 500).unref();
}
