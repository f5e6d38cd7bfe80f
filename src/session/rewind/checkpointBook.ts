import type { Fields } from '../../protocol/schemaKit.ts';
import { isFields } from '../../protocol/schemaKit.ts';

/** The name of the CLI's copy of a file; `null`: there was no such file. */
export type BackupName = string | null;

/** How every line of interest begins, as the CLI writes it: the rest of a transcript need not be parsed. */
export const checkpointLineStart = '{"type":"file-history-';

/**
 * What the CLI has written down of its copies: at each prompt the version of every file it knows, and beside that the
 * first version of each file before its first change. With it one can say what a rewind will bring back before it does.
 */
export class CheckpointBook {
  /** Prompt to files to their copies, in the order of the transcript. */
  readonly #snapshots = new Map<string, Map<string, BackupName>>();
  /** The earliest copy of each file: what counts for a prompt from before the file was known. */
  readonly #first = new Map<string, { readonly version: number; readonly backup: BackupName }>();

  /** One line of the transcript. Lines that are no checkpoints, or broken ones, change nothing. */
  read(line: Fields): void {
    if (line['type'] === 'file-history-snapshot') this.#snapshot(line);
    else if (line['type'] === 'file-history-delta') this.#delta(line);
  }

  has(promptUuid: string): boolean {
    return this.#snapshots.has(promptUuid);
  }

  /** Every file the CLI knows and the copy that a rewind to this prompt brings back. `undefined`: no such checkpoint. */
  targets(promptUuid: string): ReadonlyMap<string, BackupName> | undefined {
    const snapshot = this.#snapshots.get(promptUuid);
    if (snapshot === undefined) return undefined;
    const targets = new Map<string, BackupName>();
    for (const [path, { backup }] of this.#first) {
      const held = snapshot.get(path);
      targets.set(path, held === undefined ? backup : held);
    }
    return targets;
  }

  #snapshot(line: Fields): void {
    const { snapshot } = line;
    if (!isFields(snapshot)) return;
    const prompt = snapshot['messageId'] ?? line['messageId'];
    const backups = snapshot['trackedFileBackups'];
    if (typeof prompt !== 'string' || !isFields(backups)) return;
    const held = this.#held(prompt);
    for (const [path, backup] of Object.entries(backups)) this.#take(held, path, backup);
  }

  #delta(line: Fields): void {
    const { snapshotMessageId: prompt, trackingPath: path, backup } = line;
    if (typeof prompt === 'string' && typeof path === 'string') this.#take(this.#held(prompt), path, backup);
  }

  #held(prompt: string): Map<string, BackupName> {
    const known = this.#snapshots.get(prompt);
    if (known !== undefined) return known;
    const held = new Map<string, BackupName>();
    this.#snapshots.set(prompt, held);
    return held;
  }

  #take(held: Map<string, BackupName>, path: string, backup: unknown): void {
    if (!isFields(backup)) return;
    const { backupFileName: name, version } = backup;
    if (name !== null && typeof name !== 'string') return;
    held.set(path, name);
    const first = this.#first.get(path);
    const number = typeof version === 'number' ? version : Infinity;
    if (first === undefined || number < first.version) this.#first.set(path, { version: number, backup: name });
  }
}
