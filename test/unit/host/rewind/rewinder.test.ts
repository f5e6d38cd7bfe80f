import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { FileHistory } from '../../../../src/host/rewind/fileHistory.ts';
import { PromptStates } from '../../../../src/host/rewind/promptStates.ts';
import { Rewinder } from '../../../../src/host/rewind/rewinder.ts';
import type { RewindAgent } from '../../../../src/host/rewind/rewindLook.ts';
import { Safekeeping } from '../../../../src/host/rewind/safekeeping.ts';
import { TestFolder } from './folder.ts';

const sessionId = '11111111-2222-4333-8444-555555555555';
let folder: TestFolder;
let config: string;

beforeEach(async () => {
  folder = await TestFolder.make({ 'a.txt': 'old a', 'b.txt': 'old b' });
  config = join(folder.storage, 'config');
});
afterEach(async () => folder.dispose());

/** A session that wrote into files after `p1`: what each held before, or nothing for one that it made. */
async function changed(before: Readonly<Record<string, string | null>>) {
  const backups = join(config, 'file-history', sessionId);
  await mkdir(backups, { recursive: true });
  await mkdir(join(config, 'projects', 'p'), { recursive: true });
  const files = Object.entries(before).map(([path, text], at) => ({
    path,
    text,
    name: text === null ? null : `${at}@v1`,
  }));
  const lines: unknown[] = [
    { type: 'file-history-snapshot', messageId: 'p1', snapshot: { messageId: 'p1', trackedFileBackups: {} } },
  ];
  for (const { path, text, name } of files) {
    if (text !== null && name !== null) await writeFile(join(backups, name), text);
    const backup = { backupFileName: name, version: 1 };
    lines.push({ type: 'file-history-delta', snapshotMessageId: 'p1', trackingPath: path, backup });
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, 'by the agent');
  }
  const transcript = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  await writeFile(join(config, 'projects', 'p', `${sessionId}.jsonl`), transcript);
  const agent: RewindAgent = {
    rewindFiles: async (_prompt, { dryRun }) => {
      for (const { path, name } of dryRun ? [] : files) {
        if (name === null) await rm(path, { force: true });
        else await copyFile(join(backups, name), path);
      }
      return {
        canRewind: true,
        filesChanged: files.map(file => file.path),
        insertions: 0,
        deletions: 0,
        skippedLinks: 0,
      };
    },
  };
  return agent;
}

function newRewinder() {
  const storage = join(folder.storage, 'states');
  const states = new PromptStates({ folder: folder.path, storage, logger: silentLogger, newId: randomUUID });
  const safe = new Safekeeping({
    storage: join(folder.storage, 'rewinds'),
    logger: silentLogger,
    newId: randomUUID,
    now: () => 1,
  });
  const history = new FileHistory(new DiskSessionFiles(config), config);
  const rewinder = new Rewinder({ folder: folder.path, history, states, safe, logger: silentLogger });
  const look = (agent: RewindAgent) =>
    rewinder.look({ sessionId, promptId: 'p1', agent, changes: [], unsaved: new Set() });
  return { rewinder, states, look };
}

async function namesIn(path: string): Promise<string[]> {
  return (await readdir(path)).sort();
}

const plainly = { restore: [], keep: new Set<string>(), promptText: '' };

describe('a rewind', () => {
  it("leaves the CLI's own plan out of everything, and where it is", async () => {
    const plan = join(config, 'plans', 'a-plan.md');
    const agent = await changed({ [plan]: null, [folder.at('a.txt')]: 'old a' });
    const { rewinder, look } = newRewinder();
    const preview = await look(agent);
    expect(preview.files.map(file => file.path)).toEqual([folder.at('a.txt')]);
    const { record } = await rewinder.rewind(preview, agent, plainly);
    expect(record.files.map(file => file.path)).toEqual([folder.at('a.txt')]);
    expect(await readFile(folder.at('a.txt'), 'utf8')).toBe('old a');
    expect(await readFile(plan, 'utf8')).toBe('by the agent');
  });

  it.each([
    ['with git', true],
    ['without git', false],
  ])('tells of empty folders that came and went, and leaves none behind itself, %s', async (_how, git) => {
    await mkdir(folder.at('was/empty'), { recursive: true });
    if (git) await folder.commitAll();
    const { rewinder, states, look } = newRewinder();
    await states.keep('p1', await states.before());
    const agent = await changed({ [folder.at('new/deep/n.txt')]: null, [folder.at('a.txt')]: 'old a' });
    await mkdir(folder.at('made'));
    await rm(folder.at('was'), { recursive: true });
    const preview = await look(agent);
    expect(preview.leftovers.map(({ path, change }) => `${change} ${path}`)).toContain('created made/');
    expect(preview.leftovers.map(({ path }) => path)).toContain(git ? 'was/' : 'was/empty/');
    const { record } = await rewinder.rewind(preview, agent, plainly);
    expect(await namesIn(folder.path)).not.toContain('new');
    expect(await namesIn(folder.path)).toContain('made');
    await rewinder.undo(record);
    expect(await readFile(folder.at('new/deep/n.txt'), 'utf8')).toBe('by the agent');
  });

  it('sets what the CLI takes for unchanged and passes over, as it was shown', async () => {
    const agent = await changed({ [folder.at('a.txt')]: 'old a', [folder.at('b.txt')]: 'old b' });
    const { rewinder, look } = newRewinder();
    const lazy: RewindAgent = {
      rewindFiles: async (prompt, how) => {
        const answer = await agent.rewindFiles(prompt, how);
        if (!how.dryRun) await folder.write('b.txt', 'by the agent');
        return answer;
      },
    };
    const done = await rewinder.rewind(await look(lazy), lazy, plainly);
    expect(done.differing).toEqual([]);
    expect(await readFile(folder.at('b.txt'), 'utf8')).toBe('old b');
    await rewinder.undo(done.record);
    expect(await readFile(folder.at('b.txt'), 'utf8')).toBe('by the agent');
  });

  it('tells only of files that went back, not of those that the person kept', async () => {
    const agent = await changed({ [folder.at('a.txt')]: 'old a', [folder.at('b.txt')]: 'old b' });
    const { rewinder, look } = newRewinder();
    const keep = new Set([folder.at('b.txt')]);
    const done = await rewinder.rewind(await look(agent), agent, { ...plainly, keep });
    expect(done.record.files.map(file => file.path)).toEqual([folder.at('a.txt')]);
    expect(await readFile(folder.at('b.txt'), 'utf8')).toBe('by the agent');
    await folder.write('b.txt', 'more');
    await rewinder.undo(done.record);
    expect(await readFile(folder.at('a.txt'), 'utf8')).toBe('by the agent');
    expect(await readFile(folder.at('b.txt'), 'utf8')).toBe('more');
  });
});
