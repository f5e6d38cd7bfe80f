import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { StderrTail } from '../../../src/transport/stderrTail.ts';

describe('the tail of stderr', () => {
  it('keeps short text whole', () => {
    const tail = new StderrTail();
    tail.push(Buffer.from('one\n'));
    tail.push(Buffer.from('two\n'));
    expect(tail.text()).toBe('one\ntwo');
  });

  it('keeps only the end of a long text, in bounded memory', () => {
    const tail = new StderrTail(100);
    for (let i = 0; i < 10_000; i += 1) tail.push(Buffer.from(`line ${i}\n`));
    tail.push(Buffer.alloc(1_000_000, 'x'));
    tail.push(Buffer.from(' last words'));
    expect(tail.text().endsWith('x last words')).toBe(true);
    expect(tail.text().length).toBeLessThanOrEqual(100);
  });

  it('never shows half a character, wherever the cut falls', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 20 }), fc.integer({ min: 4, max: 40 }), (text, limit) => {
        const clean = text.replaceAll('\ufffd', '');
        const tail = new StderrTail(limit);
        const bytes = Buffer.from(clean);
        for (let i = 0; i < bytes.length; i += 3) tail.push(bytes.subarray(i, i + 3));
        expect(tail.text()).not.toContain('\ufffd');
      }),
    );
  });

  it('shows no escape sequences and no control characters', () => {
    const tail = new StderrTail();
    tail.push(
      Buffer.from(
        '\u001b[31mred\u001b[0m \u001b]8;;http://x\u0007link\u001b]8;;\u0007 a\u0000b\u202e\u061cc\u009b1md\rnext',
      ),
    );
    expect(tail.text()).toBe('red link abc1md\nnext');
  });
});
