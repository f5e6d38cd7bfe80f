import type { Leftover } from '../../session/rewind/leftovers.ts';
import type { FolderState } from './folderStates.ts';

/** More than this is of no use in one diff, and VS Code reads them all before it shows the first. */
export const mostShown = 500;

/** A file that the rewind will change. */
export interface RewindFile {
  readonly path: string;
  /** Seen from now: `delete` for files made since the point. */
  readonly change: 'restore' | 'create' | 'delete';
  /** Where the content to come lies; absent for a file that goes. */
  readonly backup?: string;
  readonly backupSize?: number;
  /** Somebody other than the agent's file tools wrote it since: that would be overwritten. */
  readonly editedSince: boolean;
  /** Open in an editor with changes that are not saved. */
  readonly unsaved: boolean;
  readonly outside: boolean;
  readonly readOnly: boolean;
  /** How it looked when it was looked at. */
  readonly stamp: string;
}

/** A leftover, and how it looked when it was looked at. */
export interface FoundLeftover extends Leftover {
  readonly stamp: string;
}

/** Everything there is to know before a rewind. */
export interface RewindPreview {
  readonly sessionId: string;
  readonly promptId: string;
  readonly files: readonly RewindFile[];
  readonly insertions: number;
  readonly deletions: number;
  /** Files of the CLI's notes that it will not touch: links, folders, and those whose copy is gone. */
  readonly skipped: readonly { readonly path: string; readonly reason: 'link' | 'copyGone' }[];
  /** What stays different from the point although the files went back. */
  readonly leftovers: readonly FoundLeftover[];
  /** How far the folder could be compared: `exact`, `late` (taken while the turn had begun), `partly` (too many files), `not` at all. */
  readonly compared: 'exact' | 'late' | 'partly' | 'not';
  readonly state?: FolderState;
}

/** Whether a leftover can be taken back too. */
export function isRestorable(leftover: Leftover): boolean {
  return leftover.change === 'created' || leftover.old !== undefined;
}
