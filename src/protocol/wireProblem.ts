import type { NoteCode, TakeNote } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import { isFields } from './schemaKit.ts';
import type { WireProblem } from './transport.ts';

const MAX_EXCERPT = 200;

/** The beginning of a text, safe to print: one line, no control characters, no half of a surrogate pair, bounded. */
export function excerptOf(text: string, max = MAX_EXCERPT): string {
  const cut = text.length > max;
  const head = cut ? text.slice(0, max - 1) : text;
  // Put together anew, not sliced: a slice would keep a line of a hundred megabytes alive for as long as the log.
  const safe = Array.from(head, character => (UNPRINTABLE.test(character) ? '\uFFFD' : character)).join('');
  return cut ? `${safe}…` : safe;
}

/** Control characters, halves of surrogate pairs, and the marks that end lines or turn the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\u2028\u2029\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

const CODES: Readonly<Record<NoteCode, WireProblem['code']>> = {
  invalidField: 'invalidFrame',
  unknownValue: 'unknownValue',
  unknownKind: 'unknownKind',
};

/** Turns the notes of reading one line into problems about that line. */
export function problemReporter(line: string, report: (problem: WireProblem) => void): TakeNote {
  return (code, message) => report({ code: CODES[code], message: excerptOf(message), excerpt: excerptOf(line) });
}

/** The JSON object of a line, or a problem: lines that do not even begin like one are noise. */
export function parseObject(line: string, report: (problem: WireProblem) => void): Fields | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    const code = line.trimStart().startsWith('{') ? 'invalidJson' : 'noise';
    report({ code, message: code === 'noise' ? 'a line that is no frame' : 'broken JSON', excerpt: excerptOf(line) });
    return undefined;
  }
  if (isFields(value)) return value;
  report({ code: 'notAnObject', message: 'JSON that is no object', excerpt: excerptOf(line) });
  return undefined;
}
