import { homedir } from 'node:os';
import * as nodePath from 'node:path';
import type { FileLink } from '../../bridge/toolCard.ts';
import { insidePath } from '../paths.ts';

/**
 * A file as people like to read it: relative to the session's folder when it is inside, to their home when it is there, with
 * the lines that matter.
 */
export function fileLink(path: string, cwd: string, line?: number, endLine?: number, home = homedir()): FileLink {
  const inside = insidePath(nodePath.resolve(cwd, path), cwd) ?? '';
  return {
    label: inside === '' ? fromHome(path, home) : inside.replaceAll('/', nodePath.sep),
    path,
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}

function fromHome(path: string, home: string): string {
  const start = home.endsWith(nodePath.sep) ? home : `${home}${nodePath.sep}`;
  return home !== '' && path.startsWith(start) ? `~${nodePath.sep}${path.slice(start.length)}` : path;
}
