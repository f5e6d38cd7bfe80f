import { describe, expect, it } from 'vitest';
import { isProjectOf, projectKey } from '../../../../src/session/store/projectKey.ts';
import type { TranscriptRef } from '../../../../src/session/store/sessionFiles.ts';
import { SessionStore } from '../../../../src/session/store/sessionStore.ts';
import type { TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { outline } from '../transcript/frames.ts';
import type { Line } from './memoryFiles.ts';
import { MemoryFiles, Writer } from './memoryFiles.ts';

const id = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const session = (lines: readonly Line[] | string): { store: SessionStore; files: MemoryFiles; ref: TranscriptRef } => {
  const files = new MemoryFiles();
  const ref = files.put('-work', id(1), lines);
  return { files, ref, store: new SessionStore(files) };
};

async function read(store: SessionStore, ref: TranscriptRef, options = {}): Promise<TranscriptItem[]> {
  const history = await store.open(ref, options);
  const pages: (readonly TranscriptItem[])[] = [];
  for (let page = await history.older(); page; page = await history.older()) pages.push(page.items);
  return pages.reverse().flat();
}

describe('project folders', () => {
  it('are named by the real path, one dash for each other character', () => {
    expect(projectKey('/home/me/My Proj_v1.2')).toBe('-home-me-My-Proj-v1-2');
    expect(projectKey('C:\\src\\a.b')).toBe('C--src-a-b');
    expect(projectKey('/u\u0308')).toBe(projectKey('/\u00fc'));
  });

  it('are found by their beginning when the name is too long for the file system', () => {
    const path = `/${'x'.repeat(250)}`;
    expect(isProjectOf(`${projectKey(path).slice(0, 200)}-abc123`, path)).toBe(true);
    expect(isProjectOf(projectKey('/short'), '/short')).toBe(true);
    expect(isProjectOf(`${projectKey('/short')}-abc123`, '/short')).toBe(false);
  });
});

describe('the list', () => {
  const summary = async (lines: readonly Line[]) => {
    const { store } = session(lines);
    const [only] = await store.list();
    if (!only) throw new Error('Nothing listed');
    return only;
  };

  it('takes the newest custom title first, then the others in their order', async () => {
    const conversation = (): Writer => {
      const writer = new Writer();
      writer.user('What is this?');
      writer.say('m1', 'A test.');
      return writer;
    };
    const titles = [
      { line: { type: 'summary', summary: 'A summary', leafUuid: null }, title: 'A summary', titleSource: 'summary' },
      { line: { type: 'last-prompt', lastPrompt: 'And now?' }, title: 'And now?', titleSource: 'lastPrompt' },
      { line: { type: 'ai-title', aiTitle: 'Testing' }, title: 'Testing', titleSource: 'ai' },
      { line: { type: 'custom-title', customTitle: 'Mine' }, title: 'Mine', titleSource: 'custom' },
      { line: { type: 'custom-title', customTitle: 'Mine 2' }, title: 'Mine 2', titleSource: 'custom' },
    ];
    const writer = conversation();
    expect(await summary(writer.lines)).toMatchObject({ title: 'What is this?', titleSource: 'firstPrompt' });
    for (const { line, title, titleSource } of titles) {
      writer.other(line);
      expect(await summary(writer.lines)).toMatchObject({ title, titleSource });
    }
  });

  it('skips what is no prompt when it looks for the first one', async () => {
    const writer = new Writer();
    writer.user('<local-command-caveat>x</local-command-caveat>', { isMeta: true });
    writer.user('<local-command-stdout>x</local-command-stdout>');
    writer.user([{ type: 'tool_result', tool_use_id: 't', content: 'x' }]);
    writer.user('[Request interrupted by user]');
    writer.user([
      { type: 'text', text: '<ide_opened_file>x</ide_opened_file>' },
      { type: 'text', text: `  A ${'very '.repeat(100)}long\nprompt` },
    ]);
    const found = await summary(writer.lines);
    expect(found.title).toMatch(/^A very very/);
    expect(found.title.length).toBeLessThanOrEqual(200);
  });

  it('tells branch, folder, time and size', async () => {
    const writer = new Writer();
    writer.user('hi');
    writer.user('again', { gitBranch: 'topic' });
    expect(await summary(writer.lines)).toMatchObject({
      branch: 'topic',
      cwd: '/work',
      createdAt: 1_700_000_001_000,
      modifiedAt: 1,
    });
  });

  it('says why a session is hidden', async () => {
    const sidechain = new Writer();
    sidechain.user('task', { isSidechain: true });
    const program = new Writer();
    program.user('batch', { entrypoint: 'sdk-ts' });
    const own = new Writer();
    own.user('mine', { entrypoint: 'handrail' });
    expect(await summary(sidechain.lines)).toMatchObject({ hiddenReason: 'sidechain' });
    expect(await summary(program.lines)).toMatchObject({ hiddenReason: 'entrypoint' });
    expect(await summary([{ type: 'mode', mode: 'default' }])).toMatchObject({ hiddenReason: 'empty' });
    expect(await summary(own.lines)).not.toHaveProperty('hiddenReason');
  });

  it('leaves out files that are no sessions and sorts by time', async () => {
    const files = new MemoryFiles();
    const writer = new Writer();
    writer.user('hi');
    files.put('-work', 'agent-x', writer.lines);
    files.put('-work', id(1), writer.lines, 1);
    files.put('-other', id(2), writer.lines, 2);
    const store = new SessionStore(files);
    expect((await store.list()).map(found => found.sessionId)).toEqual([id(2), id(1)]);
    files.links.set('/link', '/work');
    expect((await store.list(['/link'])).map(found => found.sessionId)).toEqual([id(1)]);
  });

  it('explains why a session is not where one looks for it', async () => {
    const writer = new Writer();
    writer.user('hi');
    const { store } = session(writer.lines);
    expect(await store.explain(id(1), '/work')).toMatchObject({ reason: 'listed' });
    expect(await store.explain(id(1), '/elsewhere')).toMatchObject({
      reason: 'otherFolder',
      session: { cwd: '/work' },
    });
    expect(await store.explain(id(9), '/work')).toEqual({ reason: 'notFound' });
  });

  it('reads at most 128 KiB of a session, and nothing of one that did not change', async () => {
    const writer = new Writer();
    writer.user('hi');
    for (let at = 0; at < 3000; at++) writer.say(`m${at}`, 'x'.repeat(300));
    writer.other({ type: 'custom-title', customTitle: 'Long' });
    const { store, files } = session(writer.lines);
    expect(await store.list()).toMatchObject([{ title: 'Long', firstPrompt: 'hi' }]);
    expect(files.bytesRead(id(1))).toBeLessThanOrEqual(128 * 1024);
    const before = files.bytesRead(id(1));
    await store.list();
    expect(files.bytesRead(id(1))).toBe(before);
    files.put('-work', id(1), [...writer.lines, { type: 'custom-title', customTitle: 'Longer' }], 2);
    expect(await store.list()).toMatchObject([{ title: 'Longer' }]);
  });

  it('reads a first prompt that is longer than what is read of the file', async () => {
    const writer = new Writer();
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(300_000) } };
    writer.user([{ type: 'text', text: 'What is on this picture?' }, picture]);
    writer.say('m1', 'x'.repeat(100));
    expect(await summary(writer.lines)).toMatchObject({ title: 'What is on this picture?', cwd: '/work' });
  });
});

describe('the current branch', () => {
  it('runs from the last leaf through attachment lines, and leaves abandoned branches out', async () => {
    const writer = new Writer();
    writer.user('one');
    writer.attachment();
    const kept = writer.say('m1', 'first');
    writer.user('abandoned');
    writer.say('m2', 'gone');
    writer.backTo(kept);
    writer.attachment();
    writer.user('two');
    writer.say('m3', 'second');
    writer.other({ type: 'last-prompt', lastPrompt: 'two' });
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual([
      'prompt completed: one',
      'text: first',
      'prompt completed: two',
      'text: second',
    ]);
  });

  it('does not take a side chain, a team member or a meta line for its leaf', async () => {
    const writer = new Writer();
    writer.user('one');
    const leaf = writer.say('m1', 'answer');
    writer.user('meta', { isMeta: true });
    writer.backTo(leaf).user('side', { isSidechain: true });
    writer.backTo(leaf).user('team', { teamName: 'x' });
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual(['prompt completed: one', 'text: answer']);
  });

  const call = (tool: string): Line => ({ type: 'tool_use', id: tool, name: 'Read', input: {} });
  const answer = (tool: string): Line[] => [{ type: 'tool_result', tool_use_id: tool, content: tool }];

  it('keeps the results of tools that were called together', async () => {
    const writer = new Writer();
    writer.user('read both');
    const first = writer.assistant('m1', [call('t1')]);
    const second = writer.assistant('m1', [call('t2')]);
    writer.backTo(first).user(answer('t1'));
    writer.backTo(second).user(answer('t2'));
    writer.say('m2', 'done');
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual([
      'prompt completed: read both',
      'tool Read done',
      'tool Read done',
      'text: done',
    ]);
  });

  it('keeps them also when the last call was answered first', async () => {
    const writer = new Writer();
    writer.user('read both');
    const first = writer.assistant('m1', [call('t1')]);
    const second = writer.assistant('m1', [call('t2')]);
    writer.backTo(second).user(answer('t2'));
    writer.backTo(first).user(answer('t1'));
    writer.say('m2', 'done');
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual([
      'prompt completed: read both',
      'tool Read done',
      'tool Read done',
      'text: done',
    ]);
  });

  it('stops at a compaction, or goes on before it when asked', async () => {
    const writer = new Writer();
    writer.user('before');
    const last = writer.say('m1', 'old');
    writer.backTo(null);
    writer.node('system', {
      subtype: 'compact_boundary',
      logicalParentUuid: last,
      compactMetadata: { trigger: 'auto', preTokens: 9 },
    });
    writer.user('Summary', { isCompactSummary: true });
    writer.say('m2', 'new');
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual(['notice compacted', 'notice compactSummary', 'text: new']);
    expect(outline(await read(store, ref, { acrossCompaction: true })).slice(0, 2)).toEqual([
      'prompt completed: before',
      'text: old',
    ]);
  });

  it('closes what the file leaves open: nothing runs in a history', async () => {
    const writer = new Writer();
    writer.user('go');
    writer.assistant('m1', [call('t1')]);
    const { store, ref } = session(writer.lines);
    expect(outline(await read(store, ref))).toEqual(['prompt completed: go', 'tool Read stopped']);
  });

  it('nests what subagents did, also of the second level', async () => {
    const writer = new Writer();
    writer.user('delegate');
    writer.assistant('m1', [{ type: 'tool_use', id: 'a1', name: 'Agent', input: {} }]);
    const { store, ref, files } = session(writer.lines);
    const agent = (tool: Line): readonly Line[] => {
      const own = new Writer();
      own.user('task', { isSidechain: true });
      own.assistant('s1', [tool], { isSidechain: true });
      return own.lines;
    };
    files.agents.push({ agentId: 'x', toolUseId: 'a1' }, { agentId: 'y', toolUseId: 'a2' });
    files.put('-work', `${id(1)}/x`, agent({ type: 'tool_use', id: 'a2', name: 'Agent', input: {} }));
    files.put('-work', `${id(1)}/y`, agent({ type: 'text', text: 'deep' }));
    const items = await read(store, ref);
    expect(outline(items.filter(item => item.parentToolUseId === 'a1'))).toEqual([
      'synthetic completed: task',
      'tool Agent stopped',
    ]);
    expect(outline(items.filter(item => item.parentToolUseId === 'a2'))).toContain('text: deep');
  });

  it('rejects for a session that is not there', async () => {
    const store = new SessionStore(new MemoryFiles());
    await expect(store.open({ project: 'x', sessionId: id(1) })).rejects.toMatchObject({ code: 'sessionNotFound' });
  });
});

describe('damage', () => {
  const damaged = (spoil: (lines: string[]) => void): string => {
    const writer = new Writer();
    for (let at = 0; at < 6; at++) {
      writer.user(`prompt ${at}`);
      writer.say(`m${at}`, `answer ${at}`);
    }
    const lines = writer.lines.map(line => JSON.stringify(line));
    spoil(lines);
    return lines.join('\n');
  };
  const whole = Array.from({ length: 6 }, (_, at) => [`prompt completed: prompt ${at}`, `text: answer ${at}`]).flat();

  it.each([
    ['a line cut in the middle', (line: string) => line.slice(0, 40)],
    ['a line of noise', () => '\u0000\u0001 not json'],
    ['a line that is gone', () => ''],
  ])('costs only the line itself: %s', async (_name, spoil) => {
    const { store, ref } = session(
      damaged(lines => {
        lines[5] = spoil(lines[5] ?? '');
      }),
    );
    expect(outline(await read(store, ref))).toEqual(whole.toSpliced(5, 1));
  });

  it('counts what could not be read', async () => {
    const { store, ref } = session(
      damaged(lines => {
        lines[2] = '{"broken';
        lines[8] = 'x';
      }),
    );
    const page = await (await store.open(ref)).older(100);
    expect(page?.corruptLines).toBe(2);
    expect(page?.more).toBe(false);
  });

  it('counts also what could not be read before the first message', async () => {
    const { store, ref } = session(damaged(lines => void lines.unshift('{"broken', 'x')));
    const page = await (await store.open(ref)).older(100);
    expect(page?.corruptLines).toBe(2);
    expect((await store.whole(ref)).corruptLines).toBe(2);
  });

  it('does not follow a circle', async () => {
    const lines = [
      { type: 'user', uuid: 'a', parentUuid: 'b', message: { content: 'one' } },
      { type: 'user', uuid: 'b', parentUuid: 'a', message: { content: 'two' } },
    ];
    const { store, ref } = session(lines);
    expect(outline(await read(store, ref))).toEqual(['prompt completed: one', 'prompt completed: two']);
  });

  it('lists and opens an empty file', async () => {
    const { store, ref } = session('');
    expect(await store.list()).toMatchObject([{ hiddenReason: 'empty' }]);
    expect(await read(store, ref)).toEqual([]);
  });
});

describe('long sessions', () => {
  /** Turns with a recorded request each, as large as the CLI writes them. */
  const long = (turns: number): Line[] => {
    const writer = new Writer();
    for (let at = 0; at < turns; at++) {
      writer.user(`prompt ${at}`);
      writer.other({ type: 'api-request', sessionId: 's', body: 'x'.repeat(20_000) });
      writer.say(`m${at}`, `answer ${at} ${'y'.repeat(2000)}`);
    }
    return writer.lines;
  };

  it('shows the last page after reading the end of the file only', async () => {
    const { store, ref, files } = session(long(1000));
    const size = (await files.stat(ref))?.size ?? 0;
    const page = await (await store.open(ref)).older(50);
    expect(page?.items).toHaveLength(50);
    expect(page?.more).toBe(true);
    expect(outline(page?.items.slice(-2) ?? [])[0]).toBe('prompt completed: prompt 999');
    expect(files.bytesRead(id(1))).toBeLessThan(size * 0.05);
  });

  it('reads older pages on demand until the beginning', async () => {
    const { store, ref } = session(long(120));
    const history = await store.open(ref);
    const sizes: number[] = [];
    for (let page = await history.older(50); page; page = await history.older(50)) sizes.push(page.items.length);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(240);
    expect(sizes.length).toBe(5);
    expect(await history.older(50)).toBeUndefined();
  });

  it('never parts a tool from its result, whatever was said between', async () => {
    const writer = new Writer();
    writer.user('go');
    for (let at = 0; at < 10; at++) {
      writer.assistant(`m${at}`, [{ type: 'tool_use', id: `t${at}`, name: 'Read', input: {} }]);
      writer.say(`n${at}`, 'meanwhile');
      writer.say(`o${at}`, 'still going');
      writer.user([{ type: 'tool_result', tool_use_id: `t${at}`, content: 'x' }]);
    }
    const { store, ref } = session(writer.lines);
    const history = await store.open(ref);
    const tools: string[] = [];
    for (let page = await history.older(1); page; page = await history.older(1)) {
      for (const item of page.items) if (item.kind === 'tool') tools.push(item.state);
    }
    expect(tools).toEqual(Array.from({ length: 10 }, () => 'done'));
  });

  it('goes on behind a line that was cut without searching the rest of the file for it', async () => {
    const writer = long(1000).map(line => JSON.stringify(line));
    const cut = writer.length - 4;
    writer[cut] = (writer[cut] ?? '').slice(0, 60);
    const { store, ref, files } = session(writer.join('\n'));
    const size = (await files.stat(ref))?.size ?? 0;
    const page = await (await store.open(ref)).older(10);
    expect(page?.corruptLines).toBe(1);
    expect(page?.items.length).toBeGreaterThanOrEqual(10);
    expect(files.bytesRead(id(1))).toBeLessThan(size * 0.05);
  });

  it('reads lines that are longer than what is read at a time, at any block size', async () => {
    const lines = long(4).map((line, at) => (at === 2 ? { ...line, padding: 'ü'.repeat(5000) } : line));
    const { store, ref } = session(lines);
    const expected = await read(store, ref);
    for (const blockSize of [1, 7, 100, 4096]) expect(await read(store, ref, { blockSize })).toEqual(expected);
    expect(expected).toHaveLength(8);
  });
});

describe('points to go back to', () => {
  it('are the prompts with a line of their own, with the last entry before them', async () => {
    const writer = new Writer();
    const one = writer.user('one');
    writer.other({ type: 'file-history-snapshot', messageId: one, snapshot: {} });
    const answer = writer.say('m1', 'first');
    writer.attachment();
    writer.user('<local-command-caveat>x</local-command-caveat>', { isMeta: true });
    const command = writer.user('<command-name>/context</command-name><command-args></command-args>');
    const output = writer.user('<local-command-stdout>x</local-command-stdout>');
    writer.node('attachment', {
      attachment: { type: 'queued_command', prompt: 'folded', source_uuid: 'f', commandMode: 'prompt' },
    });
    const note = writer.user('<task-notification>x</task-notification>', { origin: { kind: 'task-notification' } });
    const two = writer.user('two');
    const { store, ref } = session(writer.lines);
    expect(await store.rewindPoints(ref)).toMatchObject([
      { uuid: one, text: 'one', hasCheckpoint: true },
      { uuid: command, text: '/context', cutAt: answer, hasCheckpoint: false },
      { uuid: two, text: 'two', cutAt: note },
    ]);
    expect(output).not.toBe(note);
    expect((await store.rewindPoints(ref))[0]).not.toHaveProperty('cutAt');
  });
});
