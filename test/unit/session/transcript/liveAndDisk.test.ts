import { describe, expect, it } from 'vitest';
import type { TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { allItems, playLive, readDisk, sessionsOf, storeOf } from './recordings.ts';

/** Times are told by different clocks, and the estimate of thinking is not written down. */
function comparable(item: TranscriptItem): TranscriptItem {
  const timeless = { ...item, at: 0 };
  if (timeless.kind === 'tool' && timeless.endedAt !== undefined) return { ...timeless, endedAt: 0 };
  if (timeless.kind !== 'thinking') return timeless;
  const { estimatedTokens: _unwritten, ...rest } = timeless;
  return rest;
}

async function bothSides(name: string): Promise<{ live: TranscriptItem[]; disk: TranscriptItem[] }> {
  const transcript = playLive(name);
  transcript.processEnded();
  return { live: allItems(transcript).map(comparable), disk: (await readDisk(name)).map(comparable) };
}

const isSynthetic = (item: TranscriptItem): boolean => item.kind === 'prompt' && item.synthetic;

describe('live frames and the transcript of the same conversation give the same items', () => {
  it.each(['tools', 'interrupts', 'background'])('for %s', async name => {
    const { live, disk } = await bothSides(name);
    expect(live.length).toBeGreaterThan(3);
    expect(disk).toEqual(live);
  });

  it('for queued, merged and folded prompts, but for one that was cancelled and a turn cut short by an urgent prompt', async () => {
    const { live, disk } = await bothSides('queue');
    const written = live
      .filter(item => item.kind !== 'prompt' || item.text !== 'cancel me')
      .filter(item => item.kind !== 'notice')
      .map(item =>
        item.kind === 'prompt' && item.text === 'slow again' ? { ...item, state: 'completed' as const } : item,
      );
    expect(disk).toEqual(written);
    expect(live.length - written.length).toBe(2);
  });

  it('for subagents, but for the task of a background one, which only the file tells', async () => {
    const { live, disk } = await bothSides('subagent');
    const told = disk.filter(item => item.kind !== 'prompt' || item.text !== 'read a.txt again');
    expect(told).toEqual(live);
    expect(disk.length).toBe(live.length + 1);
  });

  it('for failures and retries, but for synthetic messages and a code that only the result knows', async () => {
    const { live, disk } = await bothSides('failures');
    const written = live
      .filter(item => !isSynthetic(item))
      .map(item =>
        item.kind === 'notice' && item.notice.type === 'turnFailed' && item.notice.code === 'prompt_too_long'
          ? { ...item, notice: { ...item.notice, code: 'invalid_request' } }
          : item,
      );
    expect(disk).toEqual(written);
    expect(live.filter(isSynthetic)).toHaveLength(2);
  });

  it('for commands and compaction, but for the name of an alias', async () => {
    const { live, disk } = await bothSides('commands');
    const written = live.map(item =>
      item.kind === 'prompt' && item.text === '/cost' ? { ...item, text: '/usage' } : item,
    );
    expect(disk).toEqual(written);
  });

  it('for the branch that a session was resumed on, without the one it left', async () => {
    const disk = (await readDisk('branches')).map(comparable);
    const live = ['live.ndjson', 'live-2.ndjson', 'live-3.ndjson'].map(file => {
      const transcript = playLive('branches', file);
      return allItems(transcript).map(comparable);
    });
    expect(disk).toEqual([...(live[0] ?? []).slice(0, 2), ...(live[1] ?? []), ...(live[2] ?? [])]);
  });

  it('for each of the two sessions that /clear makes of one process', async () => {
    const after = playLive('clear').items.map(comparable);
    const sides = await Promise.all(sessionsOf('clear').map(id => readDisk('clear', id)));
    const found = sides.map(items => items.map(comparable)).find(items => items.some(item => item.id === after[0]?.id));
    expect(found?.filter(item => item.kind !== 'prompt' || item.text !== '/clear')).toEqual(after);
  });
});

it.each(['tools', 'interrupts', 'queue', 'background', 'failures', 'branches'])(
  'reading %s in pages of any size gives the same items',
  async name => {
    const whole = await readDisk(name);
    for (const size of [1, 2, 3, 7]) expect(await readDisk(name, undefined, size)).toEqual(whole);
  },
);

it('goes back only to prompts that have a line of their own, each cut before what it said', async () => {
  const points = await storeOf('queue').rewindPoints({
    project: '-workspace',
    sessionId: sessionsOf('queue')[0] ?? '',
  });
  expect(points.map(point => point.text.split('\n').at(-1))).toEqual([
    'first',
    'third',
    'run',
    'slow again',
    'urgent',
    'slow 3',
    'later one',
  ]);
  expect(points[0]?.cutAt).toBeUndefined();
  expect(points.every(point => point.hasCheckpoint)).toBe(true);
  const disk = await readDisk('queue');
  const before = disk[disk.findIndex(item => item.id === points[2]?.uuid) - 1];
  expect(before).toMatchObject({ kind: 'text', uuid: points[2]?.cutAt });
});
