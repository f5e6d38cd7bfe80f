import * as z from 'zod/mini';

/**
 * The pieces every schema of this room is made of. Two rules hold for all of them: no schema transforms its input (older
 * shapes are brought into the present one *before* validation), so a value that passes is the decoded value, and unknown
 * fields survive. `zod/mini` and late building keep the start of the extension host cheap.
 */

/** A closed list of known words that the other end may extend at any time. */
export type Open<Known extends string> = Known | (string & {});

/** Builds a schema on first use: most frame kinds never appear in a session. */
export function lazy<S>(build: () => S): () => S {
  let built: S | undefined;
  return () => (built ??= build());
}

/** An object that keeps fields we do not know. Typed without an index signature, so that a misspelt field is an error. */
export function wire<Shape extends z.core.$ZodShape>(shape: Shape): z.ZodMiniObject<Shape> {
  return z.looseObject(shape);
}

/** An object of which nothing is expected. */
export const nothing = lazy((): z.ZodMiniType<object> => wire({}));

/** Marks the complaint about a word outside an open list: worth a note, never a reason to change the value. */
export const OPEN_VALUE = 'open-value';

/** A string with known values. Others are kept as they are and noted. */
export function open<const Known extends string>(known: readonly Known[]): z.ZodMiniType<Open<Known>> {
  const words = new Set<string>(known);
  return z.string().check(z.refine(word => words.has(word), { params: { kind: OPEN_VALUE } }));
}

const identities = new WeakSet<z.core.$ZodType>();

/** A string without which the object means nothing (a request id, a tool id): never invented when it is missing. */
export const identity = mark(z.string());

function mark<S extends z.core.$ZodType>(schema: S): S {
  identities.add(schema);
  return schema;
}

export function isIdentity(schema: z.core.$ZodType): boolean {
  return identities.has(schema);
}

/** A value that other code of this room has already read and typed; only its outer form is looked at again. */
export function alreadyRead<T>(form: (value: unknown) => boolean): z.ZodMiniType<T> {
  return z.custom<T>(form);
}

export const text = z.string();
export const count = z.number();
export const flag = z.boolean();
export const anything = z.unknown();
export const texts = z.array(text);
export const fields = z.record(text, anything);

export const maybeText = z.optional(text);
export const maybeCount = z.optional(count);
export const maybeFlag = z.optional(flag);
export const maybeTexts = z.optional(texts);
export const maybeFields = z.optional(fields);
export const maybeAnything = z.optional(anything);
export const textOrNull = z.nullable(text);
export const countOrNull = z.nullable(count);
/** Absent, null or a string. */
export const nullishText = z.optional(textOrNull);
export const nullishCount = z.optional(countOrNull);

/** What conversation and system frames have in common. Optional: an invented id would merge unrelated frames. */
export const envelope = { uuid: maybeText, session_id: maybeText };

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
