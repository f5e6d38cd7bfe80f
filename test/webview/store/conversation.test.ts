import { batch, effect } from '@preact/signals';
import { describe, expect, it } from 'vitest';
import { Conversation } from '../../../webview/store/conversation.ts';
import type { OrderChange } from '../../../webview/store/conversation.ts';
import { read, text, texts, thinking } from '../support.ts';

function loaded(...items: Parameters<Conversation['reset']>[2]): Conversation {
  const conversation = new Conversation();
  conversation.reset(items.filter(item => item.parent === undefined).length, 0, items);
  return conversation;
}

function changesOf(conversation: Conversation): OrderChange[] {
  const changes: OrderChange[] = [];
  conversation.onChange(change => changes.push(change));
  return changes;
}

describe('Conversation', () => {
  it('holds a window of a longer conversation, with empty places for the rest', () => {
    const conversation = new Conversation();
    conversation.reset(100, 98, texts(2, 98));
    expect(conversation.total.value).toBe(100);
    expect(conversation.idAt(0)).toBeUndefined();
    expect(conversation.idAt(99)).toBe('t99');
    conversation.load(0, texts(3));
    expect([0, 1, 2, 3].map(index => conversation.idAt(index))).toEqual(['t0', 't1', 't2', undefined]);
  });

  it('puts nested items under their parent and not among the rows', () => {
    const conversation = loaded(text('a'), text('a1', { parent: 'a' }), text('a2', { parent: 'a' }), text('b'));
    expect(conversation.total.value).toBe(2);
    expect(conversation.children('a').value).toEqual(['a1', 'a2']);
    expect(conversation.children('b').value).toEqual([]);
  });

  it('tells a card that was drawn without children about its first one', () => {
    const conversation = loaded(text('a'));
    const seen: number[] = [];
    effect(() => {
      seen.push(conversation.children('a').value.length);
    });
    expect(conversation.apply({ op: 'add', index: 0, item: text('a1', { parent: 'a' }) })).toBe(true);
    expect(seen).toEqual([0, 1]);
  });

  it('wakes the row of an item that is taken out and put in again elsewhere with another state', () => {
    const conversation = loaded(text('a', { text: 'waits' }), text('b'));
    const seen: unknown[] = [];
    const row = conversation.item('a');
    effect(() => {
      const item = row?.value;
      seen.push(item?.kind === 'text' ? item.text : undefined);
    });
    batch(() => {
      conversation.apply({ op: 'remove', id: 'a' });
      conversation.apply({ op: 'add', index: 1, item: text('a', { text: 'began' }) });
    });
    expect(seen).toEqual(['waits', 'began']);
    expect([conversation.idAt(0), conversation.idAt(1)]).toEqual(['b', 'a']);
  });

  it('appends to the one item that grows and wakes nobody else', () => {
    const conversation = loaded(text('a'), text('b', { text: 'Hel', streaming: true }));
    let drawnA = 0;
    effect(() => {
      drawnA += conversation.item('a') === undefined ? 0 : Number(conversation.item('a')?.value.kind === 'text');
    });
    conversation.apply({ op: 'append', id: 'b', text: 'lo' });
    expect(conversation.item('b')?.value).toMatchObject({ text: 'Hello' });
    expect(drawnA).toBe(1);
  });

  it('inserts in the middle, and finds every item at its new place', () => {
    const conversation = loaded(...texts(3));
    const changes = changesOf(conversation);
    conversation.apply({ op: 'add', index: 1, item: text('new') });
    expect(['t0', 'new', 't1', 't2'].map(id => conversation.indexOf(id))).toEqual([0, 1, 2, 3]);
    expect(changes).toEqual([{ type: 'insert', index: 1, count: 1 }]);
  });

  it('refuses what does not fit, so that everything is asked for again', () => {
    const conversation = loaded(...texts(2));
    expect(conversation.apply({ op: 'add', index: 9, item: text('far') })).toBe(false);
    expect(conversation.apply({ op: 'add', index: 2, item: text('t0') })).toBe(false);
    expect(conversation.apply({ op: 'remove', id: 'never seen' })).toBe(false);
  });

  it('ignores changes to what was let go, and takes it in again when it is read', () => {
    const conversation = loaded(...texts(4));
    conversation.evict(0, 2);
    expect(conversation.loadedCount).toBe(2);
    expect(conversation.item('t0')).toBeUndefined();
    expect(conversation.apply({ op: 'update', item: text('t0', { text: 'changed' }) })).toBe(true);
    expect(conversation.item('t0')).toBeUndefined();
    conversation.load(0, texts(2));
    expect(conversation.idAt(0)).toBe('t0');
  });

  it('lets go of nested items together with their parent', () => {
    const conversation = loaded(text('a'), text('a1', { parent: 'a' }), text('a2', { parent: 'a1' }), text('b'));
    conversation.evict(0, 1);
    expect(conversation.item('a1')).toBeUndefined();
    expect(conversation.item('a2')).toBeUndefined();
  });

  it('knows which rows are quiet, also when a read finishes later', () => {
    const conversation = loaded(read('r', { status: 'running' }), thinking('th'), text('a'));
    expect([0, 1, 2].map(index => conversation.foldableAt(index))).toEqual([false, true, false]);
    const changes = changesOf(conversation);
    conversation.apply({ op: 'update', item: read('r') });
    expect(conversation.foldableAt(0)).toBe(true);
    expect(changes).toEqual([{ type: 'touch', from: 0, to: 1 }]);
  });

  it('says whether a snapshot goes on with the same conversation', () => {
    const conversation = loaded(...texts(3));
    const changes = changesOf(conversation);
    conversation.reset(4, 0, texts(4));
    conversation.reset(4, 0, [text('other'), ...texts(3)]);
    conversation.reset(2, 0, texts(2));
    expect(changes.map(change => change.type === 'reset' && change.sameConversation)).toEqual([true, false, false]);
  });
});
