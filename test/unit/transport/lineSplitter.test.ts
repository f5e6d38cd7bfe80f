import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WireProblem } from '../../../src/protocol/transport.ts';
import { defaultMaxLineBytes, leastMaxLineBytes, LineSplitter } from '../../../src/transport/lineSplitter.ts';

function collect(maxLineBytes?: number) {
  const lines: string[] = [];
  const unterminated: string[] = [];
  const problems: WireProblem[] = [];
  const splitter = new LineSplitter(
    {
      onLine: (line, terminated) => (terminated ? lines : unterminated).push(line),
      onProblem: problem => problems.push(problem),
    },
    maxLineBytes,
  );
  return { splitter, lines, unterminated, problems };
}

function split(chunks: readonly Buffer[], maxLineBytes?: number) {
  const all = collect(maxLineBytes);
  for (const chunk of chunks) all.splitter.push(chunk);
  all.splitter.end();
  return all;
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const cuts = [...new Set(places.map(place => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const bounds = [0, ...cuts, bytes.length];
  return bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end));
}

const record = '{"text":"Grüße 👋🏽 \u2028 \u2029 漢字"}';

describe('a line splitter', () => {
  it('delivers a record split at every single byte once and intact', () => {
    const bytes = Buffer.from(`${record}\n`);
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(split([bytes.subarray(0, at), bytes.subarray(at)]).lines).toEqual([record]);
    }
    expect(split([...bytes].map(byte => Buffer.from([byte]))).lines).toEqual([record]);
  });

  it('delivers two records of one chunk in order', () => {
    expect(split([Buffer.from('{"a":1}\n{"b":2}\n')]).lines).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('delivers a last record without a line feed and marks it as such', () => {
    const { lines, unterminated } = split([Buffer.from('{"a":1}\n{"b":'), Buffer.from('2}')]);
    expect(lines).toEqual(['{"a":1}']);
    expect(unterminated).toEqual(['{"b":2}']);
  });

  it('survives a last record that ends inside a character', () => {
    const { unterminated } = split([Buffer.from('{"a":"ü').subarray(0, -1)]);
    expect(unterminated).toEqual(['{"a":"\ufffd']);
  });

  it('takes CR LF for a line end and a lone CR for an ordinary character', () => {
    const { lines, problems } = split([Buffer.from('{"a":1}\r\n{"b":"x\ry"}\r'), Buffer.from('\n\r\n')]);
    expect(lines).toEqual(['{"a":1}', '{"b":"x\ry"}']);
    expect(problems).toEqual([]);
  });

  it('skips blank lines without a word', () => {
    const { lines, problems } = split([Buffer.from('\n\n  \t\r\n{"a":1}\n\n')]);
    expect(lines).toEqual(['{"a":1}']);
    expect(problems).toEqual([]);
  });

  it('reports a line that is no record and goes on with the next', () => {
    const { lines, problems } = split([Buffer.from('Warning: \u001b[31mhot\u001b[0m\n[1,2]\n{"a":1}\n')]);
    expect(lines).toEqual(['{"a":1}']);
    expect(problems.map(problem => problem.code)).toEqual(['noise', 'noise']);
    expect(problems[0]?.excerpt).toContain('Warning: ');
    expect(problems[0]?.excerpt).not.toContain('\u001b');
  });

  it('reads a record behind a byte order mark or white space', () => {
    expect(split([Buffer.from('\ufeff{"a":1}\n \t{"b":2}\n')]).lines).toEqual(['{"a":1}', '{"b":2}']);
  });

  it('cuts the excerpt of a long noisy line to a safe length', () => {
    const { problems } = split([Buffer.from(`${'x'.repeat(100_000)}\n`)]);
    expect(problems[0]?.excerpt.length).toBeLessThan(300);
  });

  it('accepts a line of exactly the limit and fails at one byte more, once, for good', () => {
    const line = `{"a":"${'x'.repeat(93)}"}`;
    expect(split([Buffer.from(`${line}\n`)], line.length).lines).toEqual([line]);
    for (const size of [1, 7, 1000]) {
      const bytes = Buffer.from(`{"ok":1}\n${line}y\n{"late":1}\n`);
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      );
      const { splitter, lines, problems, unterminated } = split(chunks, line.length);
      expect(lines).toEqual(['{"ok":1}']);
      expect(problems.map(problem => problem.code)).toEqual(['lineTooLong']);
      expect(problems[0]?.message).toContain(String(line.length));
      expect(problems[0]?.excerpt).toContain('{"a":"xxx');
      expect(unterminated).toEqual([]);
      expect(splitter.push(Buffer.from('{"more":1}\n'))).toBe(false);
      expect(lines).toHaveLength(1);
    }
  });

  it('says false to the chunk that breaks the limit, before the end of the line has come', () => {
    const { splitter } = collect(10);
    expect(splitter.push(Buffer.from('{"aaa'))).toBe(true);
    expect(splitter.push(Buffer.from('aaaaaaaaa'))).toBe(false);
  });

  it('takes lines as long as the CLI is known to write them', () => {
    expect(defaultMaxLineBytes).toBeGreaterThanOrEqual(leastMaxLineBytes);
    const big = `{"text":"${'é'.repeat(10 * 1024 * 1024)}"}`;
    const bytes = Buffer.from(`${big}\n{"next":1}\n`);
    const chunks = Array.from({ length: Math.ceil(bytes.length / 65_536) }, (_, i) =>
      bytes.subarray(i * 65_536, (i + 1) * 65_536),
    );
    const { lines } = split(chunks);
    expect(lines).toHaveLength(2);
    expect(lines[0] === big).toBe(true);
  });

  it('gives the same lines and problems however the bytes are cut', () => {
    const line = fc.oneof(
      fc.json().map(text => `{"v":${text}}`),
      fc.string({ unit: 'binary' }).map(text => JSON.stringify({ text })),
      fc.string().map(text => text.replaceAll('\n', ' ')),
      fc.constantFrom('', '\r', '{"cut":', record),
    );
    const input = fc.tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('\n', '\r\n'), fc.boolean());
    fc.assert(
      fc.property(input, fc.array(fc.nat(), { maxLength: 30 }), ([texts, end, terminated], places) => {
        const bytes = Buffer.from(texts.join(end) + (terminated ? end : ''));
        const whole = split([bytes]);
        const cut = split(cutAt(bytes, places));
        expect(cut.lines).toEqual(whole.lines);
        expect(cut.unterminated).toEqual(whole.unterminated);
        expect(cut.problems).toEqual(whole.problems);
      }),
      { numRuns: 200 },
    );
  });

  it('delivers every valid record between lines of random bytes', () => {
    const noise = fc.uint8Array({ maxLength: 60 }).map(bytes => Buffer.from(bytes.filter(byte => byte !== 10)));
    fc.assert(
      fc.property(fc.array(noise, { maxLength: 20 }), fc.array(fc.nat(), { maxLength: 20 }), (garbage, places) => {
        const lines = garbage.flatMap((piece, i) => [piece, Buffer.from(`{"i":${i}}`)]);
        const bytes = Buffer.concat(lines.flatMap(piece => [piece, Buffer.from('\n')]));
        const found = split(cutAt(bytes, places)).lines;
        const expected = garbage.map((_, i) => `{"i":${i}}`);
        expect(found.filter(text => expected.includes(text))).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
