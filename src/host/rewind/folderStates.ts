import type { FolderChange } from '../../session/rewind/leftovers.ts';

/** The state of a folder at a moment, as it can be written down. */
export type FolderState =
  | {
      readonly kind: 'git';
      readonly tree: string;
      /** Name of the folder that holds what the repository itself does not have. */
      readonly objects: string;
      /** Files too big to be kept, by path: their stamps tell whether they changed. */
      readonly big: Readonly<Record<string, string>>;
      /** Folders without any file in them; absent in states from before these were looked at. */
      readonly empty?: readonly string[] | undefined;
    }
  | {
      readonly kind: 'stamps';
      /** Path to hash (for small files) or size and time, and whether it can be run. */
      readonly stamps: Readonly<Record<string, string>>;
      /** There were more files than are looked at. */
      readonly truncated: boolean;
      readonly empty?: readonly string[] | undefined;
    };

/** A file as it was in a state. */
export interface HeldFile {
  readonly path: string;
  readonly id: string;
  /** `undefined`: nobody kept it. */
  readonly executable: boolean | undefined;
  /** Links and submodules are told of and left alone. */
  readonly plain: boolean;
}

/** Takes states of one folder and compares them. Never writes into the folder or its repository. */
export interface StateTaker {
  take(signal?: AbortSignal): Promise<FolderState>;
  changes(from: FolderState, to: FolderState): Promise<readonly FolderChange[]>;
  /** All folders of a state, with their parents; `undefined` where nobody looked at every one. */
  folders(state: FolderState): Promise<ReadonlySet<string> | undefined>;
  /** What some files were in a state; files that were not there are left out. */
  held(state: FolderState, paths: ReadonlySet<string>): Promise<ReadonlyMap<string, HeldFile>>;
  /** Those of some paths that no state ever holds (ignored files): nothing can be said about them. */
  unseen(paths: readonly string[]): Promise<ReadonlySet<string>>;
  /** Contents by id, in the order asked for; `undefined` where only a stamp was kept. */
  contents(
    state: FolderState,
    files: readonly { readonly path: string; readonly id: string }[],
  ): Promise<readonly (Buffer | undefined)[]>;
}
