import * as nodePath from 'node:path';
import type { FileLink } from '../../bridge/viewModel.ts';

/** A file as people like to read it: relative to the session's folder when it is inside, with the lines that matter. */
export function fileLink(path: string, cwd: string, line?: number, endLine?: number): FileLink {
  const relative = nodePath.isAbsolute(path) ? nodePath.relative(cwd, path) : path;
  const outside = relative.startsWith('..') || nodePath.isAbsolute(relative) || relative === '';
  return {
    label: outside ? path : relative,
    path,
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
  };
}
