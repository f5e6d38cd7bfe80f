import { changesBetween } from './lineDiff.ts';
import { asShown, linesOf, withoutEnd } from './lineEndings.ts';

/** Long enough for what a person changes by hand; the agent can read the file for the rest. */
const mostCharacters = 4_000;
const contextLines = 2;

/**
 * What to tell the agent about a proposal that a person changed and then accepted; undefined when they changed nothing.
 * `-` lines are the agent's, `+` lines the person's.
 */
export function changeNote(proposedAfter: string, acceptedAfter: string, path: string): string | undefined {
  const [proposed, accepted] = [asShown(proposedAfter), asShown(acceptedAfter)];
  if (proposed === accepted) return undefined;
  const head =
    `The user changed your proposal for ${oneLine(path)} before accepting it. The file now holds the user's version, ` +
    'not the text you proposed. Respect these changes and do not undo them. ' +
    'Difference from your proposal (-) to what was written (+):';
  return `${head}\n\n${bounded(unifiedDiff(linesOf(proposed), linesOf(accepted)))}`;
}

/** The same for a command or any other input that was edited: both texts in full, as far as they are short. */
export function commandNote(before: string, after: string): string | undefined {
  if (before === after) return undefined;
  const head = 'The user changed your input before allowing this call. The result is that of the changed input.';
  if (linesOf(before).length > 1 || linesOf(after).length > 1) {
    const diff = bounded(unifiedDiff(linesOf(asShown(before)), linesOf(asShown(after))));
    return `${head} Difference from yours (-) to what ran (+):\n\n${diff}`;
  }
  return `${head}\n\nYou proposed: ${cut(before)}\nThe user ran: ${cut(after)}`;
}

function unifiedDiff(before: readonly string[], after: readonly string[]): string[] {
  const changes = changesBetween(before, after);
  const lines: string[] = [];
  let shownTo = 0;
  changes.forEach((change, index) => {
    const from = Math.max(shownTo, change.oldStart - contextLines);
    if (index === 0 || from > shownTo) {
      lines.push(`@@ line ${change.newStart - (change.oldStart - from) + 1} @@`);
    }
    for (let at = from; at < change.oldStart; at += 1) lines.push(marked(' ', before[at]));
    for (let at = change.oldStart; at < change.oldEnd; at += 1) lines.push(...asLines('-', before[at]));
    for (let at = change.newStart; at < change.newEnd; at += 1) lines.push(...asLines('+', after[at]));
    const next = changes[index + 1]?.oldStart ?? before.length;
    shownTo = Math.min(change.oldEnd + contextLines, next);
    for (let at = change.oldEnd; at < shownTo; at += 1) lines.push(marked(' ', before[at]));
  });
  return lines;
}

function marked(mark: string, line = ''): string {
  return mark + withoutEnd(line);
}

/** A last line without a line end is told, since otherwise a change of nothing else would look like none. */
function asLines(mark: string, line = ''): string[] {
  const ends = line !== withoutEnd(line);
  return ends ? [marked(mark, line)] : [marked(mark, line), '\\ No newline at end of file'];
}

function bounded(lines: readonly string[]): string {
  const kept: string[] = [];
  let room = mostCharacters;
  for (const [at, line] of lines.entries()) {
    const short = cut(line, 400);
    room -= short.length + 1;
    if (room < 0) {
      kept.push(`[${lines.length - at} more lines of the difference are left out here]`);
      break;
    }
    kept.push(short);
  }
  return kept.join('\n');
}

function cut(text: string, most = mostCharacters / 2): string {
  return text.length <= most ? text : `${text.slice(0, most)} [${text.length - most} more characters]`;
}

function oneLine(path: string): string {
  return path.replaceAll(/[\r\n]+/g, ' ');
}
