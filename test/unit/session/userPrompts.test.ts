import { expect, it } from 'vitest';
import { answersOf, readySession, requestOf, settle } from './sessionKit.ts';

const dialog = (request_id: string, dialog_kind: string) => ({
  type: 'control_request',
  request_id,
  request: { subtype: 'request_user_dialog', dialog_kind, payload: { a: 1 } },
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
