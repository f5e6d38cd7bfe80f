import { structuredPatch } from 'diff';
import type { DiffHunk, DiffLine } from '../../bridge/toolCard.ts';

/** A hunk as git and the CLI's `structuredPatch` write it: lines with a leading ` `, `+` or `-`. */
export interface PatchHunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly string[];
}

export interface FileChange {
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly DiffHunk[];
  /** Lines left out because the card would be too long. */
  readonly omittedLines: number;
}

const mostLines = 400;
const mostDiffed = 400_000;

/** The difference between two texts. Very long ones are shown as one block: exactness is the diff editor's task. */
export function changeBetween(before: string, after: string, context = 3): FileChange {
  if (before.length + after.length > mostDiffed) return wholeBlocks(before, after);
  const patch = structuredPatch('a', 'a', before, after, undefined, undefined, { context });
  return changeOfPatch(patch.hunks);
}

/** A new file: everything is added. */
export function createdFile(content: string): FileChange {
  return changeOfPatch([{ oldStart: 0, newStart: 1, lines: splitLines(content).map(line => `+${line}`) }]);
}

export function changeOfPatch(patch: readonly PatchHunk[]): FileChange {
  let added = 0;
  let removed = 0;
  let shown = 0;
  let omittedLines = 0;
  const hunks: DiffHunk[] = [];
  for (const hunk of patch) {
    const lines: DiffLine[] = [];
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    for (const raw of hunk.lines) {
      const line = readLine(raw, oldLine, newLine);
      if (line === undefined) continue;
      if (line.type !== 'added') oldLine += 1;
      if (line.type !== 'removed') newLine += 1;
      if (line.type === 'added') added += 1;
      if (line.type === 'removed') removed += 1;
      if (shown < mostLines) {
        lines.push(line);
        shown += 1;
      } else omittedLines += 1;
    }
    if (lines.length > 0) hunks.push({ line: Math.max(1, hunk.newStart), lines });
  }
  return { added, removed, hunks, omittedLines };
}

function readLine(raw: string, oldLine: number, newLine: number): DiffLine | undefined {
  const text = raw.slice(1);
  switch (raw.charAt(0)) {
    case '+':
      return { type: 'added', newLine, text };
    case '-':
      return { type: 'removed', oldLine, text };
    // "\ No newline at end of file" is about the file, not a line of it.
    case '\\':
      return undefined;
    default:
      return { type: 'context', oldLine, newLine, text };
  }
}

function wholeBlocks(before: string, after: string): FileChange {
  const lines = [...splitLines(before).map(line => `-${line}`), ...splitLines(after).map(line => `+${line}`)];
  return changeOfPatch([{ oldStart: 1, newStart: 1, lines }]);
}

function splitLines(text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}
