import { isAbsolute, relative, sep } from 'node:path';
import type { FolderChange, Leftover } from '../../session/rewind/leftovers.ts';
import { leftovers } from '../../session/rewind/leftovers.ts';
import { eachOf, hashOf, readOrNothing } from './disk.ts';
import type { FolderState, HeldFile, StateTaker } from './folderStates.ts';
import type { RewindFile } from './rewindPreview.ts';

const groupBytes = 32 * 1024 * 1024;

export interface Comparison {
  readonly then: FolderState;
  readonly now: FolderState;
  readonly files: readonly RewindFile[];
  readonly folder: string;
}

/** What will not be as it was then, although these files go back. */
export async function findLeftovers(taker: StateTaker, comparison: Comparison): Promise<readonly Leftover[]> {
  const { then, now, files, folder } = comparison;
  const inside = new Map<string, RewindFile>();
  for (const file of files) {
    const path = insidePath(file.path, folder);
    if (path !== undefined) inside.set(path, file);
  }
  const paths = [...inside.keys()];
  const [changes, unseen, held] = await Promise.all([
    taker.changes(then, now),
    taker.unseen(paths),
    taker.held(then, new Set(paths)),
  ]);
  const oldOf = ({ id, executable, plain: isPlain }: HeldFile) =>
    isPlain && then.kind === 'git' ? { old: id, executable } : {};
  const rewound = new Map<string, FolderChange | undefined>();
  const asked: { readonly path: string; readonly id: string; readonly backup: string; readonly size: number }[] = [];
  for (const [path, { backup, backupSize = 0 }] of inside) {
    const before = unseen.has(path) ? undefined : held.get(path);
    rewound.set(path, undefined);
    if (before === undefined && backup !== undefined && !unseen.has(path))
      rewound.set(path, { path, change: 'created' });
    if (before === undefined) continue;
    if (backup === undefined) rewound.set(path, { path, change: 'deleted', ...oldOf(before) });
    else asked.push({ path, id: before.id, backup, size: backupSize });
  }
  for (const group of inGroups(asked)) {
    const contents = await taker.contents(then, group);
    await eachOf([...group.entries()], async ([at, { path, id, backup }]) => {
      const before = held.get(path);
      if (before !== undefined && (await isDifferent(backup, id, contents[at])))
        rewound.set(path, { path, change: 'changed', ...oldOf(before) });
    });
  }
  return leftovers(changes, rewound);
}

/** As many at once as fit: thousands of files need not be in memory together, and each group is a program to start. */
function inGroups<T extends { readonly size: number }>(list: readonly T[]): T[][] {
  const groups: T[][] = [];
  let room = 0;
  for (const one of list) {
    const last = groups.at(-1);
    if (last !== undefined && one.size <= room) last.push(one);
    else {
      groups.push([one]);
      room = groupBytes;
    }
    room -= one.size;
  }
  return groups;
}

/** The path as the states of the folder name it; `undefined` outside of it. */
export function insidePath(path: string, folder: string): string | undefined {
  const inside = relative(folder, path);
  if (inside === '' || inside.split(sep)[0] === '..' || isAbsolute(inside)) return undefined;
  return inside.split(sep).join('/');
}

/** `then`: the earlier content, or nothing where only a hash of it is kept. */
async function isDifferent(backup: string, id: string, then: Buffer | undefined): Promise<boolean> {
  const bytes = await readOrNothing(backup);
  if (bytes === undefined) return true;
  return then === undefined ? hashOf(bytes) !== id : !bytes.equals(then);
}
