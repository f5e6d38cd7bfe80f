import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { presentReturn } from '../../../../src/host/sessions/presentReturn.ts';
import type { OpenTurn } from '../../../../src/host/sessions/turnJournal.ts';
import { TurnJournal } from '../../../../src/host/sessions/turnJournal.ts';
import { fill } from '../chat/fill.ts';

const turn: OpenTurn = {
  since: 5,
  asks: [{ tool: 'Write', input: '{"file_path":"a.txt"}' }],
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hr-journal-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the journal of turns', () => {
  it('tells the next window what was interrupted', async () => {
    const journal = new TurnJournal(folder, silentLogger);
    journal.note('s1', turn);
    await journal.settled();
    expect(await new TurnJournal(folder, silentLogger).read('s1')).toMatchObject(turn);
  });

  it('forgets a turn that came to its end, and leaves no file', async () => {
    const journal = new TurnJournal(folder, silentLogger);
    journal.note('s1', turn);
    journal.note('s1', undefined);
    expect(await journal.read('s1')).toBeUndefined();
    expect(await readdir(folder)).toEqual([]);
  });

  it('takes what the closing of a window does to a turn for no end of it', async () => {
    const journal = new TurnJournal(folder, silentLogger);
    journal.note('s1', turn);
    journal.freeze();
    journal.note('s1', undefined);
    expect(await journal.read('s1')).toMatchObject(turn);
  });

  it('reads a file that was cut, or a name that leads elsewhere, as nothing', async () => {
    await writeFile(join(folder, 's1.turn.json'), '{"version":2,"since"');
    const journal = new TurnJournal(folder, silentLogger);
    expect(await journal.read('s1')).toBeUndefined();
    journal.note('../../evil', turn);
    await journal.settled();
    expect(await readdir(folder)).toEqual(['______evil.turn.json', 's1.turn.json']);
  });
});

describe('the card after a return', () => {
  it('offers to go on with a turn, and shows the question that was lost with its input', () => {
    const card = presentReturn({ turn, corruptLines: 0 }, fill);
    expect(card).toMatchObject({
      level: 'warning',
      title: 'The last turn was interrupted',
      message: 'What was finished is saved. Write was waiting for your answer and did not run.',
      detail: 'Write\n{"file_path":"a.txt"}',
      actions: [{ action: 'continue' }, { action: 'dismiss' }],
    });
  });

  it('warns of another process before anything else, and offers a fork', () => {
    const card = presentReturn({ turn, corruptLines: 2, holder: { pid: 42 } }, fill);
    expect(card?.title).toBe('Another process has this session open');
    expect(card?.message).toContain('42');
    expect(card?.message).toContain('2 damaged lines');
    expect(card?.actions.map(({ action }) => action)).toEqual(['fork', 'dismiss']);
  });

  it('says how many lines are damaged, and nothing of a session that is well', () => {
    expect(presentReturn({ corruptLines: 1 }, fill)?.message).toContain('1 damaged line of');
    expect(presentReturn({ corruptLines: 0 }, fill)).toBeUndefined();
  });
});
