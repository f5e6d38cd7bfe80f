import { randomUUID } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';

const session_id = '6f0b6b53-7a42-4a52-9e3c-0d9a5d8f3b11';
const words = [
  'The',
  'quick',
  'brown',
  'fox',
  'jumps',
  'over',
  'the',
  'lazy',
  'dog',
  'and',
  'naps',
  'später',
  '—',
  '🚆',
];

/** The frame that ends every file: the consumer's clock stops at it. */
export function resultLine(): string {
  return `${JSON.stringify({
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'done',
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: 'end_turn',
    total_cost_usd: 0,
    usage: {},
    modelUsage: {},
    permission_denials: [],
    uuid: randomUUID(),
    session_id,
  })}\n`;
}

function event(body: object): string {
  const frame = { type: 'stream_event', event: body, session_id, parent_tool_use_id: null, uuid: randomUUID() };
  return `${JSON.stringify({ ...frame, api_message_id: 'msg_e4c0f9b4869b4b4086a8fee8874859dc' })}\n`;
}

/** An answer of so many deltas, as the CLI streams it. */
export function writeEvents(file: string, count: number): void {
  const out = openSync(file, 'w');
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], usage: {} };
  writeSync(out, event({ type: 'message_start', message }));
  writeSync(out, event({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }));
  for (let index = 0; index < count; index++) {
    const text = `${words[index % words.length] ?? ''} `;
    writeSync(out, event({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }));
  }
  writeSync(out, event({ type: 'content_block_stop', index: 0 }));
  writeSync(out, resultLine());
  closeSync(out);
}

/** Tool results of so many bytes each: what reading a large file gives. */
export function writeLargeLines(file: string, bytes: number, count: number): void {
  const out = openSync(file, 'w');
  const text = 'const answer = "forty-two"; // a line of some file\n'
    .repeat(Math.ceil(bytes / 54))
    .slice(0, bytes - 54);
  for (let index = 0; index < count; index++) {
    const content = [{ type: 'tool_result', tool_use_id: `toolu_${index}`, content: text }];
    const frame = { type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, uuid: randomUUID() };
    writeSync(out, `${JSON.stringify({ ...frame, session_id })}\n`);
  }
  writeSync(out, resultLine());
  closeSync(out);
}
