import type { Leftover } from '../../session/rewind/leftovers.ts';
import type { FolderState } from './folderStates.ts';

/** More than this is of no use in one diff, and VS Code reads them all before it shows the first. */
export const mostShown = 500;

/** A copy of a file, made by the CLI. */
export interface Backup {
  readonly path: string;
  readonly size: number;
  readonly mode: number;
}

/** A file that the rewind will change. */
export interface RewindFile {
  readonly path: string;
  /** Seen from now: `delete` for files made since the point. */
  readonly change: 'restore' | 'create' | 'delete';
  /** The content is as it will be and only the mode changes: the CLI does that too, and does not tell. */
  readonly modeOnly: boolean;
  /** Where what is to come lies; absent for a file that goes. */
  readonly backup?: Backup;
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
  /** A link or a folder stands there, which is told of and left alone. */
  readonly inTheWay: boolean;
}

/** Everything there is to know before a rewind. */
export interface RewindPreview {
  readonly sessionId: string;
  readonly promptId: string;
  readonly files: readonly RewindFile[];
  /** Files that the CLI keeps for itself and would take back as well: they stay as they are, and nobody is asked. */
  readonly own: readonly string[];
  /** Files of the CLI's notes that it will not touch: links, folders, and those whose copy is gone. */
  readonly skipped: readonly { readonly path: string; readonly reason: 'link' | 'copyGone' }[];
  /** What stays different from the point although the files went back. */
  readonly leftovers: readonly FoundLeftover[];
  /** How far the folder could be compared: `exact`, `late` (taken while the turn had begun), `partly` (too many files), `not` at all. */
  readonly compared: 'exact' | 'late' | 'partly' | 'not';
  readonly state?: FolderState;
}

/** Whether a leftover can be taken back too. */
export function isRestorable({ change, old, inTheWay }: FoundLeftover): boolean {
  return !inTheWay && (change === 'created' || old !== undefined);
}
