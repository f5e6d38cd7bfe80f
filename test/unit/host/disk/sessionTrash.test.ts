import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';
import { SessionTrash } from '../../../../src/host/disk/sessionTrash.ts';
import { SummaryCache } from '../../../../src/host/disk/summaryCache.ts';
import { SessionStore } from '../../../../src/session/store/sessionStore.ts';
import { customTitleLine } from '../../../../src/session/store/titleLine.ts';

const id = '11111111-1111-4111-8111-111111111111';
const ref = { project: '-p', sessionId: id };
const prompt = (text: string): string =>
  `${JSON.stringify({ type: 'user', uuid: 'u1', parentUuid: null, sessionId: id, message: { role: 'user', content: text } })}\n`;

let root: string;
let files: DiskSessionFiles;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'hr-trash-'));
  files = new DiskSessionFiles(root);
  await mkdir(join(root, 'projects', '-p', id, 'subagents'), { recursive: true });
  await writeFile(files.path(ref), prompt('Hello there'));
  await writeFile(join(root, 'projects', '-p', id, 'subagents', 'agent-a.jsonl'), 'x\n');
});

afterEach(() => rm(root, { recursive: true, force: true }));

describe('the trash', () => {
  it('takes a session with all that belongs to it out of the list, and brings it back as it was', async () => {
    const trash = new SessionTrash(files, join(root, 'trash'), () => 7);
    const trashed = await trash.put(ref);
    expect(await new SessionStore(files).list()).toEqual([]);
    expect(existsSync(join(root, 'projects', '-p', id))).toBe(false);
    await trash.restore(trashed);
    expect(await readFile(files.path(ref), 'utf8')).toBe(prompt('Hello there'));
    expect(existsSync(join(root, 'projects', '-p', id, 'subagents', 'agent-a.jsonl'))).toBe(true);
    expect(existsSync(trashed.folder)).toBe(false);
  });

  it('brings nothing back over a session that is there again', async () => {
    const trash = new SessionTrash(files, join(root, 'trash'));
    const trashed = await trash.put(ref);
    await mkdir(join(root, 'projects', '-p'), { recursive: true });
    await writeFile(files.path(ref), prompt('Another one'));
    await expect(trash.restore(trashed)).rejects.toMatchObject({ code: 'alreadyThere' });
    expect(await readFile(files.path(ref), 'utf8')).toBe(prompt('Another one'));
  });

  it('leaves all in its place when the transcript cannot be moved', async () => {
    await rm(files.path(ref));
    await mkdir(join(root, 'trash'));
    const trash = new SessionTrash(files, join(root, 'trash'));
    await expect(trash.put(ref)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(existsSync(join(root, 'projects', '-p', id, 'subagents', 'agent-a.jsonl'))).toBe(true);
    expect(await readdir(join(root, 'trash'))).toEqual([]);
  });

  it('says so when there is nothing to delete', async () => {
    const trash = new SessionTrash(files, join(root, 'trash'));
    await expect(trash.put({ project: '-p', sessionId: 'gone' })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a new title', () => {
  it('is a line at the end of the transcript, also after a line that was cut', async () => {
    await writeFile(files.path(ref), `${prompt('Hello there')}{"type":"assistant","uu`);
    await files.appendLine(ref, customTitleLine(id, '  My\n title '));
    const [session] = await new SessionStore(files).list();
    expect(session).toMatchObject({ title: 'My title', titleSource: 'custom' });
    expect((await readFile(files.path(ref), 'utf8')).split('\n')).toHaveLength(4);
  });
});

describe('the kept list of sessions', () => {
  it('saves the next window from reading the files again', async () => {
    const path = join(root, 'summaries.json');
    const first = new SessionStore(files);
    const before = await first.list();
    await new SummaryCache(first, path, silentLogger).save();
    const second = new SessionStore({
      listProjects: () => files.listProjects(),
      listSessions: project => files.listSessions(project),
      listSubagents: session => files.listSubagents(session),
      stat: one => files.stat(one),
      realPath: one => files.realPath(one),
      readRange: () => Promise.reject(new Error('read again')),
    });
    await new SummaryCache(second, path, silentLogger).load();
    expect(await second.list()).toEqual(before);
  });

  it('counts for nothing when the file has changed or the kept list is no list', async () => {
    const path = join(root, 'summaries.json');
    const first = new SessionStore(files);
    await first.list();
    await new SummaryCache(first, path, silentLogger).save();
    await files.appendLine(ref, customTitleLine(id, 'New'));
    const second = new SessionStore(files);
    await new SummaryCache(second, path, silentLogger).load();
    expect((await second.list())[0]?.title).toBe('New');
    await writeFile(path, '{"version":1,"known":[{"size":"x"}]}');
    const third = new SessionStore(files);
    await new SummaryCache(third, path, silentLogger).load();
    expect((await third.list())[0]?.title).toBe('New');
  });
});
