import { describe, expect, it } from 'vitest';
import { maskedFrame, tracedTransport } from '../../../../src/host/sessions/tracedTransport.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { MemoryLog } from '../../session/sessionKit.ts';

describe('frames in the log', () => {
  it('show ids and short words, never secrets or contents', () => {
    const line = maskedFrame({
      type: 'control_request',
      request_id: 'r1',
      request: { env: { ANTHROPIC_API_KEY: 'sk-very-secret', auth_token: 'abc' }, content: 'private '.repeat(100) },
    });
    expect(line).toContain('"request_id":"r1"');
    expect(line).toContain('(800 characters)');
    for (const secret of ['sk-very-secret', 'abc', 'private private private']) expect(line).not.toContain(secret);
  });

  it('are cut to a line that a log can bear', () => {
    expect(maskedFrame({ list: Array.from({ length: 10_000 }, () => 'x') }).length).toBeLessThan(2_100);
  });

  it('are written only while the log is at trace level, and reach the listener either way', async () => {
    for (const enabled of [true, false]) {
      const { host, peer } = memoryLine();
      const log = new MemoryLog();
      const got: string[] = [];
      const traced = tracedTransport(host, log, () => enabled);
      traced.open({ onFrame: frame => got.push(frame.type), onProblem: () => undefined, onClose: () => undefined });
      peer.say({ type: 'keep_alive' });
      await traced.send({ type: 'keep_alive' });
      expect(got).toEqual(['keep_alive']);
      expect(log.lines.length).toBe(enabled ? 2 : 0);
    }
  });
});
