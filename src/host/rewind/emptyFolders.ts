import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FolderChange } from '../../session/rewind/leftovers.ts';
import { isForbidden, isMissing } from '../../base/errorCode.ts';
import { eachOf } from './disk.ts';

type ReadFolder = (folder: string) => Promise<readonly Dirent[]>;

const readFolder: ReadFolder = folder => readdir(folder, { withFileTypes: true });

/** More than these are not looked into: a folder that deep is no accident of a command. */
const mostFolders = 200;

/** Those of some folders that have no file in them, however deep. */
export async function emptyAmong(
  top: string,
  folders: readonly string[],
  read: ReadFolder = readFolder,
): Promise<readonly string[]> {
  const found = await eachOf(folders.slice(0, mostFolders), async folder =>
    (await isEmpty(join(top, folder), read)) ? [folder] : [],
  );
  return found.flat();
}

async function isEmpty(folder: string, read: ReadFolder): Promise<boolean> {
  const waiting = [folder];
  for (let looked = 0; looked < mostFolders; looked++) {
    const place = waiting.pop();
    if (place === undefined) return true;
    const entries = await entriesOf(place, read);
    // What nobody may look into may hold anything.
    if (entries === undefined || entries.some(entry => !entry.isDirectory())) return false;
    waiting.push(...entries.map(entry => join(place, entry.name)));
  }
  return false;
}

async function entriesOf(folder: string, read: ReadFolder): Promise<readonly Dirent[] | undefined> {
  try {
    return await read(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    if (isForbidden(error)) return undefined;
    throw error;
  }
}

/** Every folder on the way to some files, and the empty ones with those on the way to them. */
export function foldersOf(files: readonly string[], empty: readonly string[]): ReadonlySet<string> {
  const folders = new Set<string>();
  for (const path of [...files, ...empty.map(folder => `${folder.replace(/\/$/, '')}/`)]) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

/**
 * Empty folders that came or went; their paths end with a slash. A folder whose files came or went too is told by these.
 * Nothing where one of the states does not know.
 */
export function emptyFolderChanges(
  from: readonly string[] | undefined,
  to: readonly string[] | undefined,
  files: readonly FolderChange[],
): readonly FolderChange[] {
  if (from === undefined || to === undefined) return [];
  const told = foldersOf(
    files.map(change => change.path),
    [],
  );
  const only = (these: readonly string[], others: readonly string[], change: 'created' | 'deleted') => {
    const near = foldersOf([], others);
    return these
      .filter(folder => !told.has(folder) && !near.has(folder) && !others.some(other => folder.startsWith(`${other}/`)))
      .map(folder => ({ path: `${folder}/`, change }));
  };
  return [...only(to, from, 'created'), ...only(from, to, 'deleted')];
}
