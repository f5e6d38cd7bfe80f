import { describe, expect, it } from 'vitest';
import { sessionJson, sessionMarkdown } from '../../../../src/host/sessions/exportSession.ts';
import { ageText, historyRow, sizeText } from '../../../../src/host/sessions/historyRow.ts';
import { holderAmong, parseCommands } from '../../../../src/host/sessions/sessionHolder.ts';
import { readSavedTab } from '../../../../src/host/sessions/sessionTarget.ts';
import { parseWorktrees } from '../../../../src/host/sessions/worktrees.ts';
import { historyEntries } from '../../../../src/session/store/historyGroups.ts';
import type { SessionSummary } from '../../../../src/session/store/sessionSummary.ts';
import { cleanTitle } from '../../../../src/session/store/titleLine.ts';
import type { TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { fill } from '../chat/fill.ts';

function summary(
  sessionId: string,
  project: string,
  modifiedAt: number,
  more: Partial<SessionSummary> = {},
): SessionSummary {
  return {
    sessionId,
    project,
    title: sessionId,
    titleSource: 'firstPrompt',
    createdAt: 0,
    modifiedAt,
    size: 10,
    ...more,
  };
}

describe('the history', () => {
  it('has this workspace first, then its worktrees, then other folders, each newest first, and nothing hidden', () => {
    const entries = historyEntries(
      [
        summary('other', '-x', 9),
        summary('old', '-p', 1),
        summary('tree', '-p-tree', 5),
        summary('new', '-p', 2),
        summary('hidden', '-p', 8, { hiddenReason: 'sidechain' }),
      ],
      { folders: ['/p'], worktrees: ['/p/tree'] },
    );
    expect(entries.map(({ place, session }) => `${place} ${session.sessionId}`)).toEqual([
      'here new',
      'here old',
      'worktree tree',
      'elsewhere other',
    ]);
  });

  it('shows state, age, first prompt, branch, size and the folder where that is another', () => {
    const session = summary('s', '-x', 0, {
      title: 'Fix it',
      firstPrompt: 'Please fix',
      branch: 'main',
      cwd: '/x',
      size: 2048,
    });
    expect(historyRow({ place: 'elsewhere', session }, 'awaitingPermission', 3_600_000, fill)).toEqual({
      label: 'Fix it',
      description: '$(question) waiting for you · 1 h ago',
      detail: 'Please fix · $(git-branch) main · 2 kB · /x',
    });
    expect(historyRow({ place: 'here', session }, undefined, 0, fill).detail).not.toContain('/x');
    expect([ageText(0, fill), ageText(120_000, fill), ageText(3 * 86_400_000, fill)]).toEqual([
      'just now',
      '2 min ago',
      '3 days ago',
    ]);
    expect(sizeText(3 * 1024 * 1024)).toBe('3.0 MB');
  });

  it('reads the worktrees that git lists', () => {
    expect(parseWorktrees('worktree /a b\nHEAD 1\nbranch refs/heads/m\n\nworktree /c\nbare\n')).toEqual(['/a b', '/c']);
  });

  it('takes a title as one line without what a terminal would obey', () => {
    expect(cleanTitle(' a\u001b[31m\nb\u202e ')).toBe('a [31m b');
  });
});

describe('who else has a session open', () => {
  const commands = parseCommands(
    [
      '  7 claude --resume=abc --verbose',
      '8 /usr/bin/claude -r abc',
      ' 9 claude --resume=abc --fork-session',
      '10 vim abc',
    ].join('\n'),
  );

  it('is known by the command line, however the id is given', () => {
    expect(holderAmong(commands, 'abc', new Set())).toEqual({ pid: 7 });
    expect(holderAmong(commands, 'abc', new Set([7]))).toEqual({ pid: 8 });
  });

  it('is neither one of ours, nor a fork, nor an editor with the same word', () => {
    expect(holderAmong(commands, 'abc', new Set([7, 8]))).toBeUndefined();
    expect(holderAmong(commands, 'ab', new Set())).toBeUndefined();
  });
});

describe('a tab that was left behind', () => {
  it('says which session it showed and where', () => {
    expect(readSavedTab({ version: 1, draft: '', resume: { folder: '/p', sessionId: 's' } })).toEqual({
      folder: '/p',
      target: { sessionId: 's' },
    });
    const target = { sessionId: 's', fork: true, at: 'u', model: 'opus' };
    expect(readSavedTab({ resume: { folder: '/p', ...target } }).target).toEqual(target);
  });

  it('says nothing when its state is not ours', () => {
    expect([undefined, null, 'x', {}, { resume: { sessionId: 4 } }].map(readSavedTab)).toEqual([{}, {}, {}, {}, {}]);
    expect(readSavedTab({ resume: { folder: '/p' } })).toEqual({ folder: '/p' });
  });
});

describe('an export', () => {
  const items: TranscriptItem[] = [
    { kind: 'prompt', id: 'p', at: 0, text: 'Do it', attachments: [], state: 'completed', synthetic: false },
    {
      kind: 'tool',
      id: 't',
      at: 0,
      toolUseId: 't',
      name: 'Bash',
      input: { command: 'echo ```' },
      state: 'done',
      resultContent: [{ type: 'text', text: '```\nout' }],
    },
    { kind: 'text', id: 'a', at: 0, text: 'Done.', streaming: false, aborted: false },
  ];

  it('is a document that no output can break out of, and says what is missing', () => {
    const text = sessionMarkdown(
      summary('s', '-p', 0, { title: 'T', branch: 'main' }),
      { items, corruptLines: 3 },
      fill,
    );
    expect(text).toContain('# T\n');
    expect(text).toContain('3 damaged lines could not be read and are missing');
    expect(text).toContain('## You\n\nDo it');
    expect(text).toContain('````\n```\nout\n````');
    expect(text.indexOf('## Agent\n\nDone.')).toBeGreaterThan(text.indexOf('### Bash (done)'));
  });

  it('is all we know as JSON', () => {
    const read: unknown = JSON.parse(sessionJson(summary('s', '-p', 0), { items, corruptLines: 1 }));
    expect(read).toMatchObject({
      format: 'handrail-session',
      version: 1,
      corruptLines: 1,
      items,
      session: { sessionId: 's' },
    });
  });
});
