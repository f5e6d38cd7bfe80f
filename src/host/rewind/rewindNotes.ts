import { relative } from 'node:path';
import type { HookOutput } from '../../protocol/hookEvents.ts';
import { rewindNote } from '../../session/rewind/rewindNote.ts';
import type { RewindRecord, Safekeeping } from './safekeeping.ts';

/** Tells the agent with the next prompt of a session which of its files went back, exactly once. */
export class RewindNotes {
  /** Sessions that were looked through and have nothing to tell. */
  readonly #silent = new Set<string>();

  /** Something happened to the files of a session. */
  touched(sessionId: string): void {
    this.#silent.delete(sessionId);
  }

  async take(sessionId: string, safe: Safekeeping): Promise<HookOutput> {
    if (this.#silent.has(sessionId)) return {};
    const records = (await safe.list()).filter(record => isUntold(record, sessionId)).reverse();
    this.#silent.add(sessionId);
    const note = rewindNote(records.map(toldOf));
    for (const record of records) await safe.update(record, { told: true });
    if (note === undefined) return {};
    return { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: note } };
  }
}

function isUntold(record: RewindRecord, sessionId: string): boolean {
  // A rewind that was undone before anybody heard of it never happened, as far as the agent is concerned.
  return record.sessionId === sessionId && record.done && !record.told && !record.conversation && !record.undone;
}

function toldOf({ files, folder, kind }: RewindRecord): Parameters<typeof rewindNote>[0][number] {
  const name = (path: string): string => relative(folder, path) || path;
  return {
    restored: files.filter(file => file.after !== null).map(file => name(file.path)),
    removed: files.filter(file => file.after === null && file.copy !== null).map(file => name(file.path)),
    undone: kind === 'undo',
  };
}
