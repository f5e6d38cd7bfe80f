import { describe, expect, it } from 'vitest';
import type { ToolItem, TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import type { Scene, Wire } from './frames.ts';
import {
  assistant,
  begin,
  delta,
  init,
  json,
  lifecycle,
  outline,
  requesting,
  result,
  scene,
  start,
  system,
  text,
  thought,
  toolResult,
  toolUse,
  user,
} from './frames.ts';

function tool({ transcript }: Scene, id: string): ToolItem {
  const item = transcript.find(id);
  if (item?.kind !== 'tool') throw new Error(`No tool ${id}`);
  return item;
}

const ids = (items: readonly TranscriptItem[]): string[] => items.map(item => item.id);

describe('speech', () => {
  it('merges assistant frames of one message in block order', () => {
    const { transcript } = scene(
      assistant('m1', [{ type: 'thinking', thinking: 'hm', signature: 's' }]),
      assistant('m1', [text('Hello')]),
      assistant('m1', [toolUse('t1')]),
    );
    expect(outline(transcript.items)).toEqual(['thinking: hm', 'text: Hello', 'tool Bash running']);
    expect(ids(transcript.items)).toEqual(['m1:0', 'm1:1', 't1']);
  });

  it('replaces a draft by its final block in the same place and under the same id', () => {
    const { transcript, changes, apply } = scene(start('m1'), begin(0, text('')), delta(0, 'Hel'), delta(0, 'lo'));
    expect(outline(transcript.items)).toEqual(['text streaming: Hello']);
    const draft = transcript.items[0]?.id;
    apply(assistant('m1', [text('Hello!')]));
    expect(outline(transcript.items)).toEqual(['text: Hello!']);
    expect(transcript.items[0]?.id).toBe(draft);
    expect(changes.filter(change => change.type !== 'usage').map(change => change.type)).toEqual([
      'added',
      'grew',
      'updated',
    ]);
  });

  it('says what a growing text gained, and has the whole of it in the item', () => {
    const { changes } = scene(start('m1'), begin(0, text('')), delta(0, 'a'), delta(0, 'b'));
    expect(changes.at(-1)).toMatchObject({ type: 'grew', appended: 'b', item: { text: 'ab' } });
  });

  it('drops the partial text of an attempt that is tried again', () => {
    const { transcript } = scene(
      start('m1'),
      begin(0, text('')),
      delta(0, 'first'),
      start('m2'),
      begin(0, text('')),
      delta(0, 'second'),
    );
    expect(outline(transcript.items)).toEqual(['text streaming: second']);
  });

  it('keeps a finished block of an attempt that is tried again', () => {
    const { transcript } = scene(
      start('m1'),
      begin(0, text('')),
      delta(0, 'kept'),
      assistant('m1', [text('kept')]),
      begin(1, text('')),
      delta(1, 'lost'),
      start('m2'),
    );
    expect(outline(transcript.items)).toEqual(['text: kept']);
  });

  it('marks a streamed text without a final frame when the turn ends, and removes thinking and tools', () => {
    const { transcript } = scene(
      start('m1'),
      begin(0, { type: 'thinking', thinking: '' }),
      thought(0, 'hm'),
      begin(1, text('')),
      delta(1, 'half a wo'),
      begin(2, toolUse('t1')),
      result(),
    );
    expect(outline(transcript.items)).toEqual(['text aborted: half a wo']);
  });

  it('shows a text that was cut by a stop as aborted', () => {
    const { transcript } = scene(
      start('m1'),
      begin(0, text('')),
      delta(0, 'ha'),
      assistant('m1', [text('ha')], { aborted: true }),
    );
    expect(outline(transcript.items)).toEqual(['text aborted: ha']);
  });

  it('knows a repeated frame by its uuid, also under another message id', () => {
    const { transcript } = scene(
      assistant('m1', [text('once')], { uuid: 'u1' }),
      assistant('m2', [text('once')], { uuid: 'u1' }),
    );
    expect(outline(transcript.items)).toEqual(['text: once']);
  });

  it('takes back superseded and retracted messages', () => {
    const { transcript } = scene(
      assistant('m1', [text('one')], { uuid: 'u1' }),
      assistant('m2', [text('two'), toolUse('t1')], { uuid: 'u2' }),
      assistant('m3', [text('three')], { uuid: 'u3', supersedes: ['u1'] }),
      system('model_refusal_fallback', {
        trigger: 'refusal',
        direction: 'retry',
        original_model: 'a',
        fallback_model: 'b',
        request_id: null,
        content: 'Refused, trying b',
        retracted_message_uuids: ['u2', 'unknown'],
      }),
    );
    expect(outline(transcript.items)).toEqual(['text: three', 'notice refusal']);
  });

  it('measures thinking and takes its estimate', () => {
    const one = scene(start('m1'), begin(0, { type: 'thinking', thinking: '' }), thought(0, 'hm'));
    one.clock.time += 1500;
    one.apply(
      system('thinking_tokens', { estimated_tokens: 7, estimated_tokens_delta: 7 }),
      assistant('m1', [{ type: 'thinking', thinking: 'hm.', signature: 's' }]),
    );
    expect(one.transcript.items).toMatchObject([
      { text: 'hm.', streaming: false, durationMs: 1500, estimatedTokens: 7 },
    ]);
  });

  it('keeps a block of an unknown kind as a notice, and goes on', () => {
    const { transcript } = scene(assistant('m1', [{ type: 'hologram', beam: 1 }, text('after')]));
    expect(outline(transcript.items)).toEqual(['notice unknown', 'text: after']);
  });

  it('keeps two messages apart that start under one id', () => {
    const { transcript } = scene(
      start('m1'),
      begin(0, text('')),
      delta(0, 'a'),
      assistant('m1', [text('a')]),
      start('m1'),
      begin(0, text('')),
      delta(0, 'b'),
      assistant('m1', [text('b')]),
    );
    expect(outline(transcript.items)).toEqual(['text: a', 'text: b']);
  });
});

describe('tools', () => {
  it('shows the input as far as it streamed, then the final one', () => {
    const one = scene(start('m1'), begin(0, toolUse('t1', {}, 'Edit')), json(0, '{"file_path":"/a","old_st'));
    expect(tool(one, 't1')).toMatchObject({ state: 'streaming', input: { file_path: '/a' } });
    one.apply(assistant('m1', [toolUse('t1', { file_path: '/a', old_string: 'x', replace_all: false }, 'Edit')]));
    expect(tool(one, 't1')).toMatchObject({ state: 'running', input: { replace_all: false } });
  });

  it('waits while the person is asked and runs when allowed', () => {
    const one = scene(assistant('m1', [toolUse('t1')]));
    one.transcript.permissionAsked('t1', 'Bash', {});
    expect(tool(one, 't1').state).toBe('pending');
    one.transcript.permissionAnswered('t1', true);
    expect(tool(one, 't1').state).toBe('running');
  });

  it('attaches a result by id, in another order and in another turn', () => {
    const one = scene(
      assistant('m1', [toolUse('t1')]),
      assistant('m1', [toolUse('t2')]),
      toolResult('t2', 'second'),
      result(),
      init(),
      toolResult('t1', 'first'),
    );
    expect(tool(one, 't2')).toMatchObject({ state: 'done', resultContent: [{ type: 'text', text: 'second' }] });
    expect(tool(one, 't1')).toMatchObject({ state: 'done', resultContent: [{ type: 'text', text: 'first' }] });
  });

  it('keeps a result that comes before its tool use', () => {
    const one = scene(
      toolResult('t1', 'early', { tool_use_result: { stdout: 'early' } }),
      assistant('m1', [toolUse('t1')]),
    );
    expect(tool(one, 't1')).toMatchObject({ state: 'done', structuredResult: { stdout: 'early' } });
  });

  it.each([
    ['a string', 'Error: no', 'Error: no'],
    ['a list', [{ type: 'text', text: 'x' }], [{ type: 'text', text: 'x' }]],
    ['an object', { stdout: 'x' }, { stdout: 'x' }],
    ['absent', undefined, undefined],
  ])('takes a structured result that is %s', (_name, structured, expected) => {
    const one = scene(assistant('m1', [toolUse('t1')]), toolResult('t1', 'x', { tool_use_result: structured }));
    expect(tool(one, 't1').structuredResult).toEqual(expected);
  });

  it('tells failed, denied and stopped apart', () => {
    const one = scene(
      assistant('m1', [toolUse('t1'), toolUse('t2'), toolUse('t3')]),
      toolResult('t1', 'Exit code 1', {}, { is_error: true }),
      toolResult(
        't2',
        'No thanks',
        { tool_result_meta: [{ id: 't2', permission_decision: { decision: 'reject', source: 'user_reject' } }] },
        { is_error: true },
      ),
      toolResult(
        't3',
        'rejected',
        { tool_result_meta: [{ id: 't3', non_execution_kind: 'user-rejected' }] },
        { is_error: true },
      ),
    );
    expect(tool(one, 't1').state).toBe('failed');
    expect(tool(one, 't2')).toMatchObject({ state: 'denied', decision: { accepted: false, source: 'user_reject' } });
    expect(tool(one, 't3').state).toBe('stopped');
  });

  it('marks what the result lists as denied', () => {
    const one = scene(
      assistant('m1', [toolUse('t1')]),
      toolResult('t1', 'no', {}, { is_error: true }),
      result({ permission_denials: [{ tool_name: 'Bash', tool_use_id: 't1', tool_input: {} }] }),
    );
    expect(tool(one, 't1').state).toBe('denied');
  });

  it('marks a tool that was denied without a question, or says so in a row of its own', () => {
    const one = scene(
      assistant('m1', [toolUse('t1')]),
      system('permission_denied', { tool_name: 'Bash', tool_use_id: 't1', message: 'mode' }),
      system('permission_denied', { tool_name: 'Write', tool_use_id: 'elsewhere', message: 'mode' }),
    );
    expect(outline(one.transcript.items)).toEqual(['tool Bash denied', 'notice permissionDenied']);
  });

  it('gives a heartbeat to the real tool', () => {
    const one = scene(assistant('m1', [toolUse('t1')]), {
      type: 'tool_progress',
      tool_use_id: 't1-heartbeat-0',
      parent_tool_use_id: 't1',
      tool_name: 'Bash',
      elapsed_time_seconds: 30,
      heartbeat: true,
    });
    expect(tool(one, 't1').elapsedSeconds).toBe(30);
    expect(one.transcript.items).toHaveLength(1);
  });

  it('stops what has no result when the turn ends', () => {
    const one = scene(assistant('m1', [toolUse('t1')]), result());
    expect(tool(one, 't1').state).toBe('stopped');
  });

  it('nests what a subagent does under its tool use, and falls back to the top without one', () => {
    const one = scene(
      assistant('m1', [toolUse('a1', { prompt: 'go' }, 'Agent')]),
      user([text('go')], { parent_tool_use_id: 'a1' }),
      assistant('m2', [text('sub')], { parent_tool_use_id: 'a1' }),
      assistant('m3', [toolUse('s1', {}, 'Read')], { parent_tool_use_id: 'a1' }),
      assistant('m4', [text('deep')], { parent_tool_use_id: 's1' }),
      assistant('m5', [text('orphan')], { parent_tool_use_id: 'gone' }),
    );
    expect(outline(one.transcript.items)).toEqual(['tool Agent running', 'text: orphan']);
    expect(outline(one.transcript.childrenOf('a1'))).toEqual([
      'synthetic completed: go',
      'text: sub',
      'tool Read running',
    ]);
    expect(outline(one.transcript.childrenOf('s1'))).toEqual(['text: deep']);
    expect(one.transcript.find('m5:0')?.parentToolUseId).toBeUndefined();
  });

  it('leaves a subagent at work after the result of the turn', () => {
    const one = scene(
      assistant('m1', [toolUse('a1', {}, 'Agent')]),
      toolResult('a1', 'launched', { tool_use_result: { status: 'async_launched', agentId: 'x' } }),
      assistant('m2', [toolUse('s1', {}, 'Read')], { parent_tool_use_id: 'a1' }),
      result(),
    );
    expect(tool(one, 'a1')).toMatchObject({ state: 'backgrounded', taskId: 'x' });
    expect(tool(one, 's1').state).toBe('running');
    one.transcript.processEnded();
    expect(tool(one, 's1').state).toBe('stopped');
  });
});

describe('prompts', () => {
  const sent = (one: Scene, uuid: string, queued = false): void =>
    one.transcript.promptSent({ uuid, text: uuid, attachments: [], queued });

  it('keeps the words that were sent when the echo has another form', () => {
    const one = scene();
    one.transcript.promptSent({ uuid: 'p1', text: '/cost', attachments: [], queued: false });
    one.apply(user('<command-name>/usage</command-name><command-args></command-args>', { uuid: 'p1', isReplay: true }));
    expect(outline(one.transcript.items)).toEqual(['prompt started: /cost']);
  });

  it('follows the queue: queued, started in its place, completed', () => {
    const one = scene();
    sent(one, 'p1');
    one.apply(lifecycle('p1', 'queued'), lifecycle('p1', 'started'), init({ user_message_uuids: ['p1'] }));
    sent(one, 'p2', true);
    one.apply(lifecycle('p2', 'queued'), assistant('m1', [text('answer')]));
    expect(outline(one.transcript.items)).toEqual(['prompt started: p1', 'prompt queued: p2', 'text: answer']);
    one.apply(result(), lifecycle('p1', 'completed'), lifecycle('p2', 'started'));
    expect(outline(one.transcript.items)).toEqual(['prompt completed: p1', 'text: answer', 'prompt started: p2']);
    one.apply(init(), result(), lifecycle('p2', 'completed'));
    expect(outline(one.transcript.items).at(-1)).toBe('prompt completed: p2');
  });

  it('marks a prompt that was taken into a running turn as folded, without a second turn', () => {
    const one = scene();
    sent(one, 'p1');
    one.apply(lifecycle('p1', 'started'), init(), assistant('m1', [toolUse('t1')]));
    sent(one, 'p2', true);
    one.apply(
      lifecycle('p2', 'queued'),
      toolResult('t1', 'x'),
      user('p2', { uuid: 'p2', isReplay: true }),
      lifecycle('p2', 'started'),
    );
    one.apply(assistant('m2', [text('both')]), lifecycle('p2', 'completed'), result(), lifecycle('p1', 'completed'));
    expect(outline(one.transcript.items)).toEqual([
      'prompt completed: p1',
      'tool Bash done',
      'prompt folded: p2',
      'text: both',
    ]);
  });

  it('folds all but the last of the prompts a turn begins with', () => {
    const one = scene();
    sent(one, 'p1', true);
    sent(one, 'p2', true);
    one.apply(
      lifecycle('p1', 'started'),
      lifecycle('p2', 'started'),
      init(),
      requesting('p1', 'p2'),
      requesting('p1', 'p2', 'p3'),
    );
    expect(outline(one.transcript.items)).toEqual(['prompt folded: p1', 'prompt started: p2']);
  });

  it('shows a cancelled prompt as cancelled', () => {
    const one = scene();
    sent(one, 'p1', true);
    one.apply(lifecycle('p1', 'queued'), lifecycle('p1', 'cancelled'));
    expect(outline(one.transcript.items)).toEqual(['prompt cancelled: p1']);
  });

  it('ends a prompt with the result when the queue never spoke of it', () => {
    const one = scene(user('hi', { uuid: 'p1', isReplay: true }), assistant('m1', [text('ho')]), result());
    expect(outline(one.transcript.items)).toEqual(['prompt completed: hi', 'text: ho']);
  });

  it('does not take the marks and command rows of the CLI for prompts', () => {
    const one = scene(
      init(),
      user('<local-command-stdout>Set model to x</local-command-stdout>', { isReplay: true }),
      user(
        '<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args>Bob</command-args>',
      ),
      user([text('[Request interrupted by user for tool use]')]),
    );
    expect(outline(one.transcript.items)).toEqual([
      'notice localCommand',
      'prompt started: /greet Bob',
      'notice stopped',
    ]);
    expect(one.transcript.items[0]).toMatchObject({ notice: { output: 'Set model to x' } });
  });

  it('shows the answer of a local command as a notice, not as speech', () => {
    const { transcript } = scene(
      assistant('x', [text('Estimated cost')], {
        message: { id: 'x', model: '<synthetic>', content: [text('Estimated cost')] },
        local_command_source: '<local-command-stdout>Estimated cost</local-command-stdout>',
        local_command_run: { command: 'usage', args: '' },
      }),
    );
    expect(transcript.items).toMatchObject([
      { notice: { type: 'localCommand', command: '/usage', output: 'Estimated cost' } },
    ]);
  });

  it('interrupts what runs and cancels what waits when the process is gone', () => {
    const one = scene(init());
    sent(one, 'p1');
    sent(one, 'p2', true);
    one.apply(assistant('m1', [toolUse('t1')]), start('m2'), begin(0, text('')), delta(0, 'ha'));
    one.transcript.processEnded();
    expect(outline(one.transcript.items)).toEqual([
      'prompt interrupted: p1',
      'prompt cancelled: p2',
      'tool Bash stopped',
      'text aborted: ha',
    ]);
  });
});

describe('a question about a tool nobody spoke of', () => {
  it('gets a row of its own, which the tool takes over when it comes', () => {
    const one = scene(init());
    one.transcript.permissionAsked('t9', 'Bash', { command: 'ls' });
    expect(outline(one.transcript.items)).toEqual(['tool Bash pending']);
    one.apply(assistant('m1', [toolUse('t9')]));
    one.transcript.permissionAnswered('t9', true);
    expect(outline(one.transcript.items)).toEqual(['tool Bash running']);
  });
});

describe('the end of a turn', () => {
  const failure = (more: Wire): Wire => result({ is_error: true, ...more });

  it('shows success with is_error as a failure with the text of the result', () => {
    const { transcript } = scene(
      failure({ result: 'Overloaded', terminal_reason: 'api_error', api_error_status: 529 }),
    );
    expect(transcript.items).toMatchObject([
      { notice: { type: 'turnFailed', code: 'api_error', message: 'Overloaded', status: 529 } },
    ]);
  });

  it('joins the error row and the result into one failure', () => {
    const { transcript } = scene(
      assistant('x', [text('Please run /login')], {
        message: { id: 'x', model: '<synthetic>', content: [text('Please run /login')] },
        error: 'authentication_failed',
        is_api_error_message: true,
        api_error_status: 401,
      }),
      failure({ result: 'Please run /login', terminal_reason: 'api_error' }),
    );
    expect(transcript.items).toMatchObject([
      { notice: { type: 'turnFailed', code: 'authentication_failed', message: 'Please run /login', status: 401 } },
    ]);
    expect(transcript.items).toHaveLength(1);
  });

  it('takes an error after which the model goes on for a warning', () => {
    const { transcript } = scene(
      init(),
      assistant('x', [text('Connection lost')], {
        message: { id: 'x', model: '<synthetic>', content: [text('Connection lost')] },
        error: 'server_error',
      }),
      assistant('m1', [text('Here I am')]),
      result(),
    );
    expect(transcript.items).toMatchObject([
      { notice: { type: 'informational', level: 'warning' } },
      { text: 'Here I am' },
    ]);
  });

  it.each(['aborted_streaming', 'aborted_tools'])(
    'says once that a turn was stopped (%s), and nothing of diagnostics',
    reason => {
      const { transcript } = scene(
        init(),
        user([text('[Request interrupted by user]')]),
        failure({ subtype: 'error_during_execution', terminal_reason: reason, errors: ['[ede_diagnostic] x'] }),
      );
      expect(outline(transcript.items)).toEqual(['notice stopped']);
    },
  );

  it('says that a turn was stopped when only the result tells', () => {
    const { transcript } = scene(result({ terminal_reason: 'aborted_streaming' }));
    expect(outline(transcript.items)).toEqual(['notice stopped']);
  });

  it('shows the errors of other endings without diagnostics', () => {
    const { transcript } = scene(
      failure({
        subtype: 'error_max_turns',
        terminal_reason: 'max_turns',
        errors: ['[ede_diagnostic] x', 'Too many turns'],
      }),
    );
    expect(transcript.items).toMatchObject([{ notice: { code: 'max_turns', message: 'Too many turns' } }]);
  });

  it('takes cost and window from the newest result and never adds', () => {
    const { transcript } = scene(
      assistant('m1', [text('a')]),
      result({ total_cost_usd: 1, modelUsage: { m: { inputTokens: 1, outputTokens: 1, contextWindow: 200 } } }),
      result({ total_cost_usd: 3, usage: { output_tokens: 5 } }),
    );
    expect(transcript.usage).toEqual({ totalCostUsd: 3, contextTokens: 11, contextWindow: 200, outputTokens: 5 });
  });

  it('takes the context from the newest request of the main thread only', () => {
    const usage = { input_tokens: 100, cache_read_input_tokens: 20, cache_creation_input_tokens: 3, output_tokens: 1 };
    const { transcript } = scene(
      assistant('m1', [text('a')], { message: { id: 'm1', model: 'm', content: [text('a')], usage } }),
      assistant('m2', [text('b')], {
        parent_tool_use_id: 'x',
        message: { id: 'm2', model: 'm', content: [text('b')], usage: { input_tokens: 9 } },
      }),
    );
    expect(transcript.usage.contextTokens).toBe(124);
  });

  it('logs a gap in the numbers of results', () => {
    const { warnings } = scene(result({ result_index: 0 }), result({ result_index: 1 }), result({ result_index: 4 }));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('2 lost');
  });

  it('starts and ends a turn nobody asked for', () => {
    const { transcript } = scene(
      init(),
      assistant('m1', [text('The task is done.')]),
      result({ origin: { kind: 'task-notification' } }),
    );
    expect(outline(transcript.items)).toEqual(['text: The task is done.']);
  });
});

describe('what the CLI reports', () => {
  const retry = (attempt: number): Wire =>
    system('api_retry', { attempt, max_retries: 10, retry_delay_ms: 500, error_status: 500, error: 'server_error' });

  it('updates one retry notice in place and takes it away when the stream resumes', () => {
    const one = scene(retry(1), retry(2));
    expect(one.transcript.items).toMatchObject([{ notice: { type: 'retrying', attempt: 2, retryAt: 1500 } }]);
    one.apply(start('m1'));
    expect(one.transcript.items).toEqual([]);
  });

  it('shows a compaction from its beginning to its summary', () => {
    const one = scene(system('status', { status: 'compacting' }));
    expect(outline(one.transcript.items)).toEqual(['notice compacting']);
    one.apply(
      system('status', { status: null, compact_result: 'success' }),
      system('compact_boundary', { compact_metadata: { trigger: 'manual', pre_tokens: 100, post_tokens: 10 } }),
      user('This session is being continued', { isSynthetic: true, isReplay: false }),
      user('<local-command-stdout>Compacted </local-command-stdout>', { isReplay: true }),
    );
    expect(outline(one.transcript.items)).toEqual(['notice compacted', 'notice compactSummary']);
    expect(one.transcript.usage.contextTokens).toBe(10);
  });

  it('says that a compaction failed', () => {
    const { transcript } = scene(
      system('status', { status: 'compacting' }),
      system('status', { status: null, compact_result: 'failed', compact_error: 'too few' }),
    );
    expect(transcript.items).toMatchObject([{ notice: { type: 'compactFailed', message: 'too few' } }]);
  });

  it('wipes everything on a reset and forgets the prompt that asked for it', () => {
    const one = scene();
    one.transcript.promptSent({ uuid: 'p1', text: '/clear', attachments: [], queued: false });
    one.apply(assistant('m1', [text('old')], { uuid: 'u1' }), result({ total_cost_usd: 2 }));
    one.transcript.promptSent({ uuid: 'p2', text: '/clear', attachments: [], queued: false });
    one.apply(lifecycle('p2', 'started'), { type: 'conversation_reset', new_conversation_id: 'x', trigger: 'clear' });
    expect(one.changes.at(-1)).toEqual({ type: 'reset' });
    one.apply(
      user('<command-name>/clear</command-name>', { uuid: 'p2', isReplay: true }),
      lifecycle('p2', 'completed'),
    );
    expect(one.transcript.items).toEqual([]);
    expect(one.transcript.usage).toEqual({ totalCostUsd: 0 });
  });

  it('keeps an unknown frame as a notice, and only logs an unknown system frame', () => {
    const { transcript, warnings } = scene({ type: 'song', verse: 1 }, system('dance', { step: 1 }));
    expect(transcript.items).toMatchObject([{ notice: { type: 'unknown', rawType: 'song', raw: { verse: 1 } } }]);
    expect(warnings).toHaveLength(1);
  });

  it('shows nothing of control frames, mirrors, keep-alives and other internals', () => {
    const { transcript } = scene(
      { type: 'keep_alive' },
      { type: 'env_manager_log', text: 'x' },
      { type: 'transcript_mirror', filePath: '/x', entries: [] },
      { type: 'control_response', response: { subtype: 'success', request_id: 'r' } },
      { type: 'control_response', response: { subtype: 'success' } },
      { type: 'control_cancel_request', request_id: 'r' },
      { type: 'prompt_suggestion', suggestion: 'x' },
      system('informational', { content: 'quiet', level: 'info' }),
      system('hook_response', { hook_name: 'Stop', hook_event: 'Stop', outcome: 'success', output: 'x' }),
    );
    expect(transcript.items).toEqual([]);
  });

  it('shows warnings, failed hooks, memories, limits and lost writes as rows', () => {
    const limit = (status: string): Wire => ({
      type: 'rate_limit_event',
      rate_limit_info: { status, rateLimitType: 'five_hour' },
    });
    const { transcript } = scene(
      system('informational', { content: 'careful', level: 'warning' }),
      system('hook_response', {
        hook_name: 'PreToolUse:Bash',
        hook_event: 'PreToolUse',
        outcome: 'error',
        stderr: 'no',
      }),
      system('memory_recall', { mode: 'select', memories: [{ path: '/m.md', scope: 'personal' }] }),
      system('session_writes_lost', { error_code: 'ENOSPC', lost: ['transcript'] }),
      limit('allowed'),
      limit('allowed_warning'),
      limit('allowed_warning'),
    );
    expect(outline(transcript.items)).toEqual([
      'notice informational',
      'notice hook',
      'notice memory',
      'notice writesLost',
      'notice rateLimit',
    ]);
  });
});

describe('tasks', () => {
  const started = (more: Wire = {}): Wire =>
    system('task_started', {
      task_id: 'k1',
      description: 'job',
      task_type: 'local_bash',
      tool_use_id: 't1',
      run_id: '0b',
      ...more,
    });
  const background = (...tasks: Wire[]): Wire => system('background_tasks_changed', { tasks });

  it('links a task to its tool and ends a backgrounded tool with it', () => {
    const one = scene(
      assistant('m1', [toolUse('t1')]),
      started({ is_backgrounded: true }),
      toolResult('t1', 'running', { tool_use_result: { backgroundTaskId: 'k1' } }),
      result(),
    );
    expect(tool(one, 't1')).toMatchObject({ state: 'backgrounded', taskId: 'k1' });
    one.apply(
      system('task_notification', {
        task_id: 'k1',
        status: 'completed',
        summary: 'ok',
        tool_use_id: 't1',
        run_id: '0b',
      }),
    );
    expect(tool(one, 't1').state).toBe('done');
    expect(one.transcript.tasks.get('k1')).toMatchObject({ status: 'completed', summary: 'ok', background: true });
  });

  it('drops a frame of an earlier run', () => {
    const one = scene(started(), system('task_updated', { task_id: 'k1', run_id: '0a', patch: { status: 'failed' } }));
    expect(one.transcript.tasks.get('k1')?.status).toBe('running');
  });

  it('follows progress and patches', () => {
    const one = scene(
      started(),
      system('task_progress', {
        task_id: 'k1',
        description: 'reading',
        last_tool_name: 'Read',
        usage: { total_tokens: 5, tool_uses: 1, duration_ms: 9 },
      }),
      system('task_updated', { task_id: 'k1', patch: { status: 'killed', end_time: 77 } }),
    );
    expect(one.transcript.tasks.get('k1')).toMatchObject({
      description: 'reading',
      lastToolName: 'Read',
      usage: { totalTokens: 5, toolUses: 1, durationMs: 9 },
      status: 'killed',
      endedAt: 77,
    });
  });

  it('replaces the set of background tasks, and empties it with the process', () => {
    const one = scene(
      background(
        { task_id: 'a', task_type: 'x', description: 'A' },
        { task_id: 'b', task_type: 'x', description: 'B' },
      ),
    );
    expect([...one.transcript.tasks.keys()]).toEqual(['a', 'b']);
    one.apply(background({ task_id: 'b', task_type: 'x', description: 'B' }));
    expect([...one.transcript.tasks.keys()]).toEqual(['b']);
    one.transcript.processEnded();
    expect(one.transcript.tasks.size).toBe(0);
  });
});

describe('history in front', () => {
  it('loads items, knows their frames again, and takes older pages before them', () => {
    const old = scene(
      assistant('m1', [text('older')], { uuid: 'u1' }),
      assistant('m2', [text('newer')], { uuid: 'u2' }),
    ).transcript.items;
    const one = scene();
    one.transcript.load(old.slice(1));
    one.transcript.prepend(old.slice(0, 1));
    one.apply(assistant('m9', [text('newer')], { uuid: 'u2' }), assistant('m3', [text('live')]));
    expect(outline(one.transcript.items)).toEqual(['text: older', 'text: newer', 'text: live']);
    expect(one.transcript.find('m1:0')).toBe(one.transcript.items[0]);
    expect(one.changes).toMatchObject([
      { type: 'reset' },
      { type: 'added', index: 0 },
      { type: 'usage' },
      { type: 'added', index: 2 },
    ]);
  });

  it('finds and removes in the right place after older items came in front', () => {
    const old = scene(assistant('m1', [text('a')]), assistant('m2', [text('b')])).transcript.items.slice();
    const one = scene(assistant('m5', [text('x')], { uuid: 'x' }), assistant('m6', [text('y')]));
    one.transcript.prepend(old);
    one.apply(assistant('m7', [text('z')], { supersedes: ['x'] }));
    expect(outline(one.transcript.items)).toEqual(['text: a', 'text: b', 'text: y', 'text: z']);
    expect(one.transcript.items.every(item => one.transcript.find(item.id) === item)).toBe(true);
  });
});
