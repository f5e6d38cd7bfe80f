import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** The file a tool means, seen from the session's folder. */
export function resolvePath(path: string, folder: string): string {
  return path.startsWith('~/') ? join(homedir(), path.slice(2)) : resolve(folder, path);
}
