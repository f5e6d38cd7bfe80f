import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readFile, rename, rm, rmdir, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf, isMissing } from '../../base/errorCode.ts';

export function isFull(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG';
}

/** What stands at a path. A link is never followed: what it points to is another file. */
export type Presence =
  | { readonly kind: 'absent' }
  | { readonly kind: 'file'; readonly size: number; readonly mode: number; readonly stamp: string }
  | { readonly kind: 'other' };

export async function presenceOf(path: string): Promise<Presence> {
  try {
    const stat = await lstat(path);
    if (!stat.isFile()) return { kind: 'other' };
    return {
      kind: 'file',
      size: stat.size,
      mode: stat.mode & 0o777,
      stamp: `${stat.size}:${stat.mtimeMs}:${stat.ino}:${stat.mode & 0o777}`,
    };
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    throw error;
  }
}

export async function readOrNothing(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** What git keeps of a mode. */
export function canRun(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

/** Tells whether a file was written since; empty where there is none. */
export async function stampOf(path: string): Promise<string> {
  const present = await presenceOf(path);
  return present.kind === 'file' ? present.stamp : '';
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

let writes = 0;

/** The whole content or none of it: a full disk leaves the old file as it was. */
export async function writeWhole(path: string, bytes: Uint8Array | string, mode?: number): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.handrail-${process.pid}-${++writes}`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' });
    if (mode !== undefined) await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

export async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** A folder with something in it, or none at all, stays as it is. */
export async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    const code = codeOf(error);
    if (!isMissing(error) && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

/** Runs over a list with a bounded number of files open at once; results in order. */
export async function eachOf<T, R>(list: readonly T[], work: (one: T) => Promise<R>, atOnce = 16): Promise<R[]> {
  const results: { readonly at: number; readonly result: R }[] = [];
  // One iterator for all: each worker takes the next one that nobody has.
  const rest = list.entries();
  const worker = async (): Promise<void> => {
    for (const [at, one] of rest) results.push({ at, result: await work(one) });
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return results.sort((a, b) => a.at - b.at).map(({ result }) => result);
}
