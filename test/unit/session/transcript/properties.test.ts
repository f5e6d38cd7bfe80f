import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { CliFrame } from '../../../../src/protocol/cliFrame.ts';
import type { TranscriptChange, TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { Wire } from './frames.ts';
import {
  assistant,
  begin,
  delta,
  frame,
  init,
  json,
  lifecycle,
  requesting,
  result,
  start,
  system,
  text,
  thought,
  toolResult,
  toolUse,
  user,
} from './frames.ts';
import { play, readRows } from './recordings.ts';

const id = fc.constantFrom('a', 'b', 'c', 'd');
const index = fc.nat({ max: 2 });
const words = fc.constantFrom(
  '',
  'hello',
  '[Request interrupted by user]',
  '<local-command-stdout>x</local-command-stdout>',
  '<command-name>/x</command-name>',
);
const parent = fc.constantFrom(null, 'a', 'b', 'missing');
const block: fc.Arbitrary<Wire> = fc.oneof(
  words.map(text),
  words.map(thinking => ({ type: 'thinking', thinking, signature: 's' })),
  fc.constant({ type: 'redacted_thinking', data: 'x' }),
  id.map(tool => toolUse(tool, { x: 1 })),
  fc.constant({ type: 'mystery' }),
);
const state = fc.constantFrom('queued', 'started', 'completed', 'cancelled', 'odd');

/** Frames over few ids, so that they meet in every order. */
const anyFrame: fc.Arbitrary<Wire> = fc.oneof(
  fc
    .tuple(id, fc.array(block, { maxLength: 2 }), parent, id, fc.boolean())
    .map(([message, content, under, uuid, aborted]) =>
      assistant(message, content, {
        parent_tool_use_id: under,
        uuid,
        ...(aborted ? { aborted, supersedes: ['b'] } : {}),
      }),
    ),
  id.map(message =>
    assistant(message, [text('oops')], {
      error: 'server_error',
      message: { id: message, model: '<synthetic>', content: [text('oops')] },
    }),
  ),
  id.map(start),
  fc.tuple(index, block).map(([at, what]) => begin(at, what)),
  fc.tuple(index, words).map(([at, what]) => delta(at, what)),
  fc.tuple(index, words).map(([at, what]) => thought(at, what)),
  fc.tuple(index, fc.string()).map(([at, what]) => json(at, what)),
  fc
    .tuple(id, words, fc.boolean(), parent)
    .map(([tool, what, isError, under]) =>
      toolResult(tool, what, { parent_tool_use_id: under }, { is_error: isError }),
    ),
  fc
    .tuple(words, id, fc.boolean(), parent)
    .map(([what, uuid, isSynthetic, under]) => user(what, { uuid, isSynthetic, parent_tool_use_id: under })),
  fc.tuple(id, state).map(([uuid, what]) => lifecycle(uuid, what)),
  fc.constant(init()),
  fc.tuple(id, id).map(([a, b]) => requesting(a, b)),
  fc
    .boolean()
    .map(failed =>
      result({ is_error: failed, permission_denials: [{ tool_name: 'x', tool_use_id: 'a', tool_input: {} }] }),
    ),
  fc.constant(result({ terminal_reason: 'aborted_tools', is_error: true })),
  fc.constantFrom(
    system('status', { status: 'compacting' }),
    system('status', { status: null, compact_result: 'failed' }),
    system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 1 } }),
    system('api_retry', { attempt: 1, max_retries: 2, retry_delay_ms: 3, error_status: null, error: 'x' }),
    system('thinking_tokens', { estimated_tokens: 5, estimated_tokens_delta: 1 }),
    system('background_tasks_changed', { tasks: [{ task_id: 'k' }] }),
    system('permission_denied', { tool_name: 'x', tool_use_id: 'c', message: 'no' }),
    { type: 'conversation_reset', new_conversation_id: 'x' },
    {
      type: 'tool_progress',
      tool_use_id: 'a-heartbeat-1',
      parent_tool_use_id: 'a',
      tool_name: 'x',
      elapsed_time_seconds: 3,
      heartbeat: true,
    },
    { type: 'nonsense' },
  ),
  fc
    .tuple(id, state, fc.option(id, { nil: undefined }))
    .map(([task, status, tool]) => system('task_updated', { task_id: task, patch: { status }, tool_use_id: tool })),
  id.map(tool => system('task_started', { task_id: 'k', description: '', tool_use_id: tool, run_id: tool })),
  id.map(tool =>
    system('task_notification', { task_id: 'k', status: 'completed', summary: '', tool_use_id: tool, run_id: tool }),
  ),
);

/** What a listener that only follows the changes would hold. */
class Follower {
  readonly lists = new Map<string, TranscriptItem[]>();
  readonly parents = new Map<string, string>();

  follow(change: TranscriptChange): void {
    switch (change.type) {
      case 'added':
        this.parents.set(change.item.id, change.item.parentToolUseId ?? '');
        this.#list(change.item.parentToolUseId ?? '').splice(change.index, 0, change.item);
        return;
      case 'updated':
      case 'grew': {
        const list = this.#list(this.parents.get(change.item.id) ?? '');
        list.splice(
          list.findIndex(item => item.id === change.item.id),
          1,
          change.item,
        );
        return;
      }
      case 'removed': {
        const list = this.#list(this.parents.get(change.id) ?? '');
        list.splice(
          list.findIndex(item => item.id === change.id),
          1,
        );
        return;
      }
      case 'reset':
        this.lists.clear();
        return;
      case 'tasks':
      case 'usage':
    }
  }

  #list(parent: string): TranscriptItem[] {
    let list = this.lists.get(parent);
    if (!list) this.lists.set(parent, (list = []));
    return list;
  }
}

function check(transcript: Transcript, follower: Follower): void {
  expect(follower.lists.get('') ?? []).toEqual(transcript.items);
  for (const [under, list] of follower.lists) if (under !== '') expect(list).toEqual(transcript.childrenOf(under));
  const ids = [...follower.lists.values()].flatMap(list => list.map(item => item.id));
  expect(new Set(ids).size).toBe(ids.length);
  for (const itemId of ids) expect(transcript.find(itemId)?.id).toBe(itemId);
}

it('takes any frames in any order without throwing, and its changes tell all', () => {
  fc.assert(
    fc.property(fc.array(anyFrame, { maxLength: 40 }), frames => {
      const transcript = new Transcript();
      const follower = new Follower();
      transcript.onDidChange(change => follower.follow(change));
      for (const wire of frames) transcript.apply(frame(wire));
      check(transcript, follower);
      transcript.processEnded();
      check(transcript, follower);
      for (const item of transcript.items) {
        if (item.kind === 'text' || item.kind === 'thinking') expect(item.streaming).toBe(false);
        if (item.kind === 'tool') expect(item.state).not.toBe('streaming');
      }
    }),
    { numRuns: 800 },
  );
});

it('ends where the recording ends when frames of a real conversation come twice', () => {
  const names = fc.constantFrom('tools', 'interrupts', 'commands', 'failures', 'subagent');
  fc.assert(
    fc.property(names, fc.nat(), (name, seed) => {
      const rows = readRows(name);
      const repeated = rows.flatMap((row, at) => {
        const again = row.dir === 'out' && (row.frame.type === 'assistant' || row.frame.type === 'user');
        return again && (at + seed) % 3 === 0 ? [row, row] : [row];
      });
      const ids = (transcript: Transcript): string[] => transcript.items.map(item => `${item.kind} ${item.id}`);
      expect(ids(play(new Transcript(), repeated))).toEqual(ids(play(new Transcript(), rows)));
    }),
    { numRuns: 30 },
  );
});

/** One message with a streamed text, a tool and its result, made from decoded frames: the reducer alone is measured. */
function messages(): (at: number) => CliFrame[] {
  const [starting, said, answered] = [start('m'), assistant('m', [text('some words')]), toolResult('t', 'fine')].map(
    frame,
  );
  const opening = frame(begin(0, text('')));
  const piece = frame(delta(0, 'some words'));
  if (starting?.type !== 'stream_event' || said?.type !== 'assistant' || answered?.type !== 'user')
    throw new Error('Not these');
  const { event } = starting;
  if (event.type !== 'message_start') throw new Error('Not a start');
  return at => {
    const id = `m${at}`;
    const call = { type: 'tool_use' as const, id: `t${at}`, name: 'Bash', input: {} };
    const content = [...said.message.content, call];
    const outcome = {
      type: 'tool_result' as const,
      tool_use_id: call.id,
      content: [{ type: 'text' as const, text: 'fine' }],
    };
    return [
      { ...starting, event: { ...event, message: { ...event.message, id } } },
      opening,
      piece,
      { ...said, uuid: `s${at}`, message: { ...said.message, id, content } },
      { ...answered, uuid: `a${at}`, message: { ...answered.message, content: [outcome] } },
    ];
  };
}

it('costs the same per message at the end of a hundred thousand as at the beginning', () => {
  const transcript = new Transcript();
  const make = messages();
  let changes = 0;
  transcript.onDidChange(() => changes++);
  const run = (from: number, to: number): number => {
    const began = performance.now();
    for (let at = from; at < to; at++) for (const made of make(at)) transcript.apply(made);
    return performance.now() - began;
  };
  run(0, 10_000);
  const early = run(10_000, 30_000);
  run(30_000, 80_000);
  const late = run(80_000, 100_000);
  expect(transcript.items).toHaveLength(200_000);
  expect(changes).toBeGreaterThan(400_000);
  // Copying or searching the items for each message would be many times as slow; the machine may be busy besides.
  expect(late / early).toBeLessThan(4);
});

it('grows a text of a million pieces without copying it for each', () => {
  const transcript = new Transcript();
  transcript.apply(frame(start('m')));
  transcript.apply(frame(begin(0, text(''))));
  const piece = frame(delta(0, 'word '));
  for (let at = 0; at < 1_000_000; at++) transcript.apply(piece);
  const item = transcript.items[0];
  expect(item?.kind === 'text' ? item.text.length : 0).toBe(5_000_000);
});
