import { describe, expect, it } from 'vitest';
import { englishStrings } from '../../../src/bridge/strings.ts';
import type { ViewMessage } from '../../../src/bridge/viewMessages.ts';
import { Conversation } from '../../../webview/store/conversation.ts';
import { Pager } from '../../../webview/store/pager.ts';
import type { ReadItems } from '../../../webview/store/pager.ts';
import { Sync, nothingYet } from '../../../webview/store/sync.ts';
import { text, texts } from '../support.ts';

function setUp() {
  const said: ViewMessage[] = [];
  const paints: (() => void)[] = [];
  const conversation = new Conversation();
  const sync = new Sync(
    conversation,
    message => said.push(message),
    call => paints.push(call),
  );
  const paint = (): void => {
    for (const call of paints.splice(0)) call();
  };
  const snapshot = (revision: number, total = 2): void =>
    sync.receive({ type: 'snapshot', revision, session: nothingYet, total, from: 0, items: texts(total) });
  return { said, paint, conversation, sync, snapshot };
}

describe('Sync', () => {
  it('asks for everything at the start', () => {
    const { sync, said } = setUp();
    sync.start();
    expect(said).toEqual([{ type: 'ready' }]);
  });

  it('acknowledges after the paint, and only the newest revision', () => {
    const { sync, said, paint, snapshot } = setUp();
    snapshot(5);
    sync.receive({ type: 'patch', base: 5, revision: 6, ops: [] });
    sync.receive({ type: 'patch', base: 6, revision: 7, ops: [] });
    expect(said).toEqual([]);
    paint();
    expect(said).toEqual([{ type: 'ack', revision: 7 }]);
  });

  it('asks once for a snapshot when a patch is missing, and drops patches until it comes', () => {
    const { sync, said, conversation, snapshot } = setUp();
    snapshot(1);
    sync.receive({ type: 'patch', base: 2, revision: 3, ops: [{ op: 'append', id: 't0', text: '!' }] });
    sync.receive({ type: 'patch', base: 1, revision: 2, ops: [{ op: 'append', id: 't0', text: '!' }] });
    expect(said).toEqual([{ type: 'ready' }]);
    expect(conversation.item('t0')?.value).toMatchObject({ text: 'Text of t0' });
    snapshot(3, 3);
    sync.receive({ type: 'patch', base: 3, revision: 4, ops: [{ op: 'append', id: 't0', text: '!' }] });
    expect(conversation.item('t0')?.value).toMatchObject({ text: 'Text of t0!' });
  });

  it('asks for a snapshot when an operation does not fit', () => {
    const { sync, said, snapshot } = setUp();
    snapshot(1);
    sync.receive({ type: 'patch', base: 1, revision: 2, ops: [{ op: 'remove', id: 'unknown' }] });
    expect(said).toEqual([{ type: 'ready' }]);
  });

  it('takes the session, the options and the words of the host', () => {
    const { sync, snapshot } = setUp();
    snapshot(1);
    sync.receive({
      type: 'hello',
      strings: { ...englishStrings, stop: 'Halt' },
      options: { sendKey: 'modEnter', placement: 'editor' },
    });
    expect(sync.strings.value.stop).toBe('Halt');
    expect(sync.options.value.sendKey).toBe('modEnter');
    sync.receive({
      type: 'patch',
      base: 1,
      revision: 2,
      ops: [{ op: 'session', session: { ...nothingYet, state: 'working' } }],
    });
    expect(sync.session.value.state).toBe('working');
  });
});

describe('Pager', () => {
  const limits = { pageSize: 10, maxLoaded: 40, keepTail: 10, maxInFlight: 2 };

  function paged(total: number, read: ReadItems) {
    const up = setUp();
    up.sync.receive({
      type: 'snapshot',
      revision: 1,
      session: nothingYet,
      total,
      from: total - 10,
      items: texts(10, total - 10),
    });
    const faults: unknown[] = [];
    const pager = new Pager(up.conversation, up.sync, read, error => faults.push(error), limits);
    return { ...up, pager, faults };
  }

  it('reads the pages in sight and nothing else', async () => {
    const asked: number[] = [];
    const { pager, conversation } = paged(1000, (from, count) => {
      asked.push(from);
      return Promise.resolve({ revision: 1, total: 1000, from, items: texts(count, from) });
    });
    pager.show(495, 505);
    await settled();
    expect(asked).toEqual([490, 500]);
    expect(conversation.idAt(505)).toBe('t505');
    pager.show(495, 505);
    await settled();
    expect(asked).toHaveLength(2);
  });

  it('lets go of pages far away but never of the newest', async () => {
    const { pager, conversation } = paged(1000, (from, count) =>
      Promise.resolve({ revision: 1, total: 1000, from, items: texts(count, from) }),
    );
    for (let at = 0; at < 500; at += 10) {
      pager.show(at, at + 9);
      await settled();
    }
    expect(conversation.loadedCount).toBeLessThanOrEqual(limits.maxLoaded + limits.pageSize);
    expect(conversation.idAt(0)).toBeUndefined();
    expect(conversation.idAt(495)).toBe('t495');
    expect(conversation.idAt(999)).toBe('t999');
  });

  it('reads a page again that belongs to another moment, and at last asks for everything', async () => {
    let reads = 0;
    const { pager, said, conversation } = paged(100, (from, count) => {
      reads++;
      return Promise.resolve({ revision: 77, total: 100, from, items: texts(count, from) });
    });
    pager.show(0, 5);
    await settled();
    expect(reads).toBe(5);
    expect(conversation.idAt(0)).toBeUndefined();
    expect(said).toContainEqual({ type: 'ready' });
  });

  it('waits for the patch that is on its way when the host knows of more items', async () => {
    const { pager, sync, conversation } = paged(100, (from, count) =>
      Promise.resolve({ revision: sync.revision, total: 101, from, items: texts(count, from) }),
    );
    pager.show(0, 5);
    await settled();
    expect(conversation.idAt(0)).toBeUndefined();
    sync.receive({ type: 'patch', base: 1, revision: 2, ops: [{ op: 'add', index: 100, item: text('t100') }] });
    await settled();
    expect(conversation.idAt(0)).toBe('t0');
  });

  it('reports a read that failed and tries again', async () => {
    let reads = 0;
    const { pager, faults, conversation } = paged(100, (from, count) => {
      reads++;
      return reads === 1
        ? Promise.reject(new Error('gone'))
        : Promise.resolve({ revision: 1, total: 100, from, items: texts(count, from) });
    });
    pager.show(0, 5);
    await settled();
    expect(faults).toHaveLength(1);
    expect(conversation.item('t3')?.value).toEqual(text('t3'));
  });
});

/** Lets every promise that is ready run; nothing here waits for time. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
}
