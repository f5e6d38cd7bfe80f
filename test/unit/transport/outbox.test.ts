import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import { TransportError } from '../../../src/protocol/transport.ts';
import { Outbox } from '../../../src/transport/outbox.ts';

const prompt = (uuid: string): HostFrame => ({
  type: 'user',
  message: { role: 'user', content: 'x' },
  parent_tool_use_id: null,
  session_id: '',
  uuid,
});
const request: HostFrame = { type: 'control_cancel_request', request_id: 'r' };

/** A connection that takes everything at once. */
function taking(lines: string[]) {
  return (line: string, done: (error?: Error | null) => void): void => {
    lines.push(line);
    done();
  };
}
const lifecycle = (command_uuid: string) => ({ type: 'command_lifecycle', command_uuid, state: 'queued' }) as const;

describe('an outbox', () => {
  it('keeps the order and resolves when the connection took it', async () => {
    const outbox = new Outbox();
    const lines: string[] = [];
    const sends = ['a', 'b', 'c'].map(line => outbox.put(request, line));
    outbox.flush(taking(lines));
    await Promise.all(sends);
    expect(lines).toEqual(['a', 'b', 'c']);
  });

  it('sends a prompt again after a break only if the other end has not shown that it knows it', () => {
    const outbox = new Outbox();
    const lines: string[] = [];
    const [known, unknown] = [randomUUID(), randomUUID()];
    void outbox.put(prompt(known), 'known');
    void outbox.put(prompt(unknown), 'unknown');
    outbox.flush(taking(lines));
    outbox.acknowledge(lifecycle(known));
    outbox.connectionLost();
    void outbox.put(request, 'later');
    outbox.flush(taking(lines));
    expect(lines).toEqual(['known', 'unknown', 'unknown', 'later']);
    expect(outbox.unacknowledged).toEqual([unknown]);
  });

  it('does not send it again if the history shows it before the new connection is used', async () => {
    const outbox = new Outbox();
    const lines: string[] = [];
    const id = randomUUID();
    // The connection breaks before the write is confirmed.
    const sent = outbox.put(prompt(id), 'prompt');
    outbox.flush(line => lines.push(line));
    outbox.connectionLost();
    outbox.acknowledge({ type: 'user', uuid: id, message: { role: 'user', content: [] }, parent_tool_use_id: null });
    await sent;
    outbox.flush(taking(lines));
    expect(lines).toEqual(['prompt']);
  });

  it('never sends anything but a prompt again: it rejects what was on its way', async () => {
    const outbox = new Outbox();
    const lines: string[] = [];
    const sent = outbox.put(request, 'request');
    outbox.flush(line => lines.push(line));
    outbox.connectionLost();
    await expect(sent).rejects.toMatchObject({ code: 'writeFailed' });
    outbox.flush(taking(lines));
    expect(lines).toEqual(['request']);
  });

  it('takes only so much while there is no connection', async () => {
    const outbox = new Outbox({ letters: 2, bytes: 10 });
    void outbox.put(request, 'a').catch(() => undefined);
    await expect(outbox.put(request, 'x'.repeat(10))).rejects.toMatchObject({ code: 'writeFailed' });
    void outbox.put(request, 'b').catch(() => undefined);
    await expect(outbox.put(request, 'c')).rejects.toMatchObject({ code: 'writeFailed' });
  });

  it('rejects everything once when it is closed, and all that comes later', async () => {
    const outbox = new Outbox();
    const waiting = outbox.put(request, 'a');
    outbox.close(new TransportError('closed', 'over'));
    await expect(waiting).rejects.toMatchObject({ code: 'closed' });
    await expect(outbox.put(request, 'b')).rejects.toMatchObject({ code: 'closed' });
  });

  it('runs every prompt exactly once at an end that drops ids it knows, whatever breaks when', () => {
    const step = fc.constantFrom('put', 'flush', 'flushHalf', 'ack', 'lose');
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const outbox = new Outbox();
        const ran: string[] = [];
        const sent: string[] = [];
        const unconfirmed: string[] = [];
        const arrive = (line: string): void => {
          if (ran.includes(line)) return;
          ran.push(line);
          unconfirmed.push(line);
        };
        const perform = (one: string): void => {
          if (one === 'put') {
            const id = randomUUID();
            sent.push(id);
            void outbox.put(prompt(id), id);
          } else if (one === 'lose') outbox.connectionLost();
          else if (one === 'ack') {
            const id = unconfirmed.shift();
            if (id !== undefined) outbox.acknowledge(lifecycle(id));
          } else {
            let count = 0;
            outbox.flush((line, done) => {
              count += 1;
              // Half of them are lost on the way: the connection breaks before they arrive.
              if (one === 'flushHalf' && count % 2 === 0) return;
              arrive(line);
              done();
            });
            if (one === 'flushHalf') outbox.connectionLost();
          }
        };
        for (const one of steps) perform(one);
        perform('lose');
        perform('flush');
        expect(ran.toSorted()).toEqual(sent.toSorted());
      }),
    );
  });
});
