import type { AgentChange } from '../../session/rewind/agentChanges.ts';
import { endingsKept, inMemory, toDisk } from '../../session/proposal/cliEdit.ts';
import { BOM, decodeFile } from '../../session/proposal/presentFile.ts';
import { eachOf, presenceOf, readOrNothing } from './disk.ts';
import type { FileHistory } from './fileHistory.ts';
import { trackedPath } from './fileHistory.ts';
import { insidePath, resolvePath } from '../paths.ts';
import type { PromptStates } from './promptStates.ts';

/** A file and what it was before. */
export interface EarlierFile {
  readonly path: string;
  /** `null`: it was not there. `undefined`: nobody knows. */
  readonly before: Buffer | null | undefined;
  /** Only the text is known; encoding and line ends are those of the file as it is now. */
  readonly guessed: boolean;
}

export interface EarlierRequest {
  readonly sessionId: string;
  readonly promptId: string;
  /** From the prompt on, in order. */
  readonly changes: readonly AgentChange[];
}

/** What files were before a prompt, byte for byte: from the CLI's copy, else from the state of the folder, else by the text. */
export class EarlierFiles {
  readonly #folder: string;
  readonly #history: FileHistory;
  readonly #states: PromptStates;

  constructor(folder: string, history: FileHistory, states: PromptStates) {
    this.#folder = folder;
    this.#history = history;
    this.#states = states;
  }

  async find({ sessionId, promptId, changes }: EarlierRequest): Promise<readonly EarlierFile[]> {
    const firsts = new Map<string, AgentChange>();
    for (const change of changes) {
      const path = resolvePath(change.path, this.#folder);
      if (!firsts.has(path)) firsts.set(path, change);
    }
    const copies = await this.#copies(sessionId, promptId);
    const missing = [...firsts.keys()].filter(path => !copies.has(path));
    const held = await this.#held(promptId, missing);
    return eachOf([...firsts], async ([path, { before: text }]) => {
      const bytes = copies.get(path);
      if (bytes !== undefined) return { path, before: bytes, guessed: false };
      if (text === null) return { path, before: null, guessed: false };
      const exact = held.get(path);
      if (exact !== undefined || text === undefined) return { path, before: exact, guessed: false };
      return { path, before: asStored(text, await readOrNothing(path)), guessed: true };
    });
  }

  async #copies(sessionId: string, promptId: string): Promise<Map<string, Buffer | null>> {
    const targets = (await this.#history.book(sessionId))?.targets(promptId) ?? new Map<string, string | null>();
    const found = new Map<string, Buffer | null>();
    await eachOf([...targets], async ([tracked, copy]) => {
      const bytes = copy === null ? null : await readOrNothing(this.#history.backupPath(sessionId, copy));
      if (bytes !== undefined) found.set(trackedPath(tracked, this.#folder), bytes);
    });
    return found;
  }

  async #held(promptId: string, paths: readonly string[]): Promise<Map<string, Buffer>> {
    const found = new Map<string, Buffer>();
    const then = paths.length === 0 ? undefined : await this.#states.of(promptId);
    if (then === undefined) return found;
    const taker = await this.#states.taker();
    const names = new Map(paths.map(path => [insidePath(path, this.#folder) ?? '', path]));
    const files = [...(await taker.held(then.state, new Set(names.keys()))).values()].filter(file => file.plain);
    const contents = await taker.contents(then.state, files);
    for (const [at, file] of files.entries()) {
      const [path, bytes] = [names.get(file.path), contents[at]];
      if (path !== undefined && bytes !== undefined) found.set(path, bytes);
    }
    return found;
  }
}

/** Files that are not, or may not be, as they were before: the others have nothing to show and nothing to go back to. */
export async function unlikeBefore(files: readonly EarlierFile[]): Promise<readonly EarlierFile[]> {
  const changed = await eachOf(files, async file => {
    const { path, before } = file;
    const { kind } = await presenceOf(path);
    if (before === null) return kind === 'absent' ? [] : [file];
    if (before === undefined || kind !== 'file') return [file];
    return (await readOrNothing(path))?.equals(before) === true ? [] : [file];
  });
  return changed.flat();
}

/** The agent tells a file's text without byte-order mark and with plain line ends; the file itself had its own. */
function asStored(text: string, present: Buffer | undefined): Buffer {
  const file = present === undefined ? undefined : decodeFile(present);
  if (file?.state !== 'text') return Buffer.from(text);
  const whole = `${file.bom ? BOM : ''}${toDisk(inMemory(text), endingsKept(file.text, file.bom))}`;
  return Buffer.from(whole, file.encoding);
}
