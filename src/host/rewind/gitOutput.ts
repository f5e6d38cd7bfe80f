import type { FolderChange } from '../../session/rewind/leftovers.ts';

export function isPlain(mode: string): boolean {
  return mode === '100644' || mode === '100755';
}

/** `:100644 100644 <old> <new> M` */
export function readRawChange(head: string, path: string): FolderChange | undefined {
  const [, oldMode = '', , oldId = '', , status = ''] = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) (\w)/.exec(head) ?? [];
  if (status === '') return undefined;
  if (status === 'A') return { path, change: 'created' };
  const old = isPlain(oldMode) ? { old: oldId, executable: oldMode === '100755' } : {};
  return { path, change: status === 'D' ? 'deleted' : 'changed', ...old };
}

/** Big files are in no tree. One that is big on one side only is a change of what a tree has of it, if one has. */
export function withBig(
  changes: readonly FolderChange[],
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, string>>,
): readonly FolderChange[] {
  const all = new Map(changes.map(change => [change.path, change]));
  for (const [path, stamp] of Object.entries(from)) {
    if (to[path] === stamp) continue;
    const isThere = to[path] !== undefined || all.has(path);
    all.set(path, { path, change: isThere ? 'changed' : 'deleted' });
  }
  for (const path of Object.keys(to)) {
    if (from[path] !== undefined) continue;
    const gone = all.get(path);
    all.set(path, gone === undefined ? { path, change: 'created' } : { ...gone, change: 'changed' });
  }
  return [...all.values()];
}

export function terminated(paths: readonly string[]): string {
  return paths.map(path => `${path}\0`).join('');
}

/** `<mark> blob\n<content>\n` each, or `<name> missing\n` for one that is not there. */
export function readBatch(output: Buffer, mark: string, count: number): (Buffer | undefined)[] {
  const starts = marksIn(output, Buffer.from(`${mark} blob\n`));
  // A missing one has no mark, and then it cannot be told which of them it is.
  if (starts.length !== count) return Array.from({ length: count }, () => undefined);
  const head = mark.length + ' blob\n'.length;
  return starts.map((start, at) => output.subarray(start + head, (starts[at + 1] ?? output.length) - 1));
}

function marksIn(output: Buffer, mark: Buffer): number[] {
  const found: number[] = [];
  for (let at = output.indexOf(mark); at >= 0; at = output.indexOf(mark, at + mark.length)) found.push(at);
  return found;
}
