import { describe, expect, it } from 'vitest';
import type { Logger } from '../../../src/base/logger.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import type { TransportListener } from '../../../src/protocol/transport.ts';
import { ListenerGate } from '../../../src/transport/listenerGate.ts';

const turn = (): Promise<void> => Promise.resolve();
const problem = { code: 'noise', message: 'A line that is not a record was skipped.', excerpt: 'hello' } as const;
const frame = (session: string) => ({ type: 'keep_alive', session_id: session }) as const;

function newGate() {
  const logged: string[] = [];
  const note = (message: string): number => logged.push(message);
  const logger: Logger = { ...silentLogger, info: note, warn: note, error: note };
  const told: string[] = [];
  const listener: TransportListener = {
    onFrame: one => told.push(JSON.stringify(one)),
    onProblem: one => told.push(one.code),
    onClose: one => told.push(one.reason),
  };
  return { gate: new ListenerGate(logger), logged, told, listener };
}

describe('the gate before a listener', () => {
  it('keeps what comes before the listener does, in order, with the close last and once', async () => {
    const { gate, told, listener } = newGate();
    gate.problem(problem);
    gate.close({ reason: 'exited', stderrTail: '' });
    gate.close({ reason: 'broken', stderrTail: '' });
    gate.problem(problem);
    gate.open(listener);
    expect(told).toEqual([]);
    await turn();
    expect(told).toEqual(['noise', 'exited']);
  });

  it('hands a problem to its listener and leaves it to that one to log it', async () => {
    const { gate, logged, told, listener } = newGate();
    gate.open(listener);
    await turn();
    gate.problem(problem);
    expect(told).toEqual(['noise']);
    expect(logged).toEqual([]);
  });

  it('goes on after a listener that throws, and says so in the log', async () => {
    const { gate, logged, told, listener } = newGate();
    let calls = 0;
    const onFrame: TransportListener['onFrame'] = one => {
      calls += 1;
      if (calls === 1) throw new Error('a bug');
      listener.onFrame(one);
    };
    gate.open({ ...listener, onFrame });
    await turn();
    gate.frame(frame('a'));
    gate.frame(frame('b'));
    gate.close({ reason: 'exited', stderrTail: '' });
    expect(told).toEqual([JSON.stringify(frame('b')), 'exited']);
    expect(logged).toHaveLength(1);
  });
});
