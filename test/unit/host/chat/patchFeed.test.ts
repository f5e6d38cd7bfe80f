import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../../src/bridge/hostMessages.ts';
import type { SessionView } from '../../../../src/bridge/sessionView.ts';
import { PatchFeed } from '../../../../src/host/chat/patchFeed.ts';
import type { TextItem, TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { ManualClock } from '../../session/sessionKit.ts';

const session = { state: 'idle' } as unknown as SessionView;

function text(id: string, value: string): TextItem {
  return { kind: 'text', id, at: 0, text: value, streaming: true, aborted: false };
}

function newFeed(items: TranscriptItem[] = [], window = 3) {
  const clock = new ManualClock();
  const posts: HostMessage[] = [];
  const feed = new PatchFeed({
    source: { items, find: id => items.find(item => item.id === id), childrenOf: () => [] },
    present: item => ({
      kind: 'text',
      id: item.id,
      at: 0,
      text: 'text' in item ? item.text : '',
      streaming: false,
      aborted: false,
    }),
    session: () => session,
    post: message => posts.push(message),
    clock,
    window,
  });
  const grow = (id: string, appended: string): void => {
    const index = items.findIndex(item => item.id === id);
    const old = items[index];
    if (old?.kind !== 'text') throw new Error(`no text ${id}`);
    const item = text(id, old.text + appended);
    items[index] = item;
    feed.change({ type: 'grew', item, appended });
  };
  return { clock, posts, feed, grow, items };
}

describe('the feed of patches', () => {
  it('says nothing before the view asks, and then sends the newest page with its place', () => {
    const items = Array.from({ length: 100 }, (_, index) => text(`t${index}`, 'x'));
    const { feed, posts, clock } = newFeed(items);
    feed.sessionChanged();
    clock.advance(1_000);
    expect(posts).toEqual([]);
    feed.snapshot();
    expect(posts[0]).toMatchObject({ type: 'snapshot', revision: 1, total: 100, from: 40 });
    expect(posts[0]?.type === 'snapshot' ? posts[0].items.length : 0).toBe(60);
  });

  it('gathers the tokens of one frame into one append', () => {
    const { feed, posts, grow, clock } = newFeed([text('a', '')]);
    feed.snapshot();
    for (const token of ['Hel', 'lo', '!']) grow('a', token);
    expect(posts).toHaveLength(1);
    clock.advance(16);
    expect(posts[1]).toEqual({ type: 'patch', base: 1, revision: 2, ops: [{ op: 'append', id: 'a', text: 'Hello!' }] });
  });

  it('posts the first token after a pause at once', () => {
    const { feed, posts, grow, clock } = newFeed([text('a', '')]);
    feed.snapshot();
    clock.advance(1_000);
    grow('a', 'x');
    clock.advance(0);
    expect(posts).toHaveLength(2);
    grow('a', 'y');
    clock.advance(15);
    expect(posts).toHaveLength(2);
    clock.advance(1);
    expect(posts).toHaveLength(3);
  });

  it('sends an item that was added and grew in the same frame once, with all of its text', () => {
    const { feed, posts, grow, clock, items } = newFeed();
    feed.snapshot();
    const item = text('a', '');
    items.push(item);
    feed.change({ type: 'added', item, index: 0 });
    grow('a', 'words');
    clock.advance(16);
    expect(posts[1]).toMatchObject({ ops: [{ op: 'add', index: 0, item: { id: 'a', text: 'words' } }] });
  });

  it('holds back when the view is behind and sends everything in one post once it acknowledges', () => {
    const { feed, posts, grow, clock } = newFeed([text('a', '')], 2);
    feed.snapshot();
    for (let token = 0; token < 50; token += 1) {
      grow('a', '.');
      clock.advance(16);
    }
    // The snapshot and one patch are on their way; the rest waits.
    expect(posts).toHaveLength(2);
    feed.acknowledge(2);
    clock.advance(16);
    expect(posts).toHaveLength(3);
    expect(posts[2]).toMatchObject({ base: 2, revision: 3, ops: [{ op: 'append', text: '.'.repeat(49) }] });
  });

  it('ignores the acknowledgement of a revision it never sent', () => {
    const { feed, posts, grow, clock } = newFeed([text('a', '')], 1);
    feed.snapshot();
    feed.acknowledge(99);
    grow('a', 'x');
    clock.advance(100);
    expect(posts).toHaveLength(1);
  });

  it('sends a snapshot in place of a patch that would be longer', () => {
    const { feed, posts, clock, items } = newFeed();
    feed.snapshot();
    for (let index = 0; index < 600; index += 1) {
      const item = text(`t${index}`, 'x');
      items.push(item);
      feed.change({ type: 'added', item, index });
    }
    clock.advance(16);
    expect(posts[1]).toMatchObject({ type: 'snapshot', total: 600, from: 540 });
  });

  it('sends what is gathered before it answers with a page, so that no text arrives twice', () => {
    const { feed, posts, grow } = newFeed([text('a', '')]);
    feed.snapshot();
    grow('a', 'words');
    const page = feed.read(0, 10);
    expect(posts[1]).toMatchObject({ revision: 2, ops: [{ op: 'append', text: 'words' }] });
    expect(page).toMatchObject({ revision: 2, items: [{ id: 'a', text: 'words' }] });
  });

  it('runs no timer while nothing changes and posts nothing after its end', () => {
    const { feed, posts, grow, clock } = newFeed([text('a', '')]);
    feed.snapshot();
    expect(clock.waiting).toBe(0);
    grow('a', 'x');
    feed.dispose();
    clock.advance(1_000);
    expect(posts).toHaveLength(1);
    expect(clock.waiting).toBe(0);
  });

  it('keeps the order of removing and adding', () => {
    const { feed, posts, clock, items } = newFeed([text('a', 'x')]);
    feed.snapshot();
    items.length = 0;
    feed.change({ type: 'removed', id: 'a' });
    const again = text('a', 'y');
    items.push(again);
    feed.change({ type: 'added', item: again, index: 0 });
    clock.advance(16);
    expect(posts[1]).toMatchObject({
      ops: [
        { op: 'remove', id: 'a' },
        { op: 'add', item: { text: 'y' } },
      ],
    });
  });
});
