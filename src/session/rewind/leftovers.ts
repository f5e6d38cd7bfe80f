/** How a file of the folder differs from what it was at a prompt. */
export type FileChange = 'changed' | 'created' | 'deleted';

/** A difference between a state of the folder and an earlier one. */
export interface FolderChange {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly change: FileChange;
  /** Where the earlier content can be had: an id that only the keeper of the states understands. */
  readonly old?: string;
  /** Whether the earlier file could be run. */
  readonly executable?: boolean;
}

/** A file that will not be as it was at the prompt, although the files are taken back to it. */
export interface Leftover extends FolderChange {
  /** The CLI takes this file back too, but not all the way: it knows only the state before its own first change. */
  readonly afterRewind: boolean;
}

/**
 * What a rewind will not undo. `changes`: everything that differs now from the prompt's state. `rewound`: each file that
 * the CLI will change, with the difference that remains after that, or nothing if none does.
 */
export function leftovers(
  changes: readonly FolderChange[],
  rewound: ReadonlyMap<string, FolderChange | undefined>,
): readonly Leftover[] {
  const untouched = changes.filter(change => !rewound.has(change.path));
  const remaining = [...rewound.values()].filter(change => change !== undefined);
  return [
    ...untouched.map(change => ({ ...change, afterRewind: false })),
    ...remaining.map(change => ({ ...change, afterRewind: true })),
  ].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}
