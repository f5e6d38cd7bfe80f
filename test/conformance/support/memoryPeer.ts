import type { Clock } from '../../../src/base/clock.ts';
import { AgentSession } from '../../../src/session/agentSession.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import { memoryLine } from '../../support/memoryTransport.ts';
import { MemoryLog } from './memoryLog.ts';

/** A session on a line in memory whose other end is the test; time stands still until `timers` are called. */
export function inMemory() {
  const { host, peer } = memoryLine();
  const timers: { readonly delay: number; readonly call: () => void }[] = [];
  const clock: Clock = {
    now: () => 1_000,
    after: (delay, call) => {
      timers.push({ delay, call });
      return { dispose: () => undefined };
    },
  };
  const log = new MemoryLog();
  const transcript = new Transcript({ clock, logger: log });
  const session = new AgentSession({ transport: host, transcript, cwd: '/project', clock, logger: log });
  /** Ids of the requests of one kind, in order. */
  const idsOf = (subtype: string): string[] =>
    peer.heard.flatMap(frame =>
      frame.type === 'control_request' && frame.request.subtype === subtype ? [frame.request_id] : [],
    );
  const start = async (): Promise<void> => {
    // Whatever else is asked at the start is no matter of these tests: the CLI says that it does not know it.
    peer.onHeard = frame => {
      if (frame.type !== 'control_request') return;
      const answered = frame.request.subtype === 'initialize';
      peer.say(answered ? success(frame.request_id, { commands: [] }) : unsupported(frame.request_id));
    };
    await session.start();
    peer.onHeard = () => undefined;
  };
  /** Ends the line from the other end; time stands still here, so a gentle stop would wait for ever. */
  const end = async (): Promise<void> => {
    peer.close();
    await session.ended;
  };
  return { session, peer, timers, log, idsOf, start, end };
}

export const success = (request_id: string, response?: object) => ({
  type: 'control_response',
  response: { subtype: 'success', request_id, ...(response === undefined ? {} : { response }) },
});

const unsupported = (request_id: string) => ({
  type: 'control_response',
  response: { subtype: 'error', request_id, error: 'Unsupported', error_code: 'unsupported_request' },
});
