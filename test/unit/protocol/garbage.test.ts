import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeTranscriptLine } from '../../../src/protocol/transcriptLine.ts';
import { readToolInput } from '../../../src/protocol/toolInputs.ts';
import { readToolResult } from '../../../src/protocol/toolResults.ts';
import { decodeLine, fixture, parse } from './decoding.ts';

const samples = fixture('frames.ndjson').map(frame => JSON.stringify(frame));
const LINES = 100_000;

/** A small generator of its own: fast-check is too slow for this many lines, and the seed makes a failure repeatable. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below); // the low bits of such a generator repeat
  };
}

const SHARDS = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '\\u0000',
  '"type"',
  '__proto__',
  '\u2028',
  '😀',
  '\ud800',
];

/** Cuts, doubles, swaps and sows rubbish into a line that was good. */
function spoil(line: string, random: (below: number) => number): string {
  const at = random(line.length);
  const to = Math.min(line.length, at + 1 + random(12));
  const shard = SHARDS[random(SHARDS.length)] ?? '';
  switch (random(6)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(0, at) + line.slice(to);
    case 2:
      return line.slice(0, at) + shard + line.slice(at);
    case 3:
      return line.slice(0, at) + shard + line.slice(to);
    case 4:
      return shard;
    default:
      return line.slice(0, to) + line.slice(at);
  }
}

/** Puts a value of another form where some value was: stays JSON, and so gets past the parser to the schemas. */
function twist(line: string, random: (below: number) => number): string {
  const values = [...line.matchAll(/:("[^"\\]*"|\d+|true|false|null|\[\]|\{\})/g)];
  const hit = values[random(Math.max(values.length, 1))];
  if (hit === undefined) return line;
  const other = ['null', '7', '"x"', '[]', '{}', '[7]', '{"type":"x"}', 'true'][random(8)] ?? 'null';
  return `${line.slice(0, hit.index)}:${other}${line.slice(hit.index + hit[0].length)}`;
}

describe('garbage on the line', () => {
  it(`decodes ${LINES} spoilt lines without throwing, each reported within bounds or understood`, () => {
    const random = randomNumbers(20260102);
    const seen = new Set<string>();
    let understood = 0;
    for (let i = 0; i < LINES; i++) {
      const sample = samples[random(samples.length)] ?? '';
      const line = random(2) === 0 ? spoil(sample, random) : twist(twist(sample, random), random);
      const { frame, problems } = decodeLine(line);
      if (frame === undefined && problems.length === 0) throw new Error(`lost without a word: ${line}`);
      if (frame !== undefined) understood++;
      for (const { code, excerpt, message } of problems) {
        seen.add(code);
        if (excerpt.length > 200 || message.length > 200) throw new Error(`too long: ${line}`);
        if (/[\p{Cc}\p{Cs}]/u.test(excerpt + message)) throw new Error(`unprintable: ${line}`);
      }
    }
    expect(understood).toBeGreaterThan(LINES / 3);
    expect(seen).toEqual(
      new Set(['noise', 'invalidJson', 'notAnObject', 'invalidFrame', 'unknownKind', 'unknownValue']),
    );
  });

  it('understands the good line after a bad one as if nothing had been', () => {
    for (const sample of samples) {
      decodeLine(sample.slice(0, -1));
      expect(decodeLine(sample)).toEqual({ frame: parse(sample), problems: [] });
    }
  });

  it('never throws on any JSON object, and always gives a frame', () => {
    const type = fc.oneof(fc.constantFrom(...samples.map(typeOf)), fc.string());
    const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.object({ withNullPrototype: false, maxDepth: 4 }));
    fc.assert(
      fc.property(type, fc.dictionary(fc.string(), value), value, (kind, fields, payload) => {
        const frame = { ...fields, type: kind, message: payload, event: payload, request: payload, response: payload };
        const line = stringify(frame);
        expect(line === undefined || decodeLine(line).frame !== undefined).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on tool inputs, tool results and transcript lines of any form', () => {
    const name = fc.oneof(
      fc.constantFrom(
        'Write',
        'Edit',
        'Bash',
        'Agent',
        'Task',
        'TodoWrite',
        'AskUserQuestion',
        'mcp__a__b',
        'toString',
      ),
      fc.string(),
    );
    fc.assert(
      fc.property(name, fc.anything(), fc.jsonValue(), (tool, anything, json) => {
        expect(readToolInput(tool, anything).tool).toBeTypeOf('string');
        expect(readToolResult(tool, anything).tool).toBeTypeOf('string');
        const lines = [JSON.stringify(json), JSON.stringify({ type: tool, message: json, uuid: 'u' })];
        for (const line of lines) expect(() => decodeTranscriptLine(line, () => undefined)).not.toThrow();
      }),
      { numRuns: 3000 },
    );
  });
});

function typeOf(line: string): string {
  return /"type":"(\w+)"/.exec(line)?.[1] ?? '';
}

/** Big integers and the like cannot be on the wire. */
function stringify(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
