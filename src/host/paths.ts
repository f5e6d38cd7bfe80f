import { homedir } from 'node:os';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The path seen from the folder, with slashes; empty for the folder itself, `undefined` outside of it. */
export function insidePath(path: string, folder: string): string | undefined {
  const inside = relative(folder, path);
  const parts = inside.split(sep);
  return parts[0] === '..' || isAbsolute(inside) ? undefined : parts.join('/');
}

/** The file a text like `src/a.ts` or `~/notes.md` means, seen from a folder. */
export function resolvePath(path: string, folder: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve(folder, path);
}
