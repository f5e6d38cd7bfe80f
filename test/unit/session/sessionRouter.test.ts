import { describe, expect, it } from 'vitest';
import { AgentSession } from '../../../src/session/agentSession.ts';
import { SessionRouter } from '../../../src/session/sessionRouter.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import { memoryLine } from '../../support/memoryTransport.ts';
import {
  answersOf,
  ask,
  assistant,
  cancel,
  init,
  lifecycle,
  ManualClock,
  promptsOf,
  requestsOf,
  result,
  success,
  system,
} from './sessionKit.ts';

async function shared(...ids: (string | undefined)[]) {
  const { host, peer } = memoryLine();
  const unclaimed: string[] = [];
  const router = new SessionRouter(host, { onUnclaimed: frame => unclaimed.push(frame.type) });
  const clock = new ManualClock();
  const sessions: AgentSession[] = [];
  for (const id of ids) {
    const transport = router.line(id);
    const known = id === undefined ? {} : { sessionId: id };
    const session = new AgentSession({ transport, transcript: new Transcript({ clock }), cwd: '/p', clock, ...known });
    sessions.push(session);
    const started = session.start();
    const initialize = requestsOf(peer.heard, 'initialize').at(-1);
    peer.say(success(initialize?.request_id ?? '', { commands: [] }));
    await started;
  }
  const at = (index: number): AgentSession => {
    const session = sessions[index];
    if (session === undefined) throw new Error('no such session');
    return session;
  };
  return { router, peer, a: at(0), b: at(ids.length - 1), unclaimed };
}

const texts = (session: AgentSession): string[] =>
  session.transcript.items.flatMap(item => (item.kind === 'text' ? [item.text] : []));

describe('two conversations on one line', () => {
  it('have their own state, transcript and id', async () => {
    const { peer, a, b } = await shared('s1', 's2');
    const prompt = b.prompt('go');
    for (const frame of [lifecycle(prompt.uuid, 'started', 's2'), init({}, 's2'), assistant('for b', 's2')])
      peer.say(frame);
    peer.say(assistant('for a', 's1'));
    expect([a.state.type, b.state.type]).toEqual(['idle', 'working']);
    expect([texts(a), texts(b)]).toEqual([['for a'], ['for b']]);
    peer.say(result({ user_message_uuids: [prompt.uuid] }, 's2'));
    expect(b.state.type).toBe('idle');
    expect(promptsOf(peer)[0]?.session_id).toBe('s2');
  });

  it('get the answers to their own requests only', async () => {
    const { peer, a, b } = await shared('s1', 's2');
    const first = a.settings.setModel('x');
    const second = b.settings.setModel('y');
    const [requestA, requestB] = requestsOf(peer.heard, 'set_model');
    peer.say(success(requestB?.request_id ?? '', { model: 'Y' }));
    peer.say(success(requestA?.request_id ?? '', { model: 'X' }));
    await Promise.all([first, second]);
    expect([a.info.model, b.info.model]).toEqual(['X', 'Y']);
  });

  it('get their own questions where the CLI says whose they are, and their cancels', async () => {
    const { peer, a, b } = await shared('s1', 's2');
    peer.say({ ...ask('r1'), session_id: 's2' });
    expect([a.desk.asks.length, b.desk.asks.length]).toEqual([0, 1]);
    peer.say(cancel('r1'));
    expect(b.desk.asks).toEqual([]);
    peer.say(ask('r2'));
    expect(a.desk.settle('r2', { type: 'allow' })).toBe(true);
    expect(answersOf(peer, 'r2')).toHaveLength(1);
  });

  it('keep the line until the last of them stops', async () => {
    const { peer, a, b } = await shared('s1', 's2');
    let stops = 0;
    const close = peer.onStop;
    peer.onStop = () => {
      stops++;
      close();
    };
    expect(await a.stop()).toEqual({ code: 'asked' });
    expect(stops).toBe(0);
    peer.say(assistant('still here', 's2'));
    expect(texts(b)).toEqual(['still here']);
    await b.stop();
    expect(stops).toBe(1);
  });

  it('both end with the line', async () => {
    const { peer, a, b, router } = await shared('s1', 's2');
    peer.close({ signal: 'SIGKILL', stderrTail: 'gone' });
    expect([a.state, b.state]).toMatchObject([
      { type: 'stopped', reason: { code: 'crashed', stderrTail: 'gone' } },
      { type: 'stopped', reason: { code: 'crashed' } },
    ]);
    const late: string[] = [];
    router
      .line('s3')
      .open({ onFrame: () => undefined, onProblem: () => undefined, onClose: close => late.push(close.reason) });
    expect(late).toEqual(['exited']);
  });

  it('cannot be followed twice', async () => {
    const { router } = await shared('s1');
    expect(() => router.line('s1')).toThrow('followed already');
  });
});

it('gives the first unknown id to the line that has none yet, and later ones to nobody', async () => {
  const { peer, a, unclaimed } = await shared(undefined);
  peer.say(init({}, 's9'));
  expect(a.info.sessionId).toBe('s9');
  peer.say(assistant('whose?', 's10'));
  expect(unclaimed).toEqual(['assistant']);
  expect(texts(a)).toEqual([]);
});

it('follows a cleared conversation to its new id, while the other stays where it is', async () => {
  const { peer, a, b } = await shared('s1', 's2');
  peer.say({ type: 'conversation_reset', new_conversation_id: 'c', session_id: 's1', uuid: 'u' });
  peer.say(system('background_tasks_changed', { tasks: [] }, 's1'));
  peer.say(assistant('for b', 's2'));
  peer.say(assistant('after the clear', 's3'));
  expect(a.info.sessionId).toBe('s3');
  expect(texts(a)).toEqual(['after the clear']);
  expect(texts(b)).toEqual(['for b']);
});

it('brings no internal frame to any conversation, and frames without an id to all', async () => {
  const { peer, a, b } = await shared('s1', 's2');
  const seen: string[] = [];
  for (const session of [a, b]) session.onDidReceiveFrame(frame => seen.push(frame.type));
  peer.say({ type: 'keep_alive' });
  peer.say({ type: 'env_manager_log', session_id: 's1' });
  peer.say({ type: 'auth_status', isAuthenticating: true, output: [] });
  expect(seen).toEqual(['auth_status', 'auth_status']);
});
