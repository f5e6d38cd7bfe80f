import { changesBetween } from './lineDiff.ts';

/** Which line ends a text has. `cr` alone is what old Macs wrote; VS Code takes it for a line end, the CLI for a character. */
export type LineEndings = 'none' | 'lf' | 'crlf' | 'cr' | 'mixed';

/** Lines with their ends, as VS Code counts them; joined again they are the text. An empty text has no line. */
export function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? [];
}

export function withoutEnd(line: string): string {
  return line.replace(/[\r\n]+$/, '');
}

export function lineEndingsOf(text: string): LineEndings {
  const lf = /(?:^|[^\r])\n/.test(text);
  const crlf = text.includes('\r\n');
  const cr = /\r(?!\n)/.test(text);
  if (Number(lf) + Number(crlf) + Number(cr) > 1) return 'mixed';
  if (crlf) return 'crlf';
  if (lf) return 'lf';
  return cr ? 'cr' : 'none';
}

/** The same lines with other ends. A lone `\r` stays what it is: the CLI never touches it. */
export function withLineEndings(text: string, endings: 'lf' | 'crlf'): string {
  const plain = text.replaceAll('\r\n', '\n');
  return endings === 'lf' ? plain : plain.replaceAll('\n', '\r\n');
}

/** Every kind of line end as `\n`: for comparing what a person saw, since an editor shows no difference. */
export function asShown(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}

/**
 * An editor holds one kind of line end per document, so a text that had several comes back with one. This gives every
 * line that still is as in `reference` its own end again, and new lines the end of the line before them.
 */
export function restoreLineEndings(text: string, reference: string): string {
  if (lineEndingsOf(reference) !== 'mixed' || lineEndingsOf(text) === 'mixed') return text;
  const shown = linesOf(text);
  const known = linesOf(reference);
  const result = [...shown];
  const changes = changesBetween(known.map(withoutEnd), shown.map(withoutEnd));
  let from = { old: 0, new: 0 };
  let end = endOf(known[0] ?? '') || '\n';
  for (const change of [...changes, { oldStart: known.length, oldEnd: 0, newStart: shown.length, newEnd: 0 }]) {
    for (let at = from.new; at < change.newStart; at += 1) {
      const own = endOf(known[from.old + at - from.new] ?? '');
      end = own || end;
      if (own !== '' && endOf(shown[at] ?? '') !== '') result[at] = withoutEnd(shown[at] ?? '') + own;
      else result[at] = withEnd(shown[at] ?? '', end);
    }
    for (let at = change.newStart; at < change.newEnd; at += 1) result[at] = withEnd(shown[at] ?? '', end);
    from = { old: change.oldEnd, new: change.newEnd };
  }
  const restored = result.join('');
  // A CR that came to stand before an LF would make two lines one: what was shown counts more than its ends.
  return asShown(restored) === asShown(text) ? restored : text;
}

function endOf(line: string): string {
  return /[\r\n]+$/.exec(line)?.[0] ?? '';
}

/** A last line without an end stays without. */
function withEnd(line: string, end: string): string {
  return endOf(line) === '' ? line : withoutEnd(line) + end;
}
