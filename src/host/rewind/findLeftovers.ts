import type { FolderChange, Leftover } from '../../session/rewind/leftovers.ts';
import { leftovers } from '../../session/rewind/leftovers.ts';
import { insidePath } from '../paths.ts';
import { canRun, eachOf, hashOf, readOrNothing } from './disk.ts';
import type { FolderState, HeldFile, StateTaker } from './folderStates.ts';
import type { Backup, RewindFile } from './rewindPreview.ts';

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
    isPlain && then.kind === 'git' ? { old: id, ...(executable === undefined ? {} : { executable }) } : {};
  const rewound = new Map<string, FolderChange | undefined>();
  const asked: Asked[] = [];
  for (const [path, { backup }] of inside) {
    const before = held.get(path);
    rewound.set(path, undefined);
    if (unseen.has(path)) continue;
    if (before === undefined) {
      if (backup !== undefined) rewound.set(path, { path, change: 'created' });
    } else if (backup === undefined) rewound.set(path, { path, change: 'deleted', ...oldOf(before) });
    else asked.push({ ...before, backup });
  }
  for (const group of inGroups(asked)) {
    const contents = await taker.contents(then, group);
    await eachOf([...group.entries()], async ([at, file]) => {
      if (await isDifferent(file, contents[at]))
        rewound.set(file.path, { path: file.path, change: 'changed', ...oldOf(file) });
    });
  }
  return leftovers(changes, rewound);
}

interface Asked extends HeldFile {
  readonly backup: Backup;
}

/** As many at once as fit: thousands of files need not be in memory together, and each group is a program to start. */
function inGroups(list: readonly Asked[]): Asked[][] {
  const groups: Asked[][] = [];
  let room = 0;
  for (const one of list) {
    const last = groups.at(-1);
    if (last !== undefined && one.backup.size <= room) last.push(one);
    else {
      groups.push([one]);
      room = groupBytes;
    }
    room -= one.backup.size;
  }
  return groups;
}

/** `then`: the earlier content, or nothing where only a hash of it is kept. */
async function isDifferent({ id, executable, backup }: Asked, then: Buffer | undefined): Promise<boolean> {
  if (executable !== undefined && executable !== canRun(backup.mode)) return true;
  const bytes = await readOrNothing(backup.path);
  if (bytes === undefined) return true;
  return then === undefined ? hashOf(bytes) !== id : !bytes.equals(then);
}
