import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPartialObject } from '../../../../src/session/transcript/partialJson.ts';

it.each([
  ['', {}],
  ['{', {}],
  ['{"a', {}],
  ['{"a"', {}],
  ['{"a":', {}],
  ['{"a":"x', { a: 'x' }],
  ['{"a":"x\\', { a: 'x' }],
  ['{"a":"x\\u00', { a: 'x' }],
  ['{"a":"x\\\\', { a: 'x\\' }],
  ['{"a":"x","b', { a: 'x' }],
  ['{"a":1', {}],
  ['{"a":1,', { a: 1 }],
  ['{"a":tr', {}],
  ['{"a":[1,2', { a: [1] }],
  ['{"a":[{"b":"c', { a: [{ b: 'c' }] }],
  ['{"a":{"b":null,"c":"d', { a: { b: null, c: 'd' } }],
  ['{"a":"}{"}', { a: '}{' }],
  ['[1,2]', {}],
  ['nonsense', {}],
  ['}}}', {}],
])('reads %s as far as it goes', (text, expected) => {
  expect(readPartialObject(text)).toEqual(expected);
});

const value = fc.jsonValue({ maxDepth: 3 });
const object = fc.dictionary(fc.string(), value);

/** Whether everything in `part` is in `whole`, texts and lists from their beginning. */
function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string' && typeof whole === 'string') return whole.startsWith(part);
  if (Array.isArray(part) && Array.isArray(whole)) {
    const entries: readonly unknown[] = whole;
    return part.every((entry, index) => isBeginning(entry, entries[index]));
  }
  if (isRecord(part) && isRecord(whole)) return Object.keys(part).every(key => isBeginning(part[key], whole[key]));
  return Object.is(part, whole) || part === whole;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

it('never invents what is not in the whole', () => {
  fc.assert(
    fc.property(object, fc.nat(), (whole, cut) => {
      const text = JSON.stringify(whole);
      const parsed: unknown = JSON.parse(text);
      expect(isBeginning(readPartialObject(text.slice(0, cut % (text.length + 1))), parsed)).toBe(true);
      expect(readPartialObject(text)).toEqual(parsed);
    }),
  );
});

it('never throws, whatever the text', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'u', '1', 't', ' ') }),
      text => {
        expect(typeof readPartialObject(text)).toBe('object');
      },
    ),
    { numRuns: 2000 },
  );
});

it('closes a hundred thousand open brackets in one pass', () => {
  expect(readPartialObject('{"a":'.repeat(3000))).toBeTypeOf('object');
  expect(readPartialObject(`{"a":"${'\\\\'.repeat(200_000)}`)).toEqual({ a: '\\'.repeat(200_000) });
});
