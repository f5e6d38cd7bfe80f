import { describe, expect, it } from 'vitest';
import { readValue } from '../../../src/protocol/readValue.ts';
import { count, identity, maybeText, open, text, texts, wire } from '../../../src/protocol/schemaKit.ts';
import * as z from 'zod/mini';
import { decode, decodeLine, notes, ofType } from './decoding.ts';

describe('lines that are no frame', () => {
  it.each([
    ['', 'noise'],
    ['Debugger attached.', 'noise'],
    ['{"type":"user"', 'invalidJson'],
    ['  {broken', 'invalidJson'],
    ['null', 'notAnObject'],
    ['[1]', 'notAnObject'],
    ['"text"', 'notAnObject'],
  ])('reports %j as %s', (line, code) => {
    const { frame, problems } = decodeLine(line);
    expect(frame).toBeUndefined();
    expect(problems.map(problem => problem.code)).toEqual([code]);
  });

  it('cuts the excerpt and masks what a terminal or a log would act on', () => {
    const { problems } = decodeLine(`\u001b[31m\u0000\u2028\u202E\u061Cred\r\n${'x'.repeat(10_000)}`);
    const excerpt = problems[0]?.excerpt ?? '';
    expect(excerpt.length).toBeLessThanOrEqual(200);
    expect(excerpt).toMatch(/^�\[31m����red��x+…$/u);
  });

  it('never cuts a character in two', () => {
    const { problems } = decodeLine('😀'.repeat(500));
    expect(problems[0]?.excerpt).not.toMatch(/\p{Cs}/u);
  });
});

describe('frames that are new or wrong', () => {
  it('keeps a frame of an unknown type whole', () => {
    const raw = { type: 'hologram', beams: [1, 2] };
    expect(decode(raw)).toMatchObject({
      frame: { type: 'unknown', rawType: 'hologram', raw },
      problems: [{ code: 'unknownKind' }],
    });
  });

  it.each(['unknown', 'constructor', '__proto__', 'toString'])('is not fooled by the type %s', type => {
    expect(decode({ type }).frame).toMatchObject({ type: 'unknown', rawType: type });
    expect(decode({ type: 'system', subtype: type }).frame).toMatchObject({ type: 'system', subtype: 'unknown' });
    const control = { type: 'control_request', request_id: 'r', request: { subtype: type } };
    expect(decode(control).frame).toMatchObject({ request: { subtype: 'unknown', rawSubtype: type } });
    const message = { role: 'assistant', content: [{ type }] };
    expect(decode({ type: 'assistant', message }).frame).toMatchObject({
      message: { content: [{ type: 'unknown', rawType: type }] },
    });
    const event = decode({ type: 'stream_event', event: { type } }).frame;
    expect(event).toMatchObject({ type: 'stream_event', event: { type: 'unknown', rawType: type } });
  });

  it('keeps a frame without a type', () => {
    expect(decode({ a: 1 })).toMatchObject({
      frame: { type: 'unknown', raw: { a: 1 } },
      problems: [{ code: 'invalidFrame' }],
    });
  });

  it('keeps an unknown block among known ones, in its place', () => {
    const content = [{ type: 'text', text: 'a' }, { type: 'hologram', x: 1 }, 7, { type: 'text', text: 'b' }];
    const { frame, problems } = decode({ type: 'assistant', message: { id: 'm', content } });
    expect(ofType(frame, 'assistant').message.content).toEqual([
      { type: 'text', text: 'a' },
      { type: 'unknown', rawType: 'hologram', raw: { type: 'hologram', x: 1 } },
      { type: 'unknown', raw: { value: 7 } },
      { type: 'text', text: 'b' },
    ]);
    expect(problems.map(problem => problem.code)).toEqual(['unknownKind', 'invalidFrame']);
  });

  it('gives results of tools the API ran one shape, whatever their name', () => {
    const block = { type: 'web_search_tool_result', tool_use_id: 't', content: [{ url: 'u' }] };
    const { frame, problems } = decode({ type: 'assistant', message: { content: [block] } });
    expect(problems).toEqual([]);
    expect(ofType(frame, 'assistant').message.content).toEqual([
      { ...block, type: 'server_tool_result', rawType: 'web_search_tool_result' },
    ]);
  });

  it('keeps a tool use without an id as unknown, since no result could find it', () => {
    const block = { type: 'tool_use', name: 'Bash', input: {} };
    const { frame } = decode({ type: 'assistant', message: { content: [block] } });
    expect(ofType(frame, 'assistant').message.content).toEqual([{ type: 'unknown', rawType: 'tool_use', raw: block }]);
  });

  it('gives up on tool results nested without end, without losing the frame', () => {
    const depth = 20_000;
    const content = '[{"type":"tool_result","tool_use_id":"t","content":'.repeat(depth) + '"x"' + '}]'.repeat(depth);
    const { frame, problems } = decodeLine(`{"type":"user","message":{"role":"user","content":${content}}}`);
    expect(ofType(frame, 'user').message.content[0]).toMatchObject({ type: 'tool_result' });
    expect(problems.length).toBeGreaterThan(0);
  });

  it('drops a wrong optional field and keeps the rest', () => {
    const { frame, problems } = decode({
      type: 'assistant',
      uuid: 'u',
      aborted: 'yes',
      supersedes: 4,
      message: { id: 'm', content: 'hi' },
    });
    expect(frame).toEqual({
      type: 'assistant',
      uuid: 'u',
      message: { id: 'm', content: [{ type: 'text', text: 'hi' }] },
    });
    expect(problems.map(problem => problem.message)).toEqual([
      'aborted: expected boolean',
      'supersedes: expected array',
    ]);
  });

  it('empties a wrong required field and keeps the rest', () => {
    const { frame, problems } = decode({
      type: 'result',
      subtype: 'success',
      is_error: false,
      result: 'r',
      num_turns: 'x',
    });
    expect(frame).toMatchObject({ type: 'result', result: 'r', num_turns: 0, permission_denials: [], modelUsage: {} });
    expect(problems.length).toBeGreaterThan(0);
  });

  it.each([
    { type: 'control_request', request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {} } },
    { type: 'control_request', request_id: 5, request: { subtype: 'interrupt' } },
    { type: 'control_response', response: { subtype: 'success' } },
    { type: 'control_response' },
    { type: 'control_cancel_request' },
  ])('keeps %j as unknown, since nobody could be answered', raw => {
    const { frame, problems } = decode(raw);
    expect(frame).toEqual({ type: 'unknown', rawType: raw.type, raw });
    expect(problems.map(problem => problem.code)).toEqual(['invalidFrame']);
  });

  it('keeps a request of a known kind that lacks what it is about, answerable, as unknown', () => {
    const request = { subtype: 'can_use_tool', input: {} };
    expect(decode({ type: 'control_request', request_id: 'r', request }).frame).toEqual({
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'unknown', rawSubtype: 'can_use_tool', raw: request },
    });
  });

  it('leaves out suggestions it cannot read: they must not be offered', () => {
    const good = { type: 'setMode', mode: 'acceptEdits', destination: 'session' };
    const suggestions = [{ type: 'grantAll' }, good, 'x'];
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, permission_suggestions: suggestions };
    const { frame, problems } = decode({ type: 'control_request', request_id: 'r', request });
    expect(frame).toMatchObject({ request: { subtype: 'can_use_tool', permission_suggestions: [good] } });
    expect(problems).toHaveLength(2);
  });

  it('takes keys named like members of every object for what they are: keys', () => {
    const input = { constructor: 1, hasOwnProperty: 2, toString: null };
    const block = { type: 'tool_use', id: 't', name: 'Bash', input };
    const { frame, problems } = decode({ type: 'assistant', message: { content: [block] } });
    expect(problems).toEqual([]);
    expect(ofType(frame, 'assistant').message.content).toEqual([block]);
  });

  it('masks foreign keys in what it says about them', () => {
    const usage = { ['\u001b[2Jmodel' + 'x'.repeat(500)]: { inputTokens: 'x', outputTokens: 1 } };
    const { problems } = decode({ type: 'result', subtype: 'success', modelUsage: usage });
    const said = problems.map(problem => problem.message).join();
    expect(said).toContain('modelUsage.�[2Jmodelx');
    expect(said).not.toContain('\u001b');
    expect(Math.max(...problems.map(problem => problem.message.length))).toBeLessThan(200);
  });

  it('is not polluted by a __proto__ key', () => {
    const line =
      '{"type":"assistant","__proto__":{"admin":true},"aborted":3,"message":{"id":"m","__proto__":{"admin":true},' +
      '"content":[{"type":"text","text":"a","__proto__":{"admin":true}}]}}';
    const { frame } = decodeLine(line);
    const assistant = ofType(frame, 'assistant');
    expect(Object.getPrototypeOf(assistant)).toBe(Object.prototype);
    expect(Object.getPrototypeOf(assistant.message)).toBe(Object.prototype);
    expect('admin' in assistant || 'admin' in {}).toBe(false);
  });
});

describe('reading a value by a schema', () => {
  const schema = wire({ id: identity, name: text, size: count, tags: texts, kind: open(['a', 'b']), hint: maybeText });
  const good = { id: 'i', name: 'n', size: 1, tags: ['t'], kind: 'a' };

  it('gives back the very value when nothing is wrong', () => {
    const { note, taken } = notes();
    expect(readValue(schema, good, note)).toBe(good);
    expect(taken).toEqual([]);
  });

  it('gives back the very value when only a word is new', () => {
    const { note, taken } = notes();
    const value = { ...good, kind: 'c' };
    expect(readValue(schema, value, note)).toBe(value);
    expect(taken).toEqual(['unknownValue unknown value at kind']);
  });

  it('drops wrong entries of a list and keeps the order of the rest', () => {
    const { note, taken } = notes();
    expect(readValue(schema, { ...good, tags: [1, 'a', null, 'b', {}] }, note)?.tags).toEqual(['a', 'b']);
    expect(taken).toHaveLength(3);
  });

  it('does not change the value it was given', () => {
    const value = { ...good, size: 'x', tags: [1, 'a'] };
    const before = structuredClone(value);
    readValue(schema, value, notes().note);
    expect(value).toEqual(before);
  });

  it('refuses to invent an identity', () => {
    expect(readValue(schema, { ...good, id: 7 }, notes().note)).toBeUndefined();
  });

  it('builds an object that is missing from nothing', () => {
    const outer = wire({ inner: wire({ name: text, list: z.array(wire({ size: count })) }) });
    expect(readValue(outer, {}, notes().note)).toEqual({ inner: { name: '', list: [] } });
  });

  it('gives up a list of nothing but wrong entries as a whole', () => {
    const { note, taken } = notes();
    const read = readValue(schema, { ...good, tags: Array.from({ length: 20_000 }, () => 1) }, note);
    expect(read).toEqual({ ...good, tags: [] });
    expect(taken.length).toBeLessThan(10);
  });

  it('gives up a value with more wrong in it than can be counted', () => {
    const { note, taken } = notes();
    const read = readValue(schema, { ...good, tags: Array.from({ length: 1_000_000 }, () => 1) }, note);
    expect(read).toBeUndefined();
    expect(taken).toHaveLength(1);
  });
});
