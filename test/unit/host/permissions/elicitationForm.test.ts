import { describe, expect, it } from 'vitest';
import { fieldContent, fieldProblem } from '../../../../src/bridge/formField.ts';
import type { FieldValue } from '../../../../src/bridge/formField.ts';
import { englishStrings, format } from '../../../../src/bridge/strings.ts';
import { formFields } from '../../../../src/host/permissions/elicitationForm.ts';

const form = (properties: Record<string, unknown>, rest: Record<string, unknown> = {}) =>
  formFields({
    subtype: 'elicitation',
    mcp_server_name: 'server',
    message: 'Tell me',
    requested_schema: { type: 'object', properties, ...rest },
  });

describe('a form of a server', () => {
  it('has its fields in the server’s order', () => {
    const fields = formFields({
      subtype: 'elicitation',
      mcp_server_name: 'server',
      message: 'Tell me',
      requested_schema: {
        properties: { b: { type: 'boolean', default: true }, a: { type: 'string', title: 'The A' } },
        required: ['a'],
      },
      property_order: ['a', 'b'],
    });
    expect(fields?.map(({ key, title, kind, required, preset }) => ({ key, title, kind, required, preset }))).toEqual([
      { key: 'a', title: 'The A', kind: 'text', required: true, preset: '' },
      { key: 'b', title: 'b', kind: 'yesNo', required: false, preset: true },
    ]);
  });

  it('offers the choices a field has', () => {
    const fields = form({
      one: { type: 'string', enum: ['r', 'g'], enumNames: ['Red'] },
      titled: { type: 'string', oneOf: [{ const: 'x', title: 'The X' }] },
      many: { type: 'array', items: { type: 'string', enum: ['p', 'q'] }, default: ['q'] },
    });
    expect(fields?.map(({ kind, choices }) => ({ kind, labels: choices.map(({ label }) => label) }))).toEqual([
      { kind: 'choice', labels: ['Red', 'g'] },
      { kind: 'choice', labels: ['The X'] },
      { kind: 'choices', labels: ['p', 'q'] },
    ]);
    expect(fields?.[2]?.preset).toEqual(['q']);
  });

  it('says what is wrong with an answer before it is sent', () => {
    const fields = form(
      {
        age: { type: 'integer', minimum: 1, maximum: 9 },
        mail: { type: 'string', format: 'email' },
        day: { type: 'string', format: 'date' },
        name: { type: 'string', minLength: 2, maxLength: 3 },
        pick: { type: 'string', enum: ['r'] },
        many: { type: 'array', items: { enum: ['p', 'q'] }, minItems: 1, maxItems: 1 },
        yes: { type: 'boolean' },
      },
      { required: ['name', 'many'] },
    );
    const problem = (key: string, value: FieldValue): string | undefined => {
      const field = fields?.find(one => one.key === key);
      if (field === undefined) throw new Error(`no field ${key}`);
      const found = fieldProblem(field, value);
      return found === undefined ? undefined : format(englishStrings[found[0]], ...found.slice(1));
    };
    expect(['x', '1.5', '0', '10', '5', ' '].map(text => problem('age', text))).toEqual([
      'This must be a number',
      'This must be a whole number',
      'Not less than 1',
      'Not more than 9',
      undefined,
      undefined,
    ]);
    expect(['nobody', 'a@b', ''].map(text => problem('mail', text))).toEqual([
      'This must be an e-mail address',
      undefined,
      undefined,
    ]);
    expect(['2026-13-40', '2026-01-02'].map(text => problem('day', text))).toEqual([
      'This must be a date such as 2026-01-31',
      undefined,
    ]);
    expect(['', 'a', 'abcd', 'abc', '🙂🙂'].map(text => problem('name', text))).toEqual([
      'An answer is needed here',
      'At least 2 characters',
      'At most 3 characters',
      undefined,
      undefined,
    ]);
    expect([problem('pick', 'other'), problem('pick', 'r')]).toEqual(['This cannot be chosen here', undefined]);
    expect([[], ['p', 'q'], ['z'], ['p']].map(values => problem('many', values))).toEqual([
      'Choose at least 1',
      'Choose at most 1',
      'This cannot be chosen here',
      undefined,
    ]);
    expect([problem('yes', 'true'), problem('yes', false), problem('name', true)]).toEqual([
      'This cannot be chosen here',
      undefined,
      'This cannot be chosen here',
    ]);
  });

  it('gives the server values of the kind it asked for, and leaves out what nobody filled in', () => {
    const fields = form({
      n: { type: 'number' },
      b: { type: 'boolean' },
      m: { type: 'array', items: { type: 'string', enum: ['p', 'q'] } },
      s: { type: 'string' },
    });
    const content = (values: readonly FieldValue[]) =>
      fields?.map((field, at) => fieldContent(field, values[at] ?? ''));
    expect(content(['1.5', false, ['p', 'q'], 'words'])).toEqual([1.5, false, ['p', 'q'], 'words']);
    expect(content(['', false, [], ''])).toEqual([undefined, false, undefined, undefined]);
  });

  it('that holds what cannot be asked is not asked at all', () => {
    expect(form({ deep: { type: 'object' } })).toBeUndefined();
    expect(formFields({ subtype: 'elicitation', mcp_server_name: 's', message: 'm' })).toBeUndefined();
  });
});
