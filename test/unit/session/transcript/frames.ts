import type { Clock } from '../../../../src/base/clock.ts';
import { toDisposable } from '../../../../src/base/disposable.ts';
import type { CliFrame } from '../../../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../../../src/protocol/decodeFrame.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import type { TranscriptChange, TranscriptItem } from '../../../../src/session/transcriptModel.ts';

export type Wire = Readonly<Record<string, unknown>>;

/** A frame as it comes from the wire: through the decoder, so that tests know no more than the reducer does. */
export function frame(wire: Wire): CliFrame {
  const decoded = decodeFrame(JSON.stringify(wire), () => undefined);
  if (!decoded) throw new Error('Not a frame');
  return decoded;
}

let count = 0;
const uuid = (): string => `00000000-0000-4000-8000-${String(count++).padStart(12, '0')}`;

export const init = (more: Wire = {}): Wire => ({
  type: 'system',
  subtype: 'init',
  cwd: '/w',
  model: 'm',
  permissionMode: 'default',
  tools: [],
  mcp_servers: [],
  slash_commands: [],
  uuid: uuid(),
  ...more,
});

export const system = (subtype: string, more: Wire = {}): Wire => ({ type: 'system', subtype, uuid: uuid(), ...more });

export const requesting = (...promptIds: string[]): Wire =>
  system('status', { status: 'requesting', user_message_uuids: promptIds });

export const assistant = (id: string, content: readonly Wire[], more: Wire = {}): Wire => ({
  type: 'assistant',
  message: { id, role: 'assistant', model: 'm', content, usage: { input_tokens: 10, output_tokens: 1 } },
  parent_tool_use_id: null,
  uuid: uuid(),
  ...more,
});

export const text = (words: string): Wire => ({ type: 'text', text: words });
export const toolUse = (id: string, input: Wire = {}, name = 'Bash'): Wire => ({ type: 'tool_use', id, name, input });

export const user = (content: unknown, more: Wire = {}): Wire => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  uuid: uuid(),
  ...more,
});

export const toolResult = (id: string, content: unknown, more: Wire = {}, block: Wire = {}): Wire =>
  user([{ type: 'tool_result', tool_use_id: id, content, ...block }], more);

export const lifecycle = (command: string, state: string): Wire => ({
  type: 'command_lifecycle',
  command_uuid: command,
  state,
  uuid: uuid(),
});

export const result = (more: Wire = {}): Wire => ({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: '',
  duration_ms: 1,
  duration_api_ms: 1,
  num_turns: 1,
  total_cost_usd: 0,
  modelUsage: {},
  permission_denials: [],
  terminal_reason: 'completed',
  uuid: uuid(),
  ...more,
});

export const stream = (event: Wire): Wire => ({ type: 'stream_event', event, parent_tool_use_id: null, uuid: uuid() });
export const start = (id: string): Wire =>
  stream({
    type: 'message_start',
    message: { id, role: 'assistant', model: 'm', content: [], usage: { input_tokens: 10 } },
  });
export const begin = (index: number, block: Wire): Wire =>
  stream({ type: 'content_block_start', index, content_block: block });
export const delta = (index: number, words: string): Wire =>
  stream({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: words } });
export const thought = (index: number, words: string): Wire =>
  stream({ type: 'content_block_delta', index, delta: { type: 'thinking_delta', thinking: words } });
export const json = (index: number, part: string): Wire =>
  stream({ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: part } });

/** Time that stands until it is moved. */
export class HandClock implements Clock {
  time = 1_000;

  now(): number {
    return this.time;
  }

  after(): ReturnType<Clock['after']> {
    return toDisposable(() => undefined);
  }
}

export interface Scene {
  readonly transcript: Transcript;
  readonly clock: HandClock;
  readonly changes: TranscriptChange[];
  readonly warnings: string[];
  readonly apply: (...frames: readonly Wire[]) => void;
}

export function scene(...frames: readonly Wire[]): Scene {
  const clock = new HandClock();
  const warnings: string[] = [];
  const nothing = (): void => undefined;
  const logger = {
    trace: nothing,
    debug: nothing,
    info: nothing,
    error: nothing,
    warn: (m: string) => warnings.push(m),
  };
  const transcript = new Transcript({ clock, logger });
  const changes: TranscriptChange[] = [];
  transcript.onDidChange(change => changes.push(change));
  const apply = (...more: readonly Wire[]): void => {
    for (const wire of more) transcript.apply(frame(wire));
  };
  apply(...frames);
  return { transcript, clock, changes, warnings, apply };
}

/** One short line an item, for reading whole conversations in a test. */
export function outline(items: readonly TranscriptItem[]): string[] {
  return items.map(item => {
    switch (item.kind) {
      case 'prompt':
        return `${item.synthetic ? 'synthetic' : 'prompt'} ${item.state}: ${item.text}`;
      case 'text':
        return `text${item.streaming ? ' streaming' : ''}${item.aborted ? ' aborted' : ''}: ${item.text}`;
      case 'thinking':
        return `thinking${item.streaming ? ' streaming' : ''}: ${item.redacted ? '(redacted)' : item.text}`;
      case 'tool':
        return `tool ${item.name} ${item.state}`;
      case 'notice':
        return `notice ${item.notice.type}`;
    }
  });
}
