import type { StringKey } from './strings.ts';

/** One thing an MCP server wants to know. */
export interface FormField {
  readonly key: string;
  readonly title: string;
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'integer' | 'yesNo' | 'choice' | 'choices';
  /** What can be chosen; empty where something is typed. */
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  /** What is there before anybody touched it. */
  readonly preset: FieldValue;
  /** Of numbers the value, of texts the length, of choices how many. */
  readonly least?: number;
  readonly most?: number;
  readonly format?: string;
}

/** As a person put it in: a typed text or a chosen value, a tick, or several chosen values. */
export type FieldValue = string | boolean | readonly string[];

/** What is wrong with an answer, in words of the interface. */
export type FieldProblem = readonly [key: StringKey, ...values: number[]];

/** Why a value cannot be sent, the same on both sides. An empty one is good where nothing is required. */
export function fieldProblem(field: FormField, value: FieldValue): FieldProblem | undefined {
  if (typeof value === 'boolean') return field.kind === 'yesNo' ? undefined : ['fieldNotOffered'];
  if (typeof value !== 'string') return choicesProblem(field, value);
  switch (field.kind) {
    case 'yesNo':
    case 'choices':
      return ['fieldNotOffered'];
    case 'choice':
      if (value === '') return field.required ? ['fieldNeeded'] : undefined;
      return isOffered(field, value) ? undefined : ['fieldNotOffered'];
    case 'number':
    case 'integer':
      if (value.trim() === '') return field.required ? ['fieldNeeded'] : undefined;
      return numberProblem(field, Number(value));
    case 'text':
      if (value === '') return field.required ? ['fieldNeeded'] : undefined;
      return textProblem(field, value);
  }
}

/** The value as the server gets it; undefined for one that is left out. Only for a value without a problem. */
export function fieldContent({ kind, required }: FormField, value: FieldValue): unknown {
  if (typeof value !== 'string') return typeof value === 'boolean' || required || value.length > 0 ? value : undefined;
  const isNumber = kind === 'number' || kind === 'integer';
  if ((isNumber ? value.trim() : value) === '') return undefined;
  return isNumber ? Number(value) : value;
}

function isOffered({ choices }: FormField, value: string): boolean {
  return choices.some(choice => choice.value === value);
}

function choicesProblem(field: FormField, values: readonly string[]): FieldProblem | undefined {
  const { kind, required, least, most } = field;
  if (kind !== 'choices' || !values.every(value => isOffered(field, value))) return ['fieldNotOffered'];
  // Left out altogether, it breaks no rule.
  if (values.length === 0 && !required) return undefined;
  if (least !== undefined && values.length < least) return ['fieldTooFew', least];
  return most !== undefined && values.length > most ? ['fieldTooMany', most] : undefined;
}

function numberProblem({ kind, least, most }: FormField, value: number): FieldProblem | undefined {
  if (!Number.isFinite(value)) return ['fieldNumber'];
  if (kind === 'integer' && !Number.isInteger(value)) return ['fieldWholeNumber'];
  if (least !== undefined && value < least) return ['fieldTooSmall', least];
  return most !== undefined && value > most ? ['fieldTooBig', most] : undefined;
}

function textProblem({ format, least, most }: FormField, text: string): FieldProblem | undefined {
  const { length } = Array.from(text);
  if (least !== undefined && length < least) return ['fieldTooShort', least];
  if (most !== undefined && length > most) return ['fieldTooLong', most];
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+$/.test(text) ? undefined : ['fieldEmail'];
    case 'uri':
      return URL.canParse(text) ? undefined : ['fieldAddress'];
    case 'date':
      return isTime(text, /^\d{4}-\d{2}-\d{2}$/) ? undefined : ['fieldDate'];
    case 'date-time':
      return isTime(text, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/) ? undefined : ['fieldDateTime'];
    default:
      return undefined;
  }
}

function isTime(text: string, form: RegExp): boolean {
  return form.test(text) && !Number.isNaN(Date.parse(text));
}
