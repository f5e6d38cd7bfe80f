// The per-user folder for big downloads, shared by all clones. What stands in it under its final name is finished:
// it was made beside it, checked, and renamed. Several programs may ask for the same thing at once.
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Fault } from './fault.mjs';
import { npm } from './npm.mjs';
import { disownFolder, ownFolder, pause, removeFolder, run } from './processes.mjs';

/** @typedef {(line: string) => void} Log */

/** @returns {string} the cache folder; it may not exist yet */
export function cacheFolder() {
  const { HANDRAIL_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  if (HANDRAIL_CACHE) return path.resolve(HANDRAIL_CACHE);
  if (XDG_CACHE_HOME) return path.join(XDG_CACHE_HOME, 'handrail');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library', 'Caches', 'handrail');
  if (process.platform === 'win32')
    return path.join(LOCALAPPDATA ?? path.join(os.homedir(), 'AppData', 'Local'), 'handrail', 'Cache');
  return path.join(os.homedir(), '.cache', 'handrail');
}

const HEARTBEAT_MS = 2000;
const STALE_MS = 20_000;
const WAIT_MS = 15 * 60_000;

/**
 * Holds the lock of a key in the cache while `work` runs.
 * @template T
 * @param {string} key
 * @param {Log} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export function withLock(key, log, work) {
  const folder = cacheFolder();
  makeFolder(folder);
  return withFolderLock(path.join(folder, `${key}.lock`), key, log, work);
}

/**
 * Holds a lock while `work` runs. It is a folder that its holder touches; one that is not touched has no living holder.
 * @template T
 * @param {string} lock
 * @param {string} what
 * @param {Log} log
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withFolderLock(lock, what, log, work) {
  const deadline = Date.now() + WAIT_MS;
  for (let waited = false; !tryLock(lock); waited = true) {
    if (!waited) log(`another program is preparing ${what}; waiting for it`);
    if (Date.now() > deadline)
      throw new Fault(
        `Another program has been preparing ${what} for ${WAIT_MS / 60_000} minutes: end it, or delete ${lock}.`,
      );
    await pause(250);
  }
  ownFolder(lock);
  const heart = setInterval(() => touch(lock), HEARTBEAT_MS);
  try {
    return await work();
  } finally {
    clearInterval(heart);
    removeFolder(lock);
  }
}

/** @param {string} lock @returns {boolean} */
function tryLock(lock) {
  try {
    fs.mkdirSync(lock);
    return true;
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  }
  const age = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
  if (age > STALE_MS) {
    // Renamed first, so that of two programs that see the same old lock only one removes it.
    const aside = `${lock}-${randomUUID()}`;
    try {
      fs.renameSync(lock, aside);
      fs.rmSync(aside, { recursive: true, force: true });
    } catch (error) {
      if (!hasCode(error, 'ENOENT')) throw error;
    }
  }
  return false;
}

/** @param {string} lock */
function touch(lock) {
  try {
    const now = new Date();
    fs.utimesSync(lock, now, now);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

/** @param {unknown} error @param {string} code @returns {boolean} */
function hasCode(error, code) {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** @param {string} folder */
function makeFolder(folder) {
  try {
    fs.mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Fault(`The cache folder ${folder} cannot be made: set HANDRAIL_CACHE to a folder you may write to.`, {
      cause: error,
    });
  }
}

/**
 * The folder `<cache>/<key>`, made by `build` if it is not there yet.
 * @param {string} key names content and version: the same key always means the same content
 * @param {(folder: string) => Promise<void>} build fills the folder it is given
 * @param {Log} [log]
 * @returns {Promise<string>}
 */
export async function cached(key, build, log = () => undefined) {
  const root = cacheFolder();
  const place = path.join(root, key);
  if (fs.existsSync(place)) return place;
  return withLock(key, log, async () => {
    if (fs.existsSync(place)) return place;
    // We hold the lock: what lies here half-made belongs to a program that was killed.
    for (const name of fs.readdirSync(root))
      if (name.startsWith(`${key}.part-`)) fs.rmSync(path.join(root, name), { recursive: true, force: true });
    const part = path.join(root, `${key}.part-${randomUUID()}`);
    ownFolder(part);
    try {
      fs.mkdirSync(part);
      await build(part);
      fs.renameSync(part, place);
      disownFolder(part);
    } catch (error) {
      removeFolder(part);
      // A lock can be lost while the machine sleeps; then another program may have finished the work.
      if (!fs.existsSync(place)) throw error;
    }
    return place;
  });
}

/** @param {string} file @returns {Promise<string>} in the form npm uses: `sha512-<base64>` */
export async function integrityOf(file) {
  const hash = createHash('sha512');
  await pipeline(fs.createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}

/**
 * Fetches one exact npm package, checks it against the given checksum and unpacks it.
 * @param {{name: string, version: string, integrity: string}} pin
 * @param {string} folder where the contents of the package go
 * @param {{only?: string, log?: Log}} [options] `only`: the one path inside the package that is wanted
 */
export async function unpackPackage(pin, folder, options = {}) {
  const what = `${pin.name}@${pin.version}`;
  options.log?.(`fetching ${what}`);
  const download = path.join(folder, '.download');
  fs.mkdirSync(download, { recursive: true });
  await npm(['pack', what, '--ignore-scripts', '--pack-destination', download], { cwd: download, what });
  const tarball = fs.readdirSync(download).find(name => name.endsWith('.tgz'));
  if (!tarball) throw new Fault(`npm did not hand over ${what}: clear npm's cache (npm cache verify) and try again.`);
  const found = await integrityOf(path.join(download, tarball));
  if (found !== pin.integrity)
    throw new Fault(
      `${what} does not fit its checksum (expected ${pin.integrity}, got ${found}): use another registry.`,
    );
  options.log?.(`unpacking ${what}`);
  const only = options.only ? [`package/${options.only}`] : [];
  // Relative names: a tar from Git on Windows takes "C:" for the name of a machine.
  const tar = await run('tar', ['xzf', path.join('.download', tarball), '--strip-components=1', ...only], {
    cwd: folder,
    what: `unpacking ${what}`,
  });
  if (tar.code !== 0) throw new Error(`unpacking ${what} failed: ${tar.stderr.trim()}`);
  fs.rmSync(download, { recursive: true, force: true });
}
