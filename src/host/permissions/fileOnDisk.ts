import { constants } from 'node:fs';
import { access, readFile, realpath, stat } from 'node:fs/promises';
import type { PresentFile, UnreadableCode } from '../../session/proposal/presentFile.ts';
import { absentFile, decodeFile } from '../../session/proposal/presentFile.ts';
import { codeOf } from '../../base/errorCode.ts';

/** Above this no diff is drawn: two copies in an editor would cost more than they tell. */
export const biggestDiff = 5 * 1024 * 1024;

/** A file as it lies on disk, with what a person should know about the place before something is written there. */
export interface FileOnDisk {
  readonly file: PresentFile;
  /** Where the path leads once links are followed and names have the case they have on disk; absent for a new file. */
  readonly realPath?: string;
  /** Whether this process may write it. A file that is not there counts as writable. */
  readonly writable: boolean;
}

/** Reads a file for a proposal. Never throws for what can be wrong with a file: that is part of the answer. */
export async function readFileOnDisk(path: string, mostBytes = biggestDiff): Promise<FileOnDisk> {
  try {
    // All at once: a person waits for it.
    const [facts, realPath, writable] = await Promise.all([stat(path), realpath(path), isWritable(path)]);
    const where = { realPath, writable };
    if (facts.isDirectory()) return { file: unreadable('folder'), ...where };
    if (!facts.isFile()) return { file: unreadable('noAccess'), ...where };
    if (facts.size > mostBytes) return { file: unreadable('tooBig'), ...where };
    return { file: decodeFile(await readFile(path), mostBytes), ...where };
  } catch (error) {
    switch (codeOf(error)) {
      case 'ENOENT':
      case 'ENOTDIR':
        return { file: absentFile(), writable: true };
      case undefined:
        throw error;
      default:
        return { file: unreadable('noAccess'), writable: false };
    }
  }
}

/** Whether a person looking at both would see the same file. */
export function sameFile(one: PresentFile, other: PresentFile): boolean {
  if (one.state === 'text' && other.state === 'text') {
    return one.text === other.text && one.bom === other.bom && one.encoding === other.encoding;
  }
  if (one.state === 'unreadable' && other.state === 'unreadable') return one.code === other.code;
  return one.state === other.state;
}

function unreadable(code: UnreadableCode): PresentFile {
  return { state: 'unreadable', code };
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}
