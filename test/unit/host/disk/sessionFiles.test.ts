import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFolder, DiskSessionFiles } from '../../../../src/host/disk/sessionFiles.ts';

let folder = '';
const project = '-work';
const sessionId = '00000000-0000-4000-8000-000000000001';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'handrail-disk-'));
  await mkdir(join(folder, 'projects', project, sessionId, 'subagents'), { recursive: true });
  await writeFile(join(folder, 'projects', project, `${sessionId}.jsonl`), 'abcdefghij');
  await writeFile(join(folder, 'projects', project, 'notes.txt'), 'no transcript');
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('session files on disk', () => {
  it('lie where CLAUDE_CONFIG_DIR says, or in the home folder', () => {
    expect(configFolder({ CLAUDE_CONFIG_DIR: '/elsewhere' })).toBe('/elsewhere');
    expect(configFolder({ CLAUDE_CONFIG_DIR: '' })).toMatch(/\.claude$/);
    expect(configFolder({})).toMatch(/\.claude$/);
  });

  it('are listed by project, without what is no transcript', async () => {
    const files = new DiskSessionFiles(folder);
    expect(await files.listProjects()).toEqual([project]);
    expect(await files.listSessions(project)).toMatchObject([{ name: sessionId, size: 10 }]);
  });

  it('are read in ranges, shorter at the end of the file', async () => {
    const files = new DiskSessionFiles(folder);
    const read = async (start: number, end: number): Promise<string> =>
      new TextDecoder().decode(await files.readRange({ project, sessionId }, start, end));
    expect(await read(2, 5)).toBe('cde');
    expect(await read(8, 50)).toBe('ij');
    expect(await read(5, 5)).toBe('');
    expect(await files.stat({ project, sessionId })).toMatchObject({ size: 10 });
  });

  it('are nothing when they are not there', async () => {
    const files = new DiskSessionFiles(join(folder, 'missing'));
    expect(await files.listProjects()).toEqual([]);
    expect(await files.listSessions('x')).toEqual([]);
    expect(await files.listSubagents({ project, sessionId })).toEqual([]);
    expect(await files.stat({ project, sessionId })).toBeUndefined();
    expect(await files.readRange({ project, sessionId }, 0, 5)).toHaveLength(0);
    expect(await files.realPath('/does/not/exist')).toBe('/does/not/exist');
  });

  it('know which tool use started a subagent, also when the note about it is broken', async () => {
    const agents = join(folder, 'projects', project, sessionId, 'subagents');
    await writeFile(join(agents, 'agent-a.jsonl'), '');
    await writeFile(
      join(agents, 'agent-a.meta.json'),
      JSON.stringify({ toolUseId: 't1', agentType: 'general', description: 'd' }),
    );
    await writeFile(join(agents, 'agent-b.jsonl'), '');
    await writeFile(join(agents, 'agent-b.meta.json'), '{"toolU');
    const found = await new DiskSessionFiles(folder).listSubagents({ project, sessionId });
    expect(found.toSorted((a, b) => (a.agentId < b.agentId ? -1 : 1))).toEqual([
      { agentId: 'a', toolUseId: 't1', agentType: 'general', description: 'd' },
      { agentId: 'b' },
    ]);
  });

  it.each(['..', '../x', 'a/b', 'a\\b', 'C:', '', 'a\0b'])(
    'never lead out of their folder by the name %j',
    async name => {
      const files = new DiskSessionFiles(folder);
      await expect(files.listSessions(name)).rejects.toMatchObject({ code: 'unsafeName' });
      expect(() => files.path({ project: name, sessionId })).toThrow('Not a plain name');
      expect(() => files.path({ project, sessionId: name })).toThrow('Not a plain name');
      expect(() => files.path({ project, sessionId, agentId: name })).toThrow('Not a plain name');
    },
  );

  it('resolve links, since projects are named by the real path', async () => {
    const link = join(folder, 'link');
    await symlink(join(folder, 'projects'), link, 'junction');
    const files = new DiskSessionFiles(folder);
    expect(await files.realPath(link)).toBe(await files.realPath(join(folder, 'projects')));
  });
});
