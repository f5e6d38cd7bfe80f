import { describe, expect, it } from 'vitest';
import { turnOf } from '../../../../src/host/sessions/journalKeeper.ts';
import { AgentSession } from '../../../../src/session/agentSession.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { ManualClock, requestOf, success } from '../../session/sessionKit.ts';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

async function ready() {
  const clock = new ManualClock();
  const { host, peer } = memoryLine();
  const session = new AgentSession({ transport: host, transcript: new Transcript({ clock }), cwd: '/p', clock });
  void session.start();
  peer.say(success(requestOf(peer, 'initialize').request_id, { commands: [], models: [] }));
  await settle();
  const lifecycle = (uuid: string, state: string): void =>
    peer.say({ type: 'command_lifecycle', state, command_uuid: uuid, session_id: 's', uuid: `l-${uuid}-${state}` });
  return { session, peer, lifecycle };
}

describe('what a session is in the middle of', () => {
  it('is nothing while it rests', async () => {
    const { session } = await ready();
    expect(turnOf(session)).toBeUndefined();
  });

  it('is nothing until the agent begins, and a turn from then on', async () => {
    const { session, lifecycle } = await ready();
    const { uuid } = session.prompt('first');
    expect(turnOf(session)).toBeUndefined();
    lifecycle(uuid, 'started');
    expect(turnOf(session)).toEqual({ since: expect.any(Number) as unknown, asks: [] });
  });

  it('holds no words and no pictures: those that wait are kept as drafts', async () => {
    const { session, lifecycle } = await ready();
    lifecycle(session.prompt('first').uuid, 'started');
    session.prompt('second');
    expect(JSON.stringify(turnOf(session))).not.toContain('second');
  });

  it('has the open questions with their input', async () => {
    const { session, peer, lifecycle } = await ready();
    lifecycle(session.prompt('first').uuid, 'started');
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } };
    peer.say({ type: 'control_request', request_id: 'q1', request });
    await settle();
    expect(turnOf(session)?.asks).toEqual([{ tool: 'Bash', input: '{\n  "command": "ls"\n}' }]);
  });

  it('is nothing new once the process has ended: the last word counts', async () => {
    const { session, peer } = await ready();
    session.prompt('first');
    peer.close({ reason: 'exited', signal: 'SIGKILL' });
    await settle();
    expect(turnOf(session)).toBeUndefined();
  });
});
