import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainDelta } from '../../../src/protocol/plainDelta.ts';
import { readFrame } from '../../../src/protocol/readFrame.ts';
import type { Fields } from './decoding.ts';
import { decodeLine, fixture, notes, parse } from './decoding.ts';

const word = fc.string({ maxLength: 12 });
/** Mostly right, sometimes anything: both verdicts must be met often. */
const rightOr = <T>(right: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: right, weight: 20 }, fc.jsonValue({ maxDepth: 2 }));
const rarely = <T>(right: fc.Arbitrary<T>) => fc.oneof({ arbitrary: fc.constant(undefined), weight: 9 }, right);
const maybe = <T>(right: fc.Arbitrary<T>) => fc.option(rightOr(right), { nil: undefined, freq: 3 });

const delta = fc
  .tuple(
    fc.constantFrom(
      'text_delta',
      'input_json_delta',
      'thinking_delta',
      'signature_delta',
      'citations_delta',
      'unknown',
    ),
    fc.record({
      text: rightOr(word),
      partial_json: rightOr(word),
      thinking: rightOr(word),
      signature: rightOr(word),
      estimated_tokens: rarely(rightOr(fc.integer())),
      extra: maybe(word),
    }),
  )
  .map(([type, values]) => ({ type, ...values }));

const event = fc.record({
  type: fc.oneof(
    { arbitrary: fc.constant('content_block_delta'), weight: 9 },
    fc.constantFrom('ping', 'content_block_start'),
  ),
  index: rightOr(fc.nat()),
  delta: rightOr(delta),
  extra: maybe(word),
});

const frame = fc.record({
  type: fc.oneof({ arbitrary: fc.constant('stream_event'), weight: 9 }, fc.constant('assistant')),
  event: rightOr(event),
  uuid: maybe(word),
  session_id: maybe(word),
  parent_tool_use_id: maybe(fc.oneof(word, fc.constant(null))),
  api_message_id: maybe(word),
  thinking_display: maybe(word),
  ttft_ms: rarely(rightOr(fc.nat())),
  user_message_uuid: rarely(rightOr(word)),
  user_message_uuids: rarely(rightOr(fc.array(word))),
  resume_reason: rarely(rightOr(word)),
  owed_rows: maybe(fc.array(word)),
  extra: maybe(word),
});

/** What the schemas make of it, and what they note. */
function longWay(raw: Fields): { read: unknown; taken: string[] } {
  const { note, taken } = notes();
  return { read: readFrame(raw, note), taken };
}

describe('the short way of a delta', () => {
  it('takes a frame only if the schemas take it too, unchanged and without a note', () => {
    let short = 0;
    let long = 0;
    fc.assert(
      fc.property(frame, value => {
        const raw = parse(JSON.stringify(value));
        const plain = plainDelta(raw);
        if (plain === undefined) {
          long++;
          return;
        }
        short++;
        expect(plain).toBe(raw);
        expect(longWay(raw)).toEqual({ read: raw, taken: [] });
      }),
      { numRuns: 5000 },
    );
    expect(short).toBeGreaterThan(200);
    expect(long).toBeGreaterThan(200);
  });

  it('gives what the long way gives, whichever way is taken', () => {
    fc.assert(
      fc.property(frame, value => {
        const line = JSON.stringify(value);
        const { frame: decoded, problems } = decodeLine(line);
        const { read, taken } = longWay(parse(line));
        expect(decoded).toEqual(read);
        expect(problems).toHaveLength(taken.length);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes every plain delta of a conversation', () => {
    const deltas = fixture('frames.ndjson').filter(raw => JSON.stringify(raw).includes('content_block_delta'));
    expect(deltas).toHaveLength(4);
    for (const raw of deltas) expect(plainDelta(raw)).toBe(raw);
  });

  it('does not mind a delta with an unknown field, but leaves one with a wrong field to the schemas', () => {
    const raw = {
      type: 'stream_event',
      event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a', new: 1 } },
    };
    expect(plainDelta(raw)).toBe(raw);
    expect(plainDelta({ ...raw, uuid: 5 })).toBeUndefined();
    expect(plainDelta({ ...raw, parent_tool_use_id: {} })).toBeUndefined();
  });
});
