import { describe, expect, it } from 'vitest';
import { PendingProposal } from '../../../../src/host/permissions/pendingProposal.ts';
import { proposalCard } from '../../../../src/host/permissions/proposalCard.ts';
import { applyEdits } from '../../../../src/session/proposal/cliEdit.ts';
import { proposalNotes } from '../../../../src/host/permissions/proposalTexts.ts';
import { fill } from '../chat/fill.ts';
import { askAbout, onDisk } from './kit.ts';

const before = Array.from({ length: 30 }, (_, at) => `line ${at + 1}\n`);
const after = before.map((line, at) => ([2, 14, 27].includes(at) ? `new ${line}` : line));
const path = '/project/a.txt';
const join = (lines: readonly string[]): string => lines.join('');

function written(): PendingProposal {
  return made(askAbout('Write', { file_path: path, content: join(after) }), join(before));
}

function made(ask: ReturnType<typeof askAbout>, text: string): PendingProposal {
  const pending = PendingProposal.of(ask, onDisk(text));
  if (pending === undefined) throw new Error('no proposal');
  return pending;
}

describe('a pending proposal', () => {
  it('is accepted untouched as the very input that was asked about', () => {
    expect(written().accept(onDisk(join(before)))).toEqual({ type: 'unchanged' });
  });

  it('holds the old lines of a hunk that is left, and its new ones when it is taken again', () => {
    const pending = written();
    expect(pending.choose(1, false)).toBe(true);
    expect(pending.states).toEqual(['taken', 'left', 'taken']);
    expect(pending.right).toBe(join(after.map((line, at) => (at === 14 ? `line 15\n` : line))));
    expect(pending.choose(1, true)).toBe(true);
    expect(pending.right).toBe(join(after));
    expect(pending.isTouched).toBe(false);
  });

  it('sees on the right side which hunks were reverted there and which were written over', () => {
    const pending = written();
    pending.setRight(join(after.map((line, at) => (at === 2 ? 'line 3\n' : at === 27 ? 'mine\n' : line))));
    expect(pending.states).toEqual(['left', 'taken', 'changed']);
  });

  it('accepts what the right side holds, and tells the agent the difference', () => {
    const pending = written();
    pending.choose(0, false);
    const accepted = pending.accept(onDisk(join(before)));
    expect(accepted).toMatchObject({ type: 'changed', input: { file_path: path, content: pending.right } });
    expect(accepted.type === 'changed' && accepted.note).toContain('-new line 3\n+line 3');
  });

  it('has nothing to accept when every hunk is left', () => {
    const pending = written();
    for (const hunk of [0, 1, 2]) pending.choose(hunk, false);
    expect(pending.accept(onDisk(join(before)))).toEqual({ type: 'nothing' });
  });

  it('does not accept over a file the person has not seen', () => {
    const pending = written();
    expect(pending.accept(onDisk(`${join(before)}more\n`))).toEqual({ type: 'stale' });
  });

  it('turns a changed Edit into a pair that gives the right side exactly', () => {
    const ask = askAbout('Edit', { file_path: path, old_string: 'line 15\n', new_string: 'fifteen\nand a half\n' });
    const pending = made(ask, join(before));
    pending.setRight(pending.right.replace('and a half', 'und ein halb').replace('line 2\n', 'zwei\n'));
    const accepted = pending.accept(onDisk(join(before)));
    if (accepted.type !== 'changed') throw new Error(accepted.type);
    const { old_string: oldString, new_string: newString } = accepted.input;
    const edit = { oldString: String(oldString), newString: String(newString), replaceAll: false };
    expect(applyEdits(join(before), false, [edit])).toEqual({ ok: true, text: pending.right });
  });

  it('sends an edit that no longer fits as it is, for the CLI to refuse it in its own words', () => {
    const ask = askAbout('Edit', { file_path: path, old_string: 'nowhere', new_string: 'somewhere' });
    const pending = made(ask, join(before));
    expect(pending.proposal.problem).toEqual({ code: 'noMatch' });
    expect(pending.accept(onDisk(join(before)))).toEqual({ type: 'unchanged' });
  });

  it('of another tool is none', () => {
    expect(PendingProposal.of(askAbout('Bash', { command: 'ls' }), onDisk(''))).toBeUndefined();
  });
});

describe('a file that changes under a proposal', () => {
  const ask = askAbout('MultiEdit', {
    file_path: path,
    edits: [3, 15, 28].map(at => ({ old_string: `line ${at}\n`, new_string: `new line ${at}\n` })),
  });

  it('moves the hunks and keeps those left that were left', () => {
    const pending = made(ask, join(before));
    pending.choose(1, false);
    expect(pending.refresh(onDisk(`top\n${join(before)}`))).toBe(true);
    expect(pending.changedOnDisk).toBe(true);
    expect(pending.hunks.map(({ line }) => line)).toEqual([4, 16, 29]);
    expect(pending.states).toEqual(['taken', 'left', 'taken']);
    expect(pending.right.startsWith('top\n')).toBe(true);
  });

  it('never touches what the person wrote', () => {
    const pending = made(ask, join(before));
    pending.setRight('all mine\n');
    pending.refresh(onDisk(`top\n${join(before)}`));
    expect(pending.right).toBe('all mine\n');
  });

  it('says so when the text to be replaced is gone', () => {
    const pending = made(ask, join(before));
    pending.refresh(onDisk(join(before.filter((_, at) => at !== 14))));
    expect(pending.proposal.problem).toEqual({ code: 'noMatch' });
  });

  it('is not taken for another one when nothing was changed', () => {
    const pending = made(ask, join(before));
    expect(pending.refresh(onDisk(join(before)))).toBe(false);
    expect(pending.changedOnDisk).toBe(false);
  });
});

describe('the card of a proposal', () => {
  it('shows each hunk at its line in the file, with lines around it', () => {
    const card = proposalCard(written(), '/project');
    expect(card.hunks.map(({ line, state }) => ({ line, state }))).toEqual([
      { line: 3, state: 'taken' },
      { line: 15, state: 'taken' },
      { line: 28, state: 'taken' },
    ]);
    expect(card.hunks[1]?.lines).toEqual([
      ...[12, 13, 14].map(at => ({ type: 'context', oldLine: at, newLine: at, text: `line ${at}` })),
      { type: 'removed', oldLine: 15, text: 'line 15' },
      { type: 'added', newLine: 15, text: 'new line 15' },
      ...[16, 17, 18].map(at => ({ type: 'context', oldLine: at, newLine: at, text: `line ${at}` })),
    ]);
    expect(card).toMatchObject({ created: false, added: 3, removed: 3, omittedLines: 0 });
  });

  it('gives a line between two near hunks to one of them only', () => {
    const content = join(before.map((line, at) => (at === 4 || at === 7 ? `new ${line}` : line)));
    const card = proposalCard(made(askAbout('Write', { file_path: path, content }), join(before)), '/project');
    const shown = card.hunks.flatMap(({ lines }) => lines.flatMap(({ oldLine }) => oldLine ?? []));
    expect(shown).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('counts what will be written: hunks that are taken, and lines the person wrote over them', () => {
    const pending = written();
    pending.choose(0, false);
    expect(proposalCard(pending, '/project')).toMatchObject({ added: 2, removed: 2 });
    pending.setRight(`${join(after)}one more\nand another\n`);
    expect(proposalCard(pending, '/project')).toMatchObject({ added: 5, removed: 3 });
    pending.setRight(join(before));
    expect(proposalCard(pending, '/project')).toMatchObject({ added: 0, removed: 0 });
  });

  it('leaves very long changes to the diff editor', () => {
    const content = Array.from({ length: 1_000 }, (_, at) => `${at}\n`).join('');
    const pending = PendingProposal.of(askAbout('Write', { file_path: path, content }), {
      file: { state: 'absent' },
      writable: true,
    });
    if (pending === undefined) throw new Error('no proposal');
    const card = proposalCard(pending, '/project');
    expect(card).toMatchObject({ created: true, added: 1_000, omittedLines: 600 });
    expect(card.hunks[0]?.lines).toHaveLength(400);
  });
});

describe('what to know before accepting', () => {
  const notes = (pending: PendingProposal, unsaved = false): string[] =>
    proposalNotes(pending, { cwd: '/project', unsaved }, fill).map(({ text }) => text);

  it('is nothing for an ordinary edit', () => {
    expect(notes(written())).toEqual([]);
  });

  it('is that the file is read-only', () => {
    const ask = askAbout('Write', { file_path: path, content: 'x\n' });
    const pending = PendingProposal.of(ask, { ...onDisk('y\n'), writable: false });
    expect(pending && notes(pending)).toEqual(['The file is read-only.']);
  });

  it('is that all line ends change', () => {
    const pending = made(askAbout('Write', { file_path: path, content: 'a\nc\n' }), 'a\r\nb\r\n');
    expect(notes(pending)).toEqual(['Line ends of the whole file change: CRLF becomes LF.']);
    expect(pending.hunks).toHaveLength(1);
  });

  it('is that own changes will be written', () => {
    const pending = written();
    pending.setRight('mine');
    expect(notes(pending)).toEqual(['Your changes in the diff will be written.']);
  });

  it('is how many hunks are left when some are left out, and not that anything was changed', () => {
    const pending = written();
    pending.choose(1, false);
    expect(notes(pending)).toEqual(['2 of 3 hunks will be written.']);
    pending.choose(0, false);
    pending.choose(2, false);
    expect(notes(pending)).toEqual([]);
  });
});
