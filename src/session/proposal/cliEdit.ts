import { BOM } from './presentFile.ts';
import { withLineEndings } from './lineEndings.ts';

/*
 * How the CLI applies an edit, found by trying 2.1.326 (test/conformance/proposal.test.ts asks it again):
 *
 * - It counts line ends in the first 4,096 characters (the byte-order mark is one). More CRLF than bare LF: the file is
 *   a CRLF file, and the whole of it is written with CRLF. Otherwise it is an LF file. Either way CRLF becomes LF in
 *   memory first, so an edit makes all line ends of a mixed file alike. A lone CR is a character like any other.
 * - old_string is looked for in that LF text: one with CRLF never matches. new_string with CRLF stays CRLF in an LF file.
 * - An exact match goes first; otherwise curly and straight quotes count as the same, and straight quotes in new_string
 *   are bent where the text that is replaced had curly ones. (`\uXXXX` in old_string for the character itself is
 *   resolved before the question is asked.) Whitespace, tabs and Unicode forms must fit.
 * - Matches are counted without overlap; more than one needs replace_all.
 * - An empty new_string also takes the line end after old_string, wherever "old_string + newline" occurs.
 * - An empty old_string writes a file that is absent or blank.
 * - `$&` and the like mean nothing. The byte-order mark and the encoding stay. Trailing whitespace of new_string is cut
 *   (not in Markdown) before the question is asked, and not again in an updatedInput.
 */

export interface StringEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** Why the CLI would refuse an edit. */
export type EditProblem = 'noMatch' | 'notUnique' | 'noChange' | 'missing' | 'exists';

export type EditOutcome =
  { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: EditProblem };

const endingsWindow = 4096;

/** Which line ends the CLI writes into an existing file when it edits it. `text` is without the byte-order mark. */
export function endingsKept(text: string, bom: boolean): 'lf' | 'crlf' {
  const start = text.slice(0, endingsWindow - (bom ? 1 : 0));
  const all = start.split('\n').length - 1;
  const crlf = start.split('\r\n').length - 1;
  return crlf > all - crlf ? 'crlf' : 'lf';
}

/** A file as the CLI writes it when it edits something in it: the same text, its line ends made alike. */
export function rewritten(text: string, bom: boolean): string {
  return toDisk(inMemory(text), endingsKept(text, bom));
}

export function inMemory(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** In an LF file CRs stay as they are; only a CRLF file has its line ends made alike. */
export function toDisk(memory: string, endings: 'lf' | 'crlf'): string {
  return endings === 'crlf' ? withLineEndings(memory, 'crlf') : memory;
}

/** What must be in memory for this text to be written. A CR before a CRLF survives only if its line end is not yet LF. */
export function fromDisk(text: string, endings: 'lf' | 'crlf'): string {
  return endings === 'crlf' ? text.replaceAll(/\r*\r\n/g, end => (end === '\r\n' ? '\n' : end)) : text;
}

/** `text` undefined: the file is absent. The result is what is in the file then, without its byte-order mark. */
export function applyEdits(text: string | undefined, bom: boolean, edits: readonly StringEdit[]): EditOutcome {
  const endings = text === undefined ? 'lf' : endingsKept(text, bom);
  let memory = text === undefined ? undefined : inMemory(text);
  for (const edit of edits) {
    const outcome = applyInMemory(memory, edit);
    if (!outcome.ok) return outcome;
    memory = outcome.text;
  }
  if (memory === undefined) return { ok: false, problem: 'missing' };
  return { ok: true, text: toDisk(memory, endings) };
}

function applyInMemory(memory: string | undefined, { oldString, newString, replaceAll }: StringEdit): EditOutcome {
  if (oldString === newString) return { ok: false, problem: 'noChange' };
  if (oldString === '') {
    const blank = memory === undefined || memory.trim() === '';
    return blank ? { ok: true, text: newString } : { ok: false, problem: 'exists' };
  }
  if (memory === undefined) return { ok: false, problem: 'missing' };
  const match = findMatch(memory, oldString);
  if (match === undefined) return { ok: false, problem: 'noMatch' };
  if (!replaceAll && memory.split(match).length > 2) return { ok: false, problem: 'notUnique' };
  const fresh = match === oldString ? newString : bendQuotes(newString, match);
  const withNewline = fresh === '' && !match.endsWith('\n') && memory.includes(`${match}\n`);
  const target = withNewline ? `${match}\n` : match;
  const text = replaceAll ? memory.replaceAll(target, () => fresh) : memory.replace(target, () => fresh);
  return { ok: true, text };
}

function findMatch(memory: string, wanted: string): string | undefined {
  if (memory.includes(wanted)) return wanted;
  const at = straightened(memory).indexOf(straightened(wanted));
  return at < 0 ? undefined : memory.slice(at, at + wanted.length);
}

/** One character for one character, so that places stay the same. */
function straightened(text: string): string {
  return text.replaceAll(/[‘’]/g, "'").replaceAll(/[“”]/g, '"');
}

function bendQuotes(text: string, pattern: string): string {
  let result = text;
  if (/[“”]/.test(pattern)) result = bend(result, '"', '“', '”');
  if (/[‘’]/.test(pattern)) result = bend(result, "'", '‘', '’');
  return result;
}

function bend(text: string, straight: string, opening: string, closing: string): string {
  return text.replaceAll(straight, (_, at: number) => (/^$|[\s([{—–]$/.test(text.charAt(at - 1)) ? opening : closing));
}

/** A byte-order mark at the beginning, taken off. */
export function withoutBom(text: string): string {
  return text.startsWith(BOM) ? text.slice(1) : text;
}
