import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Memento } from 'vscode';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DraftBook } from '../../../../src/host/sessions/draftBook.ts';
import { SideBarMemory } from '../../../../src/host/sessions/sideBarMemory.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-side-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** What VS Code keeps for a workspace. */
class State implements Memento {
  readonly #values = new Map<string, unknown>();

  /** VS Code gives a workspace that comes out of another one a copy of its state. */
  copy(): State {
    const other = new State();
    for (const [key, value] of this.#values) void other.update(key, value);
    return other;
  }

  keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  get<T>(key: string, other?: T): T | undefined {
    const value = this.#values.get(key);
    // As in VS Code: the caller says what it has put in.
    return value === undefined ? other : (value as T);
  }

  update(key: string, value: unknown): Promise<void> {
    this.#values.set(key, value);
    return Promise.resolve();
  }
}

/** The side bar of a window that has just opened. */
function sideBar(state: State, workspaceFile?: string) {
  const drafts = new DraftBook(folder, silentLogger);
  return { drafts, key: new SideBarMemory(state).draftKey('/p', workspaceFile, drafts) };
}

it('takes what was typed along when the workspace gets another name, and leaves no copy behind', async () => {
  const alone = new State();
  const first = sideBar(alone);
  first.drafts.keepText(first.key, 'half a sentence', 3);
  await first.drafts.settled();

  const untitled = alone.copy();
  const second = sideBar(untitled, 'untitled:/1');
  expect(await second.drafts.read(second.key)).toMatchObject({ text: 'half a sentence', revision: 3 });
  await second.drafts.settled();

  const third = sideBar(untitled.copy(), 'file:///a.code-workspace');
  expect(await third.drafts.read(third.key)).toMatchObject({ text: 'half a sentence' });
  await third.drafts.settled();

  const again = sideBar(alone);
  expect(again.key).toBe(first.key);
  expect(await again.drafts.read(again.key)).toMatchObject({ text: '' });
});

it('loses neither draft when the workspace that it becomes has one of its own', async () => {
  const [alone, other] = [new State(), new State()];
  const saved = sideBar(other, 'file:///a.code-workspace');
  saved.drafts.keepText(saved.key, 'from before');
  await saved.drafts.settled();
  const first = sideBar(alone);
  first.drafts.keepText(first.key, 'just typed');
  await first.drafts.settled();
  const { drafts, key } = sideBar(alone.copy(), 'file:///a.code-workspace');
  expect(await drafts.read(key)).toMatchObject({ text: 'just typed\n\nfrom before' });
  await drafts.settled();
});

it('takes nothing from a window on the same folder', async () => {
  const here = sideBar(new State());
  here.drafts.keepText(here.key, 'of the other window');
  await here.drafts.settled();
  const { drafts, key } = sideBar(new State(), 'file:///a.code-workspace');
  expect(await drafts.read(key)).toMatchObject({ text: '' });
  await drafts.settled();
});
