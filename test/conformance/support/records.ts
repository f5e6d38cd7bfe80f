/** Frames as the CLI writes them, for what it does not do on demand. */

let count = 0;
const envelope = (session = 's1') => ({ uuid: `frame-${++count}`, session_id: session });

export type Record_ = Readonly<Record<string, unknown>>;

export function line(record: Record_): string {
  return `${JSON.stringify(record)}\n`;
}

/** A whole message of one text. */
export function assistant(text: string, fields: Record_ = {}): Record_ {
  return said([{ type: 'text', text }], fields);
}

export function said(content: readonly Record_[], fields: Record_ = {}): Record_ {
  const message = {
    id: `message-${++count}`,
    model: 'model-a',
    role: 'assistant',
    stop_reason: null,
    usage: {},
    content,
  };
  return { type: 'assistant', message, parent_tool_use_id: null, ...envelope(), ...fields };
}

export function toolResult(id: string, content: unknown, fields: Record_ = {}): Record_ {
  const block = { type: 'tool_result', tool_use_id: id, ...(content === undefined ? {} : { content }) };
  return {
    type: 'user',
    message: { role: 'user', content: [block] },
    parent_tool_use_id: null,
    ...envelope(),
    ...fields,
  };
}

export function delta(text: string, index = 0): Record_ {
  return streamed({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
}

export function streamed(event: Record_): Record_ {
  return { type: 'stream_event', event, parent_tool_use_id: null, ...envelope() };
}

export function messageStart(id: string): Record_ {
  return streamed({
    type: 'message_start',
    message: { id, model: 'model-a', role: 'assistant', content: [], usage: {} },
  });
}

export function textStart(index = 0): Record_ {
  return streamed({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
}

export function system(subtype: string, fields: Record_ = {}): Record_ {
  return { type: 'system', subtype, ...envelope(), ...fields };
}

export function init(fields: Record_ = {}): Record_ {
  return system('init', {
    cwd: '/project',
    model: 'model-a',
    permissionMode: 'default',
    tools: [],
    mcp_servers: [],
    slash_commands: [],
    ...fields,
  });
}

export function lifecycle(command_uuid: string, state: string): Record_ {
  return { type: 'command_lifecycle', command_uuid, state, ...envelope() };
}

/** `type` comes last, as the CLI has it. */
export function result(fields: Record_ = {}): Record_ {
  return {
    subtype: 'success',
    is_error: false,
    result: 'done',
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: 'end_turn',
    terminal_reason: 'completed',
    total_cost_usd: 0.5,
    usage: {},
    modelUsage: {},
    permission_denials: [],
    ...envelope(),
    ...fields,
    type: 'result',
  };
}

export function ask(id: string, fields: Record_ = {}): Record_ {
  const request = {
    subtype: 'can_use_tool',
    tool_name: 'Write',
    input: { file_path: '/project/a.txt', content: 'a' },
    tool_use_id: `tool-${id}`,
    ...fields,
  };
  return { type: 'control_request', request_id: id, request };
}

/** The same value with the keys of every object in reverse. */
export function reversedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversedKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversedKeys(inner)]),
  );
}
