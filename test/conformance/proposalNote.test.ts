import { readFile } from 'node:fs/promises';
import { afterEach, expect, it } from 'vitest';
import { HookRegistry } from '../../src/session/hooks.ts';
import type { PermissionAsk } from '../../src/session/permissionAsk.ts';
import { registerChangeNotes } from '../../src/session/proposal/acceptedChanges.ts';
import { changeNote, commandNote } from '../../src/session/proposal/changeNote.ts';
import { proposalOf } from '../../src/session/proposal/fileProposal.ts';
import { hunksOf, setHunk } from '../../src/session/proposal/hunks.ts';
import { updatedInputFor } from '../../src/session/proposal/updatedInput.ts';
import { say, tool } from '../support/model/script.ts';
import { present } from '../torture/proposalBench.ts';
import { Stage } from './support/stage.ts';

let stage: Stage | undefined;
afterEach(() => stage?.dispose());

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const content = 'ONE\ntwo\nthree\nFOUR\nfive\nsix\nSEVEN\n';

async function setUp() {
  stage = await Stage.set({ 'file.txt': before });
  const hooks = new HookRegistry();
  const changes = registerChangeNotes(hooks);
  const live = await stage.open({ session: { hooks } });
  return { stage, changes, live };
}

function idOf(ask: PermissionAsk): string {
  if (ask.toolUseId === undefined) throw new Error('the question names no tool use');
  return ask.toolUseId;
}

it('tells the agent in its next request what the person changed, and writes exactly the right side', async () => {
  const { stage: on, changes, live } = await setUp();
  const path = on.path('file.txt');
  on.model.enqueue(tool('Write', { file_path: path, content }), say('done'));
  const turn = live.turn('rewrite it');
  const ask = await live.ask();
  const file = present(path);
  const proposal = proposalOf(ask.toolName, ask.input, file);
  if (proposal === undefined) throw new Error('no proposal');
  expect(hunksOf(proposal.before ?? '', proposal.after)).toHaveLength(3);
  const unticked = setHunk(proposal.before ?? '', proposal.after, proposal.after, 1, false);
  const right = unticked.replace('SEVEN', 'SIEBEN');
  const accepted = updatedInputFor(ask, file, right);
  if (accepted.type !== 'changed') throw new Error(accepted.type);
  changes.note(idOf(ask), changeNote(proposal.after, accepted.text, proposal.path));
  expect(live.session.desk.settle(ask.id, { type: 'allow', updatedInput: accepted.input })).toBe(true);
  await turn;
  expect(await readFile(path, 'utf8')).toBe('ONE\ntwo\nthree\nfour\nfive\nsix\nSIEBEN\n');
  const next = JSON.stringify(on.model.conversation.at(-1)?.body);
  expect(next).toContain('The user changed your proposal for');
  expect(next).toContain(String.raw`-FOUR\n+four\n`);
  expect(next).toContain(String.raw`-SEVEN\n+SIEBEN`);
  expect(changes.size).toBe(0);
  expect(on.model.problems).toEqual([]);
});

it('adds nothing to a proposal that was accepted as it was', async () => {
  const { stage: on, live } = await setUp();
  const path = on.path('file.txt');
  on.model.enqueue(tool('Write', { file_path: path, content }), say('done'));
  const turn = live.turn('rewrite it');
  const ask = await live.ask();
  const accepted = updatedInputFor(ask, present(path), content);
  expect(accepted.type === 'unchanged' && accepted.input === ask.input).toBe(true);
  live.session.desk.settle(ask.id, { type: 'allow' });
  await turn;
  expect(await readFile(path, 'utf8')).toBe(content);
  expect(JSON.stringify(on.model.conversation.at(-1)?.body)).not.toContain('The user changed');
});

it('tells of a command that was changed, and forgets the note of one that failed', async () => {
  const { stage: on, changes, live } = await setUp();
  on.model.enqueue(
    tool('Bash', { command: 'mkdir theirs', description: 'Makes a folder' }),
    tool('Bash', { command: 'mkdir other', description: 'Makes a folder' }),
    say('done'),
  );
  const turn = live.turn('go');
  for (const command of ['mkdir mine', 'mkdir mine && exit 3']) {
    const ask = await live.ask();
    changes.note(idOf(ask), commandNote(String(ask.input['command']), command));
    live.session.desk.settle(ask.id, { type: 'allow', updatedInput: { ...ask.input, command } });
    await live.sees('the question is answered', () => live.session.desk.find(ask.id) === undefined);
  }
  await turn;
  const next = JSON.stringify(on.model.conversation.at(-1)?.body);
  expect(next).toContain('You proposed: mkdir theirs');
  expect(next).toContain('The user ran: mkdir mine');
  expect(next).not.toContain('You proposed: mkdir other');
  expect(changes.size).toBe(0);
});
