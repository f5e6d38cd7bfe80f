import type { FieldValue, FormField } from '../../bridge/formField.ts';
import type { ElicitationRequest } from '../../protocol/cliRequests.ts';
import { cleanText } from '../chat/cleanText.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a form, in the order the server wants; undefined for a form that cannot be drawn. */
export function formFields(request: ElicitationRequest): FormField[] | undefined {
  const properties = fieldsOf(request.requested_schema?.['properties']);
  if (properties === undefined) return undefined;
  const required = new Set(textsOf(request.requested_schema?.['required']));
  const order = [...(request.property_order ?? []), ...Object.keys(properties)];
  const fields: FormField[] = [];
  for (const key of new Set(order)) {
    const schema = Object.hasOwn(properties, key) ? fieldsOf(properties[key]) : undefined;
    const field = schema === undefined ? undefined : fieldOf(key, schema, required.has(key));
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
}

function fieldOf(key: string, schema: Fields, required: boolean): FormField | undefined {
  const kind = kindOf(schema);
  if (kind === undefined) return undefined;
  const format = textOf(schema['format']);
  const choices = choicesOf(kind === 'choices' ? (fieldsOf(schema['items']) ?? {}) : schema);
  return {
    key,
    title: cleanText(textOf(schema['title']) ?? key),
    description: cleanText(textOf(schema['description']) ?? ''),
    required,
    kind,
    choices,
    preset: presetOf(kind, schema['default']),
    ...limitsOf(kind, schema),
    ...(format === undefined ? {} : { format }),
  };
}

function kindOf(schema: Fields): FormField['kind'] | undefined {
  switch (schema['type']) {
    case 'boolean':
      return 'yesNo';
    case 'number':
    case 'integer':
      return schema['type'];
    case 'string':
      return choicesOf(schema).length > 0 ? 'choice' : 'text';
    case 'array':
      return choicesOf(fieldsOf(schema['items']) ?? {}).length > 0 ? 'choices' : undefined;
    default:
      return undefined;
  }
}

function presetOf(kind: FormField['kind'], preset: unknown): FieldValue {
  if (kind === 'yesNo') return preset === true;
  if (kind === 'choices') return textsOf(preset);
  return typeof preset === 'string' || typeof preset === 'number' ? String(preset) : '';
}

function limitsOf(kind: FormField['kind'], schema: Fields): Pick<FormField, 'least' | 'most'> {
  const [low, high] =
    kind === 'text'
      ? ['minLength', 'maxLength']
      : kind === 'choices'
        ? ['minItems', 'maxItems']
        : ['minimum', 'maximum'];
  const [least, most] = [schema[low], schema[high]];
  return { ...(typeof least === 'number' ? { least } : {}), ...(typeof most === 'number' ? { most } : {}) };
}

function choicesOf(schema: Fields): FormField['choices'] {
  const titled = schema['oneOf'] ?? schema['anyOf'];
  if (Array.isArray(titled)) {
    return titled.flatMap((entry: unknown) => {
      const one = fieldsOf(entry);
      const value = textOf(one?.['const']);
      return value === undefined ? [] : [{ value, label: cleanText(textOf(one?.['title']) ?? value) }];
    });
  }
  const names = textsOf(schema['enumNames']);
  return textsOf(schema['enum']).map((value, at) => ({ value, label: cleanText(names[at] ?? value) }));
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter(entry => typeof entry === 'string') : [];
}
