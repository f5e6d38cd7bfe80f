import { describe, expect, it } from 'vitest';
import { silentLogger } from '../../../../src/base/logger.ts';
import { presentStop } from '../../../../src/host/chat/presentFailure.ts';
import { SessionSlot } from '../../../../src/host/chat/sessionSlot.ts';
import type { StartOutcome, StartRequest } from '../../../../src/host/sessions/sessionStarter.ts';
import { AgentSession } from '../../../../src/session/agentSession.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { MemoryPeer } from '../../../support/memoryTransport.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { ManualClock, requestOf, success } from '../../session/sessionKit.ts';
import { fill } from '../chat/fill.ts';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

function stage() {
  const clock = new ManualClock();
  const peers: MemoryPeer[] = [];
  const transcript = new Transcript({ clock });
  const start = (request: StartRequest): Promise<StartOutcome> => {
    const { host, peer } = memoryLine();
    peers.push(peer);
    const session = new AgentSession({ transport: host, transcript: request.transcript, cwd: '/p', clock });
    void session.start();
    peer.say(success(requestOf(peer, 'initialize').request_id, { commands: [], models: [] }));
    return Promise.resolve({ type: 'started', session });
  };
  const slot = new SessionSlot(start, () => undefined, silentLogger);
  const request = (): StartRequest => ({ cwd: '/p', from: { kind: 'new' }, transcript, mode: 'default', model: '' });
  const crash = async (): Promise<void> => {
    await slot.ensure(request);
    await settle();
    peers.at(-1)?.close({ reason: 'exited', signal: 'SIGSEGV' });
    await settle();
  };
  return { slot, peers, request, crash };
}

describe('an agent that keeps dying', () => {
  it('is started again by itself, but not after the third time', async () => {
    const { slot, peers, request, crash } = stage();
    for (let time = 1; time <= 3; time += 1) await crash();
    expect(slot.failure).toMatchObject({ type: 'stopped', times: 3 });
    expect(await slot.ensure(request)).toBeUndefined();
    expect(peers).toHaveLength(3);
  });

  it('is tried again when a person asks for it', async () => {
    const { slot, peers, request, crash } = stage();
    for (let time = 1; time <= 3; time += 1) await crash();
    expect(await slot.ensure(request, true)).toBeDefined();
    expect(peers).toHaveLength(4);
  });

  it('counts from the beginning after a turn that came to its end', async () => {
    const { slot, peers, request, crash } = stage();
    await crash();
    await crash();
    const session = await slot.ensure(request);
    await settle();
    session?.prompt('work');
    peers.at(-1)?.say({ type: 'result', subtype: 'success', is_error: false, result: '', session_id: 's', uuid: 'r' });
    await settle();
    await crash();
    expect(slot.failure).toMatchObject({ times: 1 });
  });

  it('says that it is not started again, and offers a diagnosis', () => {
    const reason = { code: 'crashed', signal: 'SIGSEGV', stderrTail: '', duringTurn: false } as const;
    const card = presentStop(reason, fill, 3);
    expect(card?.message).toContain('It ended 3 times in a row');
    expect(card?.actions.map(({ action }) => action)).toEqual(['restart', 'diagnose', 'showLog']);
    expect(presentStop(reason, fill, 2)?.message).not.toContain('in a row');
  });
});
