import * as z from 'zod/mini';
import { isFields, isIdentity, OPEN_VALUE } from './schemaKit.ts';
import { excerptOf } from './wireProblem.ts';

/**
 * `invalidField`: a value of the wrong form, replaced by nothing or an empty one. `unknownValue`: a word outside a list,
 * kept. `unknownKind`: a type, subtype or block we have no schema for, kept whole.
 */
export type NoteCode = 'invalidField' | 'unknownValue' | 'unknownKind';

/** Told of everything that was not as expected while a value was read. */
export type TakeNote = (code: NoteCode, message: string) => void;

/** Each round repairs what the one before uncovered; an object nested deeper than this in wrongness is given up. */
const MAX_ROUNDS = 6;
/** A list with thousands of wrong entries is noted by its first few. */
const MAX_NOTES = 5;
const MAX_MENDS = 64;
const MAX_PLACE = 80;

/**
 * Reads a value by a schema without losing the rest for one wrong field: wrong optional fields are taken away, wrong
 * required ones become empty, wrong list entries are dropped, all of it noted. The value itself comes back when nothing
 * had to change. `undefined` only if an identity is missing, or the value cannot be brought into form.
 */
export function readValue<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  note: TakeNote,
): z.output<S> | undefined {
  return reading(schema, value, note, 'fill');
}

/**
 * Reads a value that means nothing unless everything required of it is there (the input of a tool): only optional parts
 * that came wrong are taken away. `undefined` otherwise; the caller keeps the raw value.
 */
export function readExactly<S extends z.core.$ZodType>(schema: S, value: unknown): z.output<S> | undefined {
  return reading(schema, value, ignore, 'refuse');
}

function ignore(): void {
  // The raw value stays with the caller, so nothing is lost by not noting.
}

/** What becomes of a required part that came wrong: an empty one of its form, or the whole reading fails. */
type Required = 'fill' | 'refuse';

function reading<S extends z.core.$ZodType>(
  schema: S,
  value: unknown,
  note: TakeNote,
  required: Required,
): z.output<S> | undefined {
  let current = value;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const issues = issuesWith(schema, current);
    if (issues === 'countless') {
      note('invalidField', 'more is wrong than can be listed');
      return undefined;
    }
    if (fits(schema, current, issues)) {
      noteAll(issues, 'unknownValue', note);
      return current;
    }
    const hard = issues.filter(issue => !isOpenValue(issue));
    noteAll(hard, 'invalidField', note);
    for (const path of damagedPaths(hard)) {
      current = mend({ path, required }, schema, current, 0);
      if (current === BEYOND_REPAIR) return undefined;
    }
  }
  return undefined;
}

/** zod passes issues on as call arguments, so that a list of some 100,000 wrong entries exhausts the stack. */
function issuesWith(schema: z.core.$ZodType, value: unknown): readonly z.core.$ZodIssue[] | 'countless' {
  try {
    const result = z.safeParse(schema, value);
    return result.success ? [] : result.error.issues;
  } catch (error) {
    if (error instanceof RangeError) return 'countless';
    throw error;
  }
}

/** True when nothing but unknown words of open lists stands against the value: those belong to the type. */
function fits<S extends z.core.$ZodType>(
  _schema: S,
  _value: unknown,
  issues: readonly z.core.$ZodIssue[],
): _value is z.output<S> {
  return issues.every(isOpenValue);
}

/**
 * Where to mend, from the back, so that dropping an entry does not move the ones still to be dropped. Beyond a number
 * that could come from a slip, whole fields are given up instead: each mend copies, and the sum must stay linear.
 */
function damagedPaths(issues: readonly z.core.$ZodIssue[]): (readonly PropertyKey[])[] {
  if (issues.length <= MAX_MENDS) return issues.map(issue => issue.path).toReversed();
  return [...new Set(issues.map(issue => issue.path[0]))].map(key => (key === undefined ? [] : [key]));
}

/** Where a value of ours is not as the schema demands; `undefined` when it is. Unknown words of open lists may pass. */
export function misfit(schema: z.core.$ZodType, value: unknown): string | undefined {
  const issues = issuesWith(schema, value);
  if (issues === 'countless') return 'more is wrong than can be listed';
  const hard = issues.filter(issue => !isOpenValue(issue));
  if (hard.length === 0) return undefined;
  return hard
    .slice(0, MAX_NOTES)
    .map(issue => `${placeOf(issue)}: ${expectation(issue)}`)
    .join('; ');
}

function isOpenValue(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'custom' && issue.params?.['kind'] === OPEN_VALUE;
}

function noteAll(issues: readonly z.core.$ZodIssue[], code: NoteCode, note: TakeNote): void {
  for (const issue of issues.slice(0, MAX_NOTES)) {
    const place = placeOf(issue);
    note(code, code === 'unknownValue' ? `unknown value at ${place}` : `${place}: ${expectation(issue)}`);
  }
}

/** Mostly names of our own schemas, but also keys of foreign records: made short and safe to print. */
function placeOf(issue: z.core.$ZodIssue): string {
  const place = issue.path.map(String).join('.');
  return place === '' ? 'the value' : excerptOf(place, MAX_PLACE);
}

function expectation(issue: z.core.$ZodIssue): string {
  return issue.code === 'invalid_type' ? `expected ${issue.expected}` : `not valid (${issue.code})`;
}

const BEYOND_REPAIR = Symbol('beyond repair');

interface Damage {
  readonly path: readonly PropertyKey[];
  readonly required: Required;
}

function mend(damage: Damage, schema: z.core.$ZodType, value: unknown, depth: number): unknown {
  const key = damage.path[depth];
  if (key === undefined) return emptyFor(schema, damage.required);
  const inner = innerOf(schema, key);
  if (inner === undefined || typeof key === 'symbol') return BEYOND_REPAIR;
  if (Array.isArray(value)) return mendEntry(damage, inner, value, depth);
  if (!isFields(value)) return BEYOND_REPAIR;
  const mended = mend(damage, inner, value[key], depth + 1);
  if (mended !== BEYOND_REPAIR && mended !== undefined) return { ...value, [key]: mended };
  return inner instanceof z.ZodMiniOptional ? without(value, String(key)) : BEYOND_REPAIR;
}

/** An entry that is wrong as a whole is dropped from its list, unless the list must be complete. */
function mendEntry(damage: Damage, inner: z.core.$ZodType, entries: readonly unknown[], depth: number): unknown {
  const index = Number(damage.path[depth]);
  const isWhole = depth === damage.path.length - 1;
  const mended = isWhole ? BEYOND_REPAIR : mend(damage, inner, entries[index], depth + 1);
  if (mended !== BEYOND_REPAIR) return entries.with(index, mended);
  return damage.required === 'fill' ? entries.toSpliced(index, 1) : BEYOND_REPAIR;
}

function without(value: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: _dropped, ...rest } = value;
  return rest;
}

function innerOf(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodMiniOptional || schema instanceof z.ZodMiniNullable) {
    return innerOf(schema._zod.def.innerType, key);
  }
  if (schema instanceof z.ZodMiniArray) return schema._zod.def.element;
  if (schema instanceof z.ZodMiniRecord) return schema._zod.def.valueType;
  if (!(schema instanceof z.ZodMiniObject)) return undefined;
  const shape: Readonly<Record<PropertyKey, z.core.$ZodType>> = schema._zod.def.shape;
  return Object.hasOwn(shape, key) ? shape[key] : undefined;
}

/** The emptiest value of a form, for a required field that came wrong. An object may need further rounds. */
function emptyFor(schema: z.core.$ZodType, required: Required): unknown {
  if (schema instanceof z.ZodMiniOptional) return undefined;
  if (required === 'refuse' || isIdentity(schema)) return BEYOND_REPAIR;
  if (schema instanceof z.ZodMiniNullable) return null;
  if (schema instanceof z.ZodMiniString) return '';
  if (schema instanceof z.ZodMiniNumber) return 0;
  if (schema instanceof z.ZodMiniBoolean) return false;
  if (schema instanceof z.ZodMiniArray) return [];
  if (schema instanceof z.ZodMiniObject || schema instanceof z.ZodMiniRecord) return {};
  return BEYOND_REPAIR;
}
