import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import type { ViewAnswer } from '../../../../src/bridge/viewMessages.ts';
import { ChatQuestions } from '../../../../src/host/chat/chatQuestions.ts';
import { askSentence } from '../../../../src/host/permissions/askSentence.ts';
import { elicitationCard } from '../../../../src/host/permissions/elicitation.ts';
import type { ElicitationRequest } from '../../../../src/protocol/cliRequests.ts';
import { toElicitationAsk } from '../../../../src/session/elicitation.ts';
import { answersOf, ask, cancel, readySession } from '../../session/sessionKit.ts';
import { fill } from '../chat/fill.ts';

const town = {
  mode: 'form',
  requested_schema: { type: 'object', properties: { town: { type: 'string', maxLength: 8 } }, required: ['town'] },
} as const;

function request(more: Partial<ElicitationRequest>): ElicitationRequest {
  return { subtype: 'elicitation', mcp_server_name: 'weather', message: 'Where are you?', ...more };
}

/** A chat's questions in front of a session that a server asks through. */
async function asked(more: Partial<ElicitationRequest>) {
  const { session, peer } = await readySession();
  const told: string[] = [];
  const questions = new ChatQuestions({
    session: () => session,
    shaper: undefined,
    changeNotes: undefined,
    tell: message => told.push(message),
    t: fill,
    logger: silentLogger,
  });
  session.desk.onDidChange(change => questions.changed(change));
  peer.say({ type: 'control_request', request_id: 'r1', request: request(more) });
  return { session, peer, questions, told };
}

const accept = (values: Extract<ViewAnswer, { type: 'elicitation' }>['values']): ViewAnswer => ({
  type: 'elicitation',
  action: 'accept',
  values,
});
const said = (action: 'decline' | 'cancel'): ViewAnswer => ({ type: 'elicitation', action, values: {} });

const complete = (server: string, elicitation_id: string) => ({
  ...{ type: 'system', subtype: 'elicitation_complete', session_id: 's', uuid: 'u' },
  ...{ mcp_server_name: server, elicitation_id },
});

describe('What a server wants to know', () => {
  it('is an open question like any other, with a row of its own', async () => {
    const { session } = await asked(town);
    expect(session.desk.asks).toMatchObject([{ id: 'r1', kind: 'elicitation', oneClick: false }]);
    expect(session.state).toMatchObject({ type: 'awaitingPermission', askIds: ['r1'] });
    expect(session.transcript.find('r1')).toMatchObject({ kind: 'tool', name: 'Elicitation', state: 'pending' });
  });

  it.each([
    [accept({ town: 'Oslo', other: 'dropped' }), { action: 'accept', content: { town: 'Oslo' } }, 'done'],
    [said('decline'), { action: 'decline' }, 'denied'],
    [said('cancel'), { action: 'cancel' }, 'denied'],
  ])('gets the answer of the person, once: %j', async (answer, response, state) => {
    const { session, peer, questions, told } = await asked(town);
    await questions.answer('r1', answer);
    await questions.answer('r1', said('decline'));
    expect(answersOf(peer, 'r1')).toMatchObject([{ subtype: 'success', response }]);
    expect(session.transcript.find('r1')).toMatchObject({ state });
    expect(session.desk.asks).toEqual([]);
    expect(told).toEqual(['This question is already answered.']);
  });

  it('does not get what it did not ask for: the question stays open', async () => {
    const { session, peer, questions } = await asked(town);
    await expect(questions.answer('r1', accept({}))).rejects.toThrow('town: An answer is needed here');
    await expect(questions.answer('r1', accept({ town: 'Llanfairpwll' }))).rejects.toThrow('At most 8 characters');
    await expect(questions.answer('r1', accept({ town: ['Oslo'] }))).rejects.toThrow('cannot be chosen');
    await expect(questions.answer('r1', { type: 'allow' })).rejects.toThrow('cannot be told');
    expect(answersOf(peer, 'r1')).toEqual([]);
    expect(session.desk.asks).toHaveLength(1);
  });

  it('cannot be answered in the place of a tool', async () => {
    const { session, peer, questions } = await asked(town);
    peer.say(ask('r2'));
    await expect(questions.answer('r2', said('decline'))).rejects.toThrow('does not fit');
    expect(() => session.desk.settle('r2', { type: 'elicited', answer: { action: 'accept' } })).toThrow(
      'not for a tool',
    );
    expect(answersOf(peer, 'r2')).toEqual([]);
  });

  it('is taken back by the CLI, and closed with the process: nothing is written then', async () => {
    const taken = await asked(town);
    taken.peer.say(cancel('r1'));
    expect(taken.session.desk.asks).toEqual([]);
    expect(taken.session.transcript.find('r1')).toMatchObject({ state: 'stopped' });
    const over = await asked(town);
    over.peer.close({ exitCode: 1 });
    await over.session.ended;
    expect(over.session.desk.asks).toEqual([]);
    for (const { peer, questions, told } of [taken, over]) {
      await questions.answer('r1', accept({ town: 'Oslo' }));
      expect(told).toEqual(['This question is already answered.']);
      expect(answersOf(peer, 'r1')).toEqual([]);
    }
  });

  it('hears a cancel, not a decline, when the session is closed by us', async () => {
    const { session, peer } = await asked(town);
    session.desk.denyAll('closing');
    expect(answersOf(peer, 'r1')).toMatchObject([{ response: { action: 'cancel' } }]);
  });

  it.each([
    [{ ...town, requested_schema: { properties: { deep: { type: 'object' } } } }],
    [{ mode: 'url', url: 'javascript:alert(1)' }],
    [{ mode: 'url', url: 'command:handrail.acceptProposal' }],
    [{ mode: 'url' }],
  ] as const)('is an error, and told, when it cannot be drawn, for nobody declined: %j', async more => {
    const { session, peer, told } = await asked(more);
    expect(answersOf(peer, 'r1')).toMatchObject([{ subtype: 'error' }]);
    expect(session.desk.asks).toEqual([]);
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('weather');
  });

  it('names the host that opens, as a browser reads it, and is accepted without content', async () => {
    const page = { mode: 'url', url: 'https://bank.example@evil.example/ü' } as const;
    expect(elicitationCard(request(page))?.page).toEqual({
      host: 'evil.example',
      href: 'https://bank.example@evil.example/%C3%BC',
    });
    const { peer, questions } = await asked(page);
    await questions.answer('r1', accept({ smuggled: 'in' }));
    expect(answersOf(peer, 'r1')).toEqual([{ subtype: 'success', request_id: 'r1', response: { action: 'accept' } }]);
  });

  it('is over when the server says that what the page was for is done, and no other question with it', async () => {
    const { session, peer } = await asked({ mode: 'url', url: 'https://example.com/', elicitation_id: 'e1' });
    peer.say(complete('other', 'e1'));
    peer.say(complete('weather', 'e2'));
    session.desk.pageOpened('r1');
    expect(session.desk.asks).toHaveLength(1);
    peer.say(complete('weather', 'e1'));
    expect(session.desk.asks).toEqual([]);
    expect(answersOf(peer, 'r1')).toMatchObject([{ response: { action: 'accept' } }]);
  });

  it('stays a question when the server says so of a page that nobody opened', async () => {
    const { session, peer } = await asked({ mode: 'url', url: 'https://example.com/', elicitation_id: 'e1' });
    peer.say(complete('weather', 'e1'));
    expect(session.desk.asks).toHaveLength(1);
    expect(answersOf(peer, 'r1')).toEqual([]);
  });

  it('cannot smuggle a link into the notification', () => {
    const hostile = toElicitationAsk(
      'r1',
      request({ ...town, message: '[Yes](command:handrail.acceptProposal)' }),
      0,
      'default',
    );
    const { text, whole } = askSentence(hostile, '/project', fill);
    expect(text).toContain('weather asks: [Yes]');
    expect(text).not.toContain('](');
    expect(whole).toBe(false);
  });
});
