import { describe, expect, it } from 'vitest';
import type { HostRequestSubtype } from '../../../src/protocol/controlRequests.ts';
import { hostRequests, readHostResponse } from '../../../src/protocol/controlRequests.ts';
import { notes } from './decoding.ts';

const answers: Partial<Record<HostRequestSubtype, object>> = {
  initialize: {
    commands: [{ name: 'compact', description: 'd', argumentHint: '' }],
    agents: [{ name: 'a', description: 'd' }],
    output_style: 'default',
    available_output_styles: ['default'],
    models: [{ value: 'default', displayName: 'D', supportedEffortLevels: ['low'] }],
    account: { tokenSource: 'none', apiProvider: 'firstParty' },
    pid: 1,
    capabilities: ['x'],
  },
  interrupt: { still_queued: ['u'], cancelled: ['v'] },
  set_permission_mode: { mode: 'plan' },
  set_model: { model: 'm' },
  mcp_set_servers: { added: ['a'], removed: [], errors: { a: 'e' } },
  cancel_async_message: { cancelled: true, message_uuid: 'u' },
  get_context_usage: {
    categories: [{ id: 'free', name: 'Free', tokens: 1, color: 'c', kind: 'free' }],
    totalTokens: 1,
    maxTokens: 2,
    percentage: 50,
    apiUsage: null,
  },
  get_session_cost: { text: '$0' },
  list_models: { models: [{ value: 'm' }] },
  get_binary_version: { version: '2.1.326' },
  file_suggestions: { suggestions: [{ path: 'src/' }], cwd: '/w' },
  read_file: { contents: 'x', absPath: '/w/x', lossy: false },
  list_permission_rules: {
    state: {
      rules: [{ behavior: 'allow', source: 'session', rule: 'Edit' }],
      workspaceDirectories: [],
      originalCwd: '/w',
      managedOnly: false,
    },
  },
  get_task_output: { output: 'x', total_bytes: 1, truncated: false },
  side_question: { response: 'r', synthetic: false },
  generate_session_title: { title: null },
  background_tasks: { backgrounded: true },
};

describe('answers to our requests', () => {
  it.each(Object.entries(answers))('reads the answer to %s as it is', (subtype, answer) => {
    if (!isSubtype(subtype)) throw new Error(subtype);
    const { note, taken } = notes();
    expect(readHostResponse(subtype, answer, note)).toBe(answer);
    expect(taken).toEqual([]);
  });

  it.each(Object.keys(hostRequests))('reads an answer to %s that says nothing', subtype => {
    if (!isSubtype(subtype)) throw new Error(subtype);
    expect(readHostResponse(subtype, undefined, notes().note)).toBeDefined();
  });

  it('does not fail a request for one odd field in its answer', () => {
    const { note, taken } = notes();
    const answer = readHostResponse(
      'initialize',
      { commands: [{ name: 'a' }, { description: 'x' }], pid: 'one' },
      note,
    );
    expect(answer?.commands).toEqual([{ name: 'a' }, { description: 'x', name: '' }]);
    expect(answer?.pid).toBeUndefined();
    expect(taken).toEqual(['invalidField commands.1.name: expected string', 'invalidField pid: expected number']);
  });

  it('keeps the status of a server that is new to us', () => {
    const { note, taken } = notes();
    const answer = readHostResponse('mcp_status', { mcpServers: [{ name: 'a', status: 'sleeping' }] }, note);
    expect(answer?.mcpServers[0]?.status).toBe('sleeping');
    expect(taken).toEqual(['unknownValue unknown value at mcpServers.0.status']);
  });
});

function isSubtype(subtype: string): subtype is HostRequestSubtype {
  return Object.hasOwn(hostRequests, subtype);
}
