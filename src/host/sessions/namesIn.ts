import { readdir } from 'node:fs/promises';
import { isMissing } from '../../base/errorCode.ts';

/** What is in a folder of ours; nothing when it was not needed yet. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
