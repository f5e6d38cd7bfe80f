import { describe, expect, it } from 'vitest';
import { readHostResponse } from '../../../src/protocol/controlRequests.ts';
import { realToolUseId } from '../../../src/protocol/conversationFrame.ts';
import { modernHookOutput } from '../../../src/protocol/hookEvents.ts';
import { clean, decode, notes } from './decoding.ts';

const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'ok',
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  stop_reason: null,
  total_cost_usd: 0.5,
  modelUsage: {},
  usage: {},
  permission_denials: [],
};

describe('what earlier CLIs said differently', () => {
  describe('auth_status', () => {
    it('takes the output as a list', () => {
      const frame = clean({ type: 'auth_status', isAuthenticating: true, output: ['a', 'b'] }, 'auth_status');
      expect(frame).toEqual({ type: 'auth_status', isAuthenticating: true, output: ['a', 'b'] });
    });

    it('takes the output as one string, and null for no error', () => {
      const frame = clean({ type: 'auth_status', isAuthenticating: false, output: 'a', error: null }, 'auth_status');
      expect(frame).toEqual({ type: 'auth_status', isAuthenticating: false, output: ['a'] });
    });

    it('takes a bare status with the user', () => {
      const frame = clean({ type: 'auth_status', status: 'authenticating', user: { id: 1 } }, 'auth_status');
      expect(frame).toEqual({
        type: 'auth_status',
        status: 'authenticating',
        user: { id: 1 },
        isAuthenticating: true,
        output: [],
      });
      const done = clean({ type: 'auth_status', status: 'authenticated' }, 'auth_status');
      expect(done.isAuthenticating).toBe(false);
    });
  });

  it('reads a system payload out of its data envelope, fields beside it first', () => {
    const frame = clean(
      {
        type: 'system',
        subtype: 'status',
        permissionMode: 'plan',
        data: { status: 'compacting', permissionMode: 'x' },
      },
      'system',
    );
    expect(frame).toMatchObject({ subtype: 'status', status: 'compacting', permissionMode: 'plan' });
  });

  it('reads model usage in snake case and in camel case', () => {
    const snake = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 3, cost_usd: 0.5, context_window: 9 };
    const camel = { inputTokens: 1, outputTokens: 2, cacheReadInputTokens: 3, costUSD: 0.5, contextWindow: 9 };
    for (const usage of [{ modelUsage: { m: snake } }, { modelUsage: { m: camel } }]) {
      expect(clean({ ...result, ...usage }, 'result').modelUsage).toEqual({ m: camel });
    }
    const { modelUsage: _none, ...bare } = result;
    expect(clean({ ...bare, model_usage: { m: snake } }, 'result').modelUsage).toEqual({ m: camel });
  });

  it('prefers the present name where a row of usage has both', () => {
    const row = { inputTokens: 7, input_tokens: 1, outputTokens: 2 };
    expect(clean({ ...result, modelUsage: { m: row } }, 'result').modelUsage).toEqual({
      m: { inputTokens: 7, outputTokens: 2 },
    });
  });

  it('reads message content as a string, a list, nothing, or beside the message', () => {
    const text = [{ type: 'text', text: 'hi' }];
    const contentOf = (frame: object) => clean({ type: 'user', ...frame }, 'user').message.content;
    expect(contentOf({ message: { role: 'user', content: 'hi' } })).toEqual(text);
    expect(contentOf({ message: { role: 'user', content: text } })).toEqual(text);
    expect(contentOf({ message: { role: 'user', content: ['hi'] } })).toEqual(text);
    expect(contentOf({ message: { role: 'user' } })).toEqual([]);
    expect(contentOf({ content: 'hi' })).toEqual(text);
    expect(contentOf({ message: 'hi' })).toEqual(text);
  });

  it('reads the content of a tool result as a string, a list or nothing', () => {
    const contentOf = (content: unknown) => {
      const block = { type: 'tool_result', tool_use_id: 't', content };
      return clean({ type: 'user', message: { role: 'user', content: [block] } }, 'user').message.content[0];
    };
    expect(contentOf('x')).toMatchObject({ type: 'tool_result', content: [{ type: 'text', text: 'x' }] });
    expect(contentOf([{ type: 'text', text: 'x' }])).toMatchObject({ content: [{ type: 'text', text: 'x' }] });
    expect(contentOf(undefined)).toMatchObject({ content: [] });
  });

  it('turns the old spelling of hook output into the one the CLI acts on', () => {
    expect(modernHookOutput({ continue_: false, stopReason: 's' })).toEqual({ continue: false, stopReason: 's' });
    expect(modernHookOutput({ async_: true })).toEqual({ async: true });
    expect(modernHookOutput({ continue: true, continue_: false })).toEqual({ continue: true });
    expect(modernHookOutput({ decision: 'block' })).toEqual({ decision: 'block' });
  });

  it('takes any result but success for an error when the frame does not say', () => {
    const { is_error: _gone, ...silent } = result;
    expect(clean(silent, 'result').is_error).toBe(false);
    const { frame, problems } = decode({ ...silent, subtype: 'error' });
    expect(frame).toMatchObject({ type: 'result', subtype: 'error', is_error: true });
    expect(problems.map(problem => problem.code)).toEqual(['unknownValue']);
  });

  it('keeps a success that is an API failure apart from its subtype', () => {
    expect(clean({ ...result, is_error: true }, 'result')).toMatchObject({ subtype: 'success', is_error: true });
  });

  it('finds model and error of an assistant message in either place', () => {
    const older = clean(
      { type: 'assistant', model: 'm', message: { id: 'i', content: [], error: 'rate_limit' } },
      'assistant',
    );
    expect(older).toMatchObject({ error: 'rate_limit', message: { model: 'm' } });
    const present = clean(
      { type: 'assistant', model: 'x', error: 'overloaded', message: { model: 'm', content: [], error: 'y' } },
      'assistant',
    );
    expect(present).toMatchObject({ error: 'overloaded', message: { model: 'm' } });
  });

  it('keeps a system frame that no longer exists, as unknown', () => {
    const raw = { type: 'system', subtype: 'tool_result', session_id: 's', uuid: 'u', x: 1 };
    const { frame, problems } = decode(raw);
    expect(frame).toEqual({
      type: 'system',
      subtype: 'unknown',
      rawSubtype: 'tool_result',
      raw,
      session_id: 's',
      uuid: 'u',
    });
    expect(problems.map(problem => problem.code)).toEqual(['unknownKind']);
  });

  it('keeps an unknown status word', () => {
    const { frame, problems } = decode({ type: 'system', subtype: 'status', status: 'working' });
    expect(frame).toMatchObject({ subtype: 'status', status: 'working' });
    expect(problems.map(problem => problem.code)).toEqual(['unknownValue']);
  });

  it('reads mcp_status as a list or as an object', () => {
    const servers = [{ name: 'a', status: 'connected' }];
    const { note, taken } = notes();
    expect(readHostResponse('mcp_status', servers, note)).toEqual({ mcpServers: servers });
    expect(readHostResponse('mcp_status', { mcpServers: servers }, note)).toEqual({ mcpServers: servers });
    expect(taken).toEqual([]);
  });

  it('finds pending requests on successes and on errors', () => {
    const pending = {
      type: 'control_request',
      request_id: 'c',
      request: { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: 't' },
    };
    for (const subtype of ['success', 'error']) {
      const response = { subtype, request_id: 'h', error: 'e', pending_permission_requests: [pending] };
      const frame = clean({ type: 'control_response', response }, 'control_response');
      expect(frame.response.pending_permission_requests).toEqual([pending]);
    }
  });

  it('takes any answer but an error for a success', () => {
    const { frame, problems } = decode({
      type: 'control_response',
      response: { subtype: 'can_use_tool_response', request_id: 'h', response: { a: 1 } },
    });
    expect(frame).toMatchObject({ response: { subtype: 'success', request_id: 'h', response: { a: 1 } } });
    expect(problems.map(problem => problem.code)).toEqual(['unknownValue']);
  });

  it('reads the answer to rewind_files with counts and without', () => {
    const { note, taken } = notes();
    const dry = { canRewind: true, filesChanged: ['/a'], insertions: 1, deletions: 2 };
    expect(readHostResponse('rewind_files', dry, note)).toEqual(dry);
    expect(readHostResponse('rewind_files', { canRewind: true, skippedLinks: 0 }, note)?.filesChanged).toBeUndefined();
    expect(readHostResponse('rewind_files', { canRewind: false, error: 'no' }, note)?.error).toBe('no');
    expect(taken).toEqual([]);
  });

  it('reads a hook response without ids and with its output under the old name', () => {
    const frame = clean(
      { type: 'system', subtype: 'hook_response', hook_name: 'n', hook_event: 'Stop', response: 'said' },
      'system',
    );
    expect(frame).toMatchObject({ subtype: 'hook_response', output: 'said' });
  });

  it.each([
    ['a heartbeat', { tool_use_id: 'toolu_1-heartbeat-3', parent_tool_use_id: 'toolu_1', heartbeat: true }, 'toolu_1'],
    ['a heartbeat without a parent', { tool_use_id: 'toolu_1-heartbeat-0', parent_tool_use_id: null }, 'toolu_1'],
    ['plain progress in a subagent', { tool_use_id: 'toolu_2', parent_tool_use_id: 'toolu_1' }, 'toolu_2'],
  ])('finds the tool behind %s', (_name, ids, expected) => {
    const frame = { type: 'tool_progress', tool_name: 'Bash', elapsed_time_seconds: 30, ...ids };
    expect(realToolUseId(clean(frame, 'tool_progress'))).toBe(expected);
  });

  it('takes any text for the source of the key', () => {
    const init = { type: 'system', subtype: 'init', cwd: '/', model: 'm', permissionMode: 'default' };
    const lists = { tools: [], mcp_servers: [], slash_commands: [] };
    expect(clean({ ...init, ...lists, apiKeySource: '/login managed key' }, 'system')).toMatchObject({
      apiKeySource: '/login managed key',
    });
  });

  it('shows the code of a refused request', () => {
    const response = { subtype: 'error', request_id: 'h', error: 'no', error_code: 'bypass_not_launched' };
    expect(clean({ type: 'control_response', response }, 'control_response').response).toEqual(response);
  });
});
