import { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../../src/protocol/transport.ts';
import { LineWriter } from '../../../src/transport/lineWriter.ts';

/** A pipe that takes a write after so many turns of the loop, and breaks at the write with this number. */
function slowPipe(turns: readonly number[], breaksAt = Infinity) {
  const taken: string[] = [];
  let count = 0;
  const stream = new Writable({
    highWaterMark: 16,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      const mine = count;
      count += 1;
      const finish = (left: number): void => {
        if (left > 0) setImmediate(() => finish(left - 1));
        else if (mine >= breaksAt) done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
        else {
          taken.push(chunk);
          done();
        }
      };
      finish(turns[mine % Math.max(1, turns.length)] ?? 0);
    },
  });
  return { stream, taken };
}

describe('the writer of a child’s stdin', () => {
  it('never interleaves concurrent lines and keeps the order of the calls', async () => {
    const lines = fc.array(
      fc.string({ maxLength: 100 }).map(text => JSON.stringify(text)),
      { maxLength: 20 },
    );
    await fc.assert(
      fc.asyncProperty(lines, fc.array(fc.nat(3), { maxLength: 5 }), async (texts, turns) => {
        const { stream, taken } = slowPipe(turns);
        const writer = new LineWriter(stream);
        await Promise.all(texts.map(text => writer.write(text)));
        expect(taken.join('')).toBe(texts.map(text => `${text}\n`).join(''));
      }),
      { numRuns: 60 },
    );
  });

  it('settles every write exactly once when the pipe breaks, and refuses later ones', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(8), fc.integer({ min: 1, max: 10 }), async (breaksAt, count) => {
        fc.pre(breaksAt < count);
        const { stream, taken } = slowPipe([1], breaksAt);
        const writer = new LineWriter(stream);
        let settled = 0;
        const writes = Array.from({ length: count }, (_, i) => writer.write(String(i)).finally(() => (settled += 1)));
        const outcomes = await Promise.allSettled(writes);
        expect(settled).toBe(count);
        expect(outcomes.map(one => one.status)).toEqual(
          Array.from({ length: count }, (_, i) => (i < breaksAt ? 'fulfilled' : 'rejected')),
        );
        for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(TransportError);
        expect(taken).toHaveLength(breaksAt);
        expect((await writer.broken).message).toContain('EPIPE');
        await expect(writer.write('late')).rejects.toMatchObject({ code: 'closed' });
      }),
      { numRuns: 40 },
    );
  });

  it('lets what is written arrive before the end, and refuses the rest', async () => {
    const { stream, taken } = slowPipe([2]);
    const writer = new LineWriter(stream);
    const written = writer.write('last');
    writer.end('over');
    await expect(writer.write('late')).rejects.toMatchObject({ code: 'closed', message: 'over' });
    await written;
    expect(taken).toEqual(['last\n']);
  });

  it('rejects what is under way when the reader is gone for good', async () => {
    const stream = new Writable({ write: () => undefined });
    const writer = new LineWriter(stream);
    const stuck = writer.write('stuck');
    writer.close(new TransportError('closed', 'gone'));
    await expect(stuck).rejects.toMatchObject({ code: 'closed', message: 'gone' });
  });
});
