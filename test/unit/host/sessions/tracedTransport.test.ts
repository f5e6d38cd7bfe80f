import { describe, expect, it } from 'vitest';
import { maskedFrame, tracedTransport } from '../../../../src/host/sessions/tracedTransport.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { MemoryLog } from '../../session/sessionKit.ts';

describe('frames in the log', () => {
  it('show ids and words of the protocol, never secrets or contents, however short', () => {
    const line = maskedFrame({
      type: 'control_request',
      request_id: 'r1',
      request: {
        subtype: 'mcp_set_servers',
        env: { GITHUB_PAT: 'ghp_1', name: 'mine' },
        headers: { 'X-Auth': 'Bearer abc' },
        args: ['--token', 'abc'],
        input: { command: 'export KEY=sk-1', content: 'DB_PASSWORD=hunter2' },
        total: 7,
      },
    });
    for (const open of ['"type":"control_request"', '"request_id":"r1"', '"mcp_set_servers"', '"total":7'])
      expect(line).toContain(open);
    for (const secret of ['ghp_1', 'mine', 'Bearer', 'abc', 'sk-1', 'hunter2']) expect(line).not.toContain(secret);
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
