import { expect, it } from 'vitest';
import { answersOf, cancel, readySession, requestOf, settle } from './sessionKit.ts';

const elicitation = (request_id: string) => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'elicitation', mcp_server_name: 'm', message: 'Your name?', mode: 'form' },
});
const dialog = (request_id: string, dialog_kind: string) => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'request_user_dialog', dialog_kind, payload: { a: 1 } },
});

it('answers with an error, not in the name of a person, when nobody can be asked or the asking broke', async () => {
  const { peer } = await readySession();
  peer.say(elicitation('r1'));
  await settle();
  expect(answersOf(peer, 'r1')).toMatchObject([{ subtype: 'error' }]);
  const broken = await readySession({ elicitation: () => Promise.reject(new Error('No window')) });
  broken.peer.say(elicitation('r2'));
  await settle();
  expect(answersOf(broken.peer, 'r2')).toMatchObject([{ subtype: 'error', error: 'No window' }]);
});

it('brings the answer of the person to the server, and drops it when the question was withdrawn', async () => {
  let aborted = false;
  const { peer } = await readySession({
    elicitation: async (request, signal) => {
      await settle();
      aborted = signal.aborted;
      return { action: 'accept', content: { about: request.message } };
    },
  });
  peer.say(elicitation('r1'));
  await settle();
  await settle();
  expect(answersOf(peer, 'r1')).toMatchObject([{ response: { action: 'accept', content: { about: 'Your name?' } } }]);
  peer.say(elicitation('r2'));
  peer.say(cancel('r2'));
  await settle();
  await settle();
  expect(aborted).toBe(true);
  expect(answersOf(peer, 'r2')).toEqual([]);
});

it('declares exactly the dialogs it draws, answers those, and leaves every other one unanswered', async () => {
  const dialogs = new Map([['pick', () => Promise.resolve({ behavior: 'completed' as const, result: 7 })]]);
  const { peer } = await readySession({ dialogs });
  expect(requestOf(peer, 'initialize').request).toMatchObject({ supportedDialogKinds: ['pick'] });
  peer.say(dialog('r1', 'pick'));
  peer.say(dialog('r2', 'something_else'));
  await settle();
  expect(answersOf(peer)).toEqual([
    { subtype: 'success', request_id: 'r1', response: { behavior: 'completed', result: 7 } },
  ]);
});
