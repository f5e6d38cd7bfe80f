import { describe, expect, it } from 'vitest';
import { formFields, valueOf } from '../../../../src/host/permissions/elicitationForm.ts';
import { fill } from '../chat/fill.ts';

const form = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  formFields({
    subtype: 'elicitation',
    mcp_server_name: 'server',
    message: 'Tell me',
    requested_schema: { type: 'object', properties, ...rest },
  });

describe('a form of a server', () => {
  it('is asked field by field, in the server’s order', () => {
    const fields = formFields({
      subtype: 'elicitation',
      mcp_server_name: 'server',
      message: 'Tell me',
      requested_schema: {
        properties: { b: { type: 'boolean' }, a: { type: 'string', title: 'The A' } },
        required: ['a'],
      },
      property_order: ['a', 'b'],
    });
    expect(fields?.map(({ key, title, kind, required }) => ({ key, title, kind, required }))).toEqual([
      { key: 'a', title: 'The A', kind: 'text', required: true },
      { key: 'b', title: 'b', kind: 'yesNo', required: false },
    ]);
  });

  it('offers the choices a field has', () => {
    const fields = form({
      one: { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
      titled: { type: 'string', oneOf: [{ const: 'x', title: 'The X' }] },
      many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } },
    });
    expect(fields?.map(({ kind, choices }) => ({ kind, labels: choices.map(({ label }) => label) }))).toEqual([
      { kind: 'choice', labels: ['Red', 'g'] },
      { kind: 'choice', labels: ['The X'] },
      { kind: 'choices', labels: ['p', 'q'] },
    ]);
  });

  it('says what is wrong with an answer before it is sent', () => {
    const fields = form(
      {
        age: { type: 'integer', minimum: 1, maximum: 9 },
        mail: { type: 'string', format: 'email' },
        day: { type: 'string', format: 'date' },
        name: { type: 'string', minLength: 2, maxLength: 3 },
      },
      { required: ['name'] },
    );
    const problem = (at: number, text: string): string | undefined => fields?.[at]?.problem(text, fill);
    expect([problem(0, 'x'), problem(0, '1.5'), problem(0, '0'), problem(0, '10'), problem(0, '5')]).toEqual([
      'This must be a number',
      'This must be a whole number',
      'Not less than 1',
      'Not more than 9',
      undefined,
    ]);
    expect([problem(1, 'nobody'), problem(1, 'a@b'), problem(1, '')]).toEqual([
      'This must be an e-mail address',
      undefined,
      undefined,
    ]);
    expect([problem(2, '2026-13-40'), problem(2, '2026-01-02')]).toEqual(['This must be a date', undefined]);
    expect([problem(3, ''), problem(3, 'a'), problem(3, 'abcd'), problem(3, 'abc')]).toEqual([
      'An answer is needed here',
      'At least 2 characters',
      'At most 3 characters',
      undefined,
    ]);
  });

  it('gives the server values of the kind it asked for', () => {
    const fields = form({
      n: { type: 'number' },
      b: { type: 'boolean' },
      m: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } },
      s: { type: 'string' },
    });
    const texts = ['1.5', 'false', 'p\nq', 'words'];
    expect(fields?.map((field, at) => valueOf(field, texts[at] ?? ''))).toEqual([1.5, false, ['p', 'q'], 'words']);
  });

  it('that holds what cannot be asked is not asked at all', () => {
    expect(form({ deep: { type: 'object' } })).toBeUndefined();
    expect(formFields({ subtype: 'elicitation', mcp_server_name: 's', message: 'm' })).toBeUndefined();
  });
});
