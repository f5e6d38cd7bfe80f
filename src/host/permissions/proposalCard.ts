import type { DiffHunk, DiffLine, ToolCard } from '../../bridge/toolCard.ts';
import type { Hunk, HunkState } from '../../session/proposal/hunks.ts';
import { hunksOf } from '../../session/proposal/hunks.ts';
import { linesOf, withoutEnd } from '../../session/proposal/lineEndings.ts';
import { fileLink } from '../chat/fileLink.ts';
import type { PendingProposal } from './pendingProposal.ts';

const contextLines = 3;
/** More than this belongs into the diff editor. */
const mostLines = 400;

export type EditCard = Extract<ToolCard, { readonly type: 'edit' }>;

/**
 * The card of a proposal: its hunks with the file's own line numbers, and whether the right side still holds them. The counts
 * are of what would be written.
 */
export function proposalCard(pending: PendingProposal, cwd: string): EditCard {
  return cardOf(pending, cwd, pending.hunks, pending.states);
}

/** The card once it was decided: what the right side made of the file, with nothing left to choose. */
export function decidedCard(pending: PendingProposal, cwd: string): EditCard {
  return cardOf(pending, cwd, writtenHunks(pending));
}

function writtenHunks(pending: PendingProposal): readonly Hunk[] {
  return pending.isTouched ? hunksOf(pending.left, pending.right) : pending.hunks;
}

function cardOf(
  pending: PendingProposal,
  cwd: string,
  hunks: readonly Hunk[],
  states: readonly HunkState[] = [],
): EditCard {
  const { proposal } = pending;
  const before = linesOf(pending.left);
  const shown: DiffHunk[] = [];
  let room = mostLines;
  let omittedLines = 0;
  let from = 0;
  hunks.forEach((hunk, index) => {
    const next = hunks[index + 1]?.line ?? before.length + 1;
    const lines = linesAround(hunk, before, from, next - 1);
    from = Math.min(next - 1, hunk.line - 1 + hunk.removed.length + contextLines);
    const kept = lines.slice(0, room);
    room -= kept.length;
    omittedLines += lines.length - kept.length;
    const state = states[index];
    if (kept.length > 0) shown.push({ line: hunk.line, lines: kept, ...(state === undefined ? {} : { state }) });
  });
  const written = writtenHunks(pending);
  return {
    type: 'edit',
    file: fileLink(proposal.path, cwd, hunks[0]?.line),
    created: pending.disk.file.state === 'absent',
    added: written.reduce((sum, { added }) => sum + added.length, 0),
    removed: written.reduce((sum, { removed }) => sum + removed.length, 0),
    hunks: shown,
    omittedLines,
  };
}

/** The hunk with a few lines above and below, as far as they are not the neighbours' own. Places count from 0. */
function linesAround(hunk: Hunk, before: readonly string[], from: number, to: number): DiffLine[] {
  const start = hunk.line - 1;
  const end = start + hunk.removed.length;
  const shift = hunk.newLine - hunk.line;
  const context = (at: number, offset: number): DiffLine => ({
    type: 'context',
    oldLine: at + 1,
    newLine: at + 1 + offset,
    text: withoutEnd(before[at] ?? ''),
  });
  const lines: DiffLine[] = [];
  for (let at = Math.max(from, start - contextLines); at < start; at += 1) lines.push(context(at, shift));
  hunk.removed.forEach((text, at) => {
    lines.push({ type: 'removed', oldLine: start + at + 1, text: withoutEnd(text) });
  });
  hunk.added.forEach((text, at) => {
    lines.push({ type: 'added', newLine: hunk.newLine + at, text: withoutEnd(text) });
  });
  const after = shift + hunk.added.length - hunk.removed.length;
  for (let at = end; at < Math.min(to, end + contextLines); at += 1) lines.push(context(at, after));
  return lines;
}
