import type { ElicitationRequest } from '../../protocol/cliRequests.ts';
import { cleanText } from '../chat/cleanText.ts';
import type { Translate } from '../chat/words.ts';

/** One thing a server wants to know. */
export interface FormField {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'yesNo' | 'choice' | 'choices';
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly preset: string;
  /** Undefined: a good answer. An empty one is good where nothing is required. */
  problem(text: string, t: Translate): string | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a form, in the order the server wants; undefined for a form that cannot be asked field by field. */
export function formFields(request: ElicitationRequest): FormField[] | undefined {
  const properties = fieldsOf(request.requested_schema?.['properties']);
  if (properties === undefined) return undefined;
  const required = new Set(textsOf(request.requested_schema?.['required']));
  const order = [...(request.property_order ?? []), ...Object.keys(properties)];
  const fields: FormField[] = [];
  for (const key of new Set(order)) {
    const schema = fieldsOf(properties[key]);
    const field = schema === undefined ? undefined : fieldOf(key, schema, required.has(key));
    if (field === undefined) return undefined;
    fields.push(field);
  }
  return fields;
}

/** What was typed or picked as the value the server gets. */
export function valueOf(field: FormField, text: string): unknown {
  switch (field.kind) {
    case 'number':
    case 'integer':
      return Number(text);
    case 'yesNo':
      return text === 'true';
    case 'choices':
      return text === '' ? [] : text.split('\n');
    case 'text':
    case 'choice':
      return text;
  }
}

function fieldOf(key: string, schema: Fields, required: boolean): FormField | undefined {
  const kind = kindOf(schema);
  if (kind === undefined) return undefined;
  const preset = schema['default'];
  return {
    key,
    title: cleanText(textOf(schema['title']) ?? key),
    description: cleanText(textOf(schema['description']) ?? ''),
    required,
    kind,
    choices: choicesOf(kind === 'choices' ? (fieldsOf(schema['items']) ?? {}) : schema),
    preset: ['string', 'number', 'boolean'].includes(typeof preset) ? String(preset) : '',
    problem: (text, t) => problemOf(text, kind, schema, required, t),
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

function problemOf(
  text: string,
  kind: FormField['kind'],
  schema: Fields,
  required: boolean,
  t: Translate,
): string | undefined {
  if (text === '') return required ? t('An answer is needed here') : undefined;
  const [low, high] = [schema['minimum'], schema['maximum']];
  const [short, long] = [schema['minLength'], schema['maxLength']];
  if (kind === 'number' || kind === 'integer') {
    const value = Number(text);
    if (!Number.isFinite(value)) return t('This must be a number');
    if (kind === 'integer' && !Number.isInteger(value)) return t('This must be a whole number');
    if (typeof low === 'number' && value < low) return t('Not less than {0}', low);
    if (typeof high === 'number' && value > high) return t('Not more than {0}', high);
  }
  if (kind === 'text') {
    if (typeof short === 'number' && text.length < short) return t('At least {0} characters', short);
    if (typeof long === 'number' && text.length > long) return t('At most {0} characters', long);
    return formatProblem(text, schema['format'], t);
  }
  return undefined;
}

function formatProblem(text: string, format: unknown, t: Translate): string | undefined {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : t('This must be an e-mail address');
    case 'uri':
      return URL.canParse(text) ? undefined : t('This must be an address such as https://example.com');
    case 'date':
      return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)) ? undefined : t('This must be a date');
    case 'date-time':
      return Number.isNaN(Date.parse(text)) ? t('This must be a date with a time') : undefined;
    default:
      return undefined;
  }
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
