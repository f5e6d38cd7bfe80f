import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { FileProposal } from '../../session/proposal/fileProposal.ts';
import { proposalOf } from '../../session/proposal/fileProposal.ts';
import { changeNote } from '../../session/proposal/changeNote.ts';
import type { Hunk, HunkState } from '../../session/proposal/hunks.ts';
import { applyHunks, hunksOf, setHunk, whichTaken } from '../../session/proposal/hunks.ts';
import { asShown } from '../../session/proposal/lineEndings.ts';
import type { RefusalCode, ToolFields } from '../../session/proposal/updatedInput.ts';
import { updatedInputFor } from '../../session/proposal/updatedInput.ts';
import type { FileOnDisk } from './fileOnDisk.ts';
import { sameFile } from './fileOnDisk.ts';

/** What accepting comes to. */
export type Accepted =
  | { readonly type: 'unchanged' }
  | { readonly type: 'changed'; readonly input: ToolFields; readonly note: string | undefined }
  /** The file is not as it was shown: the person has to look again first. */
  | { readonly type: 'stale' }
  | { readonly type: 'nothing' }
  | { readonly type: 'refused'; readonly code: RefusalCode };

/**
 * One proposal that waits: the file as it is, what the agent would make of it, and what the person has made of that so
 * far. What the right side holds is what will be written.
 */
export class PendingProposal {
  readonly ask: PermissionAsk;
  #disk: FileOnDisk;
  #proposal: FileProposal;
  #right: string;
  #hunks: readonly Hunk[] | undefined;
  #states: readonly HunkState[] | undefined;
  #changedOnDisk = false;

  private constructor(ask: PermissionAsk, disk: FileOnDisk, proposal: FileProposal) {
    this.ask = ask;
    this.#disk = disk;
    this.#proposal = proposal;
    this.#right = proposal.after;
  }

  /** Undefined: the tool writes no file, or its input cannot be read. */
  static of(ask: PermissionAsk, disk: FileOnDisk): PendingProposal | undefined {
    const proposal = proposalOf(ask.toolName, ask.input, disk.file);
    return proposal === undefined ? undefined : new PendingProposal(ask, disk, proposal);
  }

  get proposal(): FileProposal {
    return this.#proposal;
  }

  get disk(): FileOnDisk {
    return this.#disk;
  }

  get left(): string {
    return this.#proposal.before ?? '';
  }

  get right(): string {
    return this.#right;
  }

  /** Whether there is something to compare: not so for a file that cannot be shown as text. */
  get hasDiff(): boolean {
    return this.#disk.file.state !== 'unreadable';
  }

  /** The person changed something on the right side. */
  get isTouched(): boolean {
    return asShown(this.#right) !== asShown(this.#proposal.after);
  }

  /** All the person changed is that some hunks are left out. */
  get onlyLeavesOut(): boolean {
    if (!this.isTouched) return false;
    const taken = new Set(this.hunks.filter(({ id }) => this.states[id] === 'taken').map(({ id }) => id));
    return asShown(applyHunks(this.left, this.hunks, taken)) === asShown(this.#right);
  }

  /** The file became another one since the question was asked. */
  get changedOnDisk(): boolean {
    return this.#changedOnDisk;
  }

  get hunks(): readonly Hunk[] {
    return (this.#hunks ??= this.hasDiff ? hunksOf(this.left, this.#proposal.after) : []);
  }

  /** In the order of `hunks`. */
  get states(): readonly HunkState[] {
    return (this.#states ??= this.isTouched
      ? whichTaken(this.left, this.#proposal.after, this.#right)
      : this.hunks.map(() => 'taken'));
  }

  /** The right side as the editor holds it now. False: nothing a person could see is different. */
  setRight(text: string): boolean {
    if (asShown(text) === asShown(this.#right)) return false;
    this.#right = text;
    this.#states = undefined;
    return true;
  }

  /** A hunk taken or left on the card. False: there is no such hunk, or it is so already. */
  choose(hunk: number, take: boolean): boolean {
    const state = this.states[hunk];
    if (state === undefined || state === (take ? 'taken' : 'left')) return false;
    return this.setRight(setHunk(this.left, this.#proposal.after, this.#right, hunk, take));
  }

  /**
   * Takes up what is on disk now. Hunks that were left stay left where they are still the same; a text the person wrote
   * is never touched. False: the file is as it was.
   */
  refresh(disk: FileOnDisk): boolean {
    const { file } = this.#disk;
    this.#disk = disk;
    if (sameFile(file, disk.file)) return false;
    const next = proposalOf(this.ask.toolName, this.ask.input, disk.file);
    if (next === undefined) return false;
    const right = this.#carriedOver(next);
    this.#changedOnDisk = true;
    this.#proposal = next;
    this.#right = right;
    this.#hunks = undefined;
    this.#states = undefined;
    return true;
  }

  /** What allowing means, seen from the file as it is on disk at this moment. */
  accept(disk: FileOnDisk): Accepted {
    if (!sameFile(disk.file, this.#disk.file)) return { type: 'stale' };
    // Also when the CLI will refuse it: then it is the CLI that tells the agent why.
    if (!this.isTouched) return { type: 'unchanged' };
    const acceptance = updatedInputFor(this.ask, disk.file, this.#right);
    if (acceptance.type !== 'changed') return acceptance;
    const note = changeNote(this.#proposal.after, acceptance.text, this.#proposal.path);
    return { type: 'changed', input: acceptance.input, note };
  }

  #carriedOver(next: FileProposal): string {
    if (!this.isTouched) return next.after;
    if (!this.onlyLeavesOut) return this.#right;
    const left = new Set(this.hunks.filter(({ id }) => this.states[id] !== 'taken').map(contentOf));
    const hunks = hunksOf(next.before ?? '', next.after);
    const kept = new Set(hunks.filter(hunk => !left.has(contentOf(hunk))).map(({ id }) => id));
    return applyHunks(next.before ?? '', hunks, kept);
  }
}

function contentOf({ removed, added }: Hunk): string {
  return JSON.stringify([removed, added]);
}
