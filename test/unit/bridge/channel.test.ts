import { describe, expect, it } from 'vitest';
import { toDisposable } from '../../../src/base/disposable.ts';
import type { Port } from '../../../src/bridge/channel.ts';
import { Channel } from '../../../src/bridge/channel.ts';
import { format } from '../../../src/bridge/strings.ts';
import { viewMessageSchema, viewRequestSchema } from '../../../src/bridge/viewMessages.ts';
import { ManualClock } from '../session/sessionKit.ts';

function portPair(): { a: Port; b: Port; toB: unknown[] } {
  const listeners: Record<'a' | 'b', ((value: unknown) => void) | undefined> = { a: undefined, b: undefined };
  const toB: unknown[] = [];
  const port = (own: 'a' | 'b', other: 'a' | 'b'): Port => ({
    post: value => {
      if (other === 'b') toB.push(value);
      listeners[other]?.(structuredClone(value));
    },
    listen: listener => {
      listeners[own] = listener;
      return toDisposable(() => {
        listeners[own] = undefined;
      });
    },
  });
  return { a: port('a', 'b'), b: port('b', 'a'), toB };
}

function text(value: unknown): string {
  if (typeof value !== 'string') throw new Error('not a text');
  return value;
}

function end(port: Port, onRequest: (request: string) => Promise<string>, clock = new ManualClock()) {
  const got: string[] = [];
  const refused: string[] = [];
  const channel = new Channel<unknown, unknown, string, string, string>(
    port,
    {
      parseMessage: text,
      onMessage: message => got.push(message),
      parseRequest: text,
      onRequest,
      onRefused: error => refused.push(error.message),
    },
    clock,
  );
  return { channel, got, refused };
}

describe('the channel between host and view', () => {
  it('delivers messages in order and answers requests with their own answer', async () => {
    const { a, b } = portPair();
    const host = end(a, request => Promise.resolve(`${request}!`));
    const view = end(b, () => Promise.reject(new Error('unused')));
    host.channel.post('one');
    host.channel.post('two');
    expect(view.got).toEqual(['one', 'two']);
    await expect(Promise.all([view.channel.request('x'), view.channel.request('y')])).resolves.toEqual(['x!', 'y!']);
  });

  it('refuses what does not belong, says so, and goes on', () => {
    const { a, b } = portPair();
    const host = end(a, () => Promise.resolve(''));
    for (const stray of [7, null, 'x', {}, { kind: 'other' }, { kind: 'request' }, { kind: 'message', body: 9 }])
      b.post(stray);
    b.post({ kind: 'message', body: 'fine' });
    expect(host.refused).toHaveLength(7);
    expect(host.got).toEqual(['fine']);
  });

  it('passes the failure of a handler to whoever asked', async () => {
    const { a, b } = portPair();
    end(a, () => Promise.reject(new Error('no such item')));
    const view = end(b, () => Promise.resolve(''));
    await expect(view.channel.request('x')).rejects.toMatchObject({ code: 'remote', message: 'no such item' });
  });

  it('gives up on an answer that does not come, and rejects what waits when it is closed', async () => {
    const { b } = portPair();
    const clock = new ManualClock();
    const view = end(b, () => Promise.resolve(''), clock);
    const late = view.channel.request('x', 50);
    clock.advance(50);
    await expect(late).rejects.toMatchObject({ code: 'timeout' });
    const open = view.channel.request('y');
    view.channel.dispose();
    await expect(open).rejects.toMatchObject({ code: 'closed' });
    await expect(view.channel.request('z')).rejects.toMatchObject({ code: 'closed' });
    expect(clock.waiting).toBe(0);
  });
});

describe('what a view may say', () => {
  it('takes every message of the contract and refuses strangers, extra fields and wild sizes', () => {
    expect(
      viewRequestSchema.safeParse({ name: 'send', key: 'k', text: 'hi', attachments: [], now: false }).success,
    ).toBe(true);
    for (const bad of [
      { type: 'eval', code: '1' },
      { type: 'stop', extra: 1 },
      { type: 'openFile', path: '' },
      { type: 'openFile', path: 'a', line: 0 },
      { type: 'openLink', href: 'x'.repeat(9_000) },
      { type: 'answer', askId: 'a', answer: { type: 'allow', updatedInput: {} } },
    ])
      expect(viewMessageSchema.safeParse(bad).success, JSON.stringify(bad).slice(0, 80)).toBe(false);
    const svg = { kind: 'image', id: 'i', name: 'x', mediaType: 'image/svg+xml', data: 'AA==' };
    for (const bad of [
      { name: 'send', text: 'hi', attachments: [], now: false },
      { name: 'send', key: 'k', text: 'hi', attachments: [], now: 'yes' },
      { name: 'send', key: 'k', text: '', attachments: [svg], now: false },
      { name: 'readItems', from: 0, count: 501 },
    ])
      expect(viewRequestSchema.safeParse(bad).success, JSON.stringify(bad)).toBe(false);
  });

  it('leaves the mark of a missing value in a text, so that the mistake is seen', () => {
    expect(format('{0} of {1}', 2)).toBe('2 of {1}');
  });
});
