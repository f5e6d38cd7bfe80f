import { statSync } from 'node:fs';
import type { VersionProbe } from './findExecutable.ts';

/**
 * Asks each program for its version once, as long as its file stays the same: asking costs as much as starting it. A program
 * that did not answer is asked again.
 */
export function knownVersions(probe: VersionProbe, stampOf: (path: string) => string = fileStamp): VersionProbe {
  const known = new Map<string, { readonly stamp: string; readonly version: string }>();
  return async (path, limitMs) => {
    const stamp = stampOf(path);
    const before = known.get(path);
    if (before?.stamp === stamp) return { version: before.version };
    const answer = await probe(path, limitMs);
    if (answer.version !== undefined) known.set(path, { stamp, version: answer.version });
    return answer;
  };
}

/** An update gives the file, or the one that a link leads to, another one of these. */
function fileStamp(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  return `${mtimeMs} ${size} ${ino}`;
}
