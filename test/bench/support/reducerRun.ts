import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../../src/protocol/decodeFrame.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import { median } from '../harness.ts';

const MESSAGES = 100_000;
const GROUPS = 100;

/** Frames of one message: a text and a tool with its result, which is what a long working day is made of. */
function framesOf(index: number): CliFrame[] {
  const base = { session_id: 's1', parent_tool_use_id: null };
  const message = { id: `m${index}`, model: 'm', role: 'assistant', stop_reason: null, usage: {} };
  const id = `toolu_${index}`;
  const records = [
    {
      type: 'assistant',
      message: { ...message, content: [{ type: 'text', text: `Step ${index}` }] },
      uuid: `a${index}`,
      ...base,
    },
    {
      type: 'assistant',
      message: { ...message, content: [{ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } }] },
      uuid: `b${index}`,
      ...base,
    },
    {
      type: 'user',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] },
      tool_use_result: { stdout: 'ok', stderr: '' },
      uuid: `c${index}`,
      ...base,
    },
  ];
  return records.flatMap(record => {
    const frame = decodeFrame(JSON.stringify(record), () => undefined);
    return frame === undefined ? [] : [frame];
  });
}

/** Milliseconds for each hundredth of the messages. Frames are made outside the measured time. */
const transcript = new Transcript();
let changes = 0;
transcript.onDidChange(() => (changes += 1));
const perGroup = MESSAGES / GROUPS;
const times: number[] = [];
for (let group = 0; group < GROUPS; group++) {
  const frames = Array.from({ length: perGroup }, (_, index) => framesOf(group * perGroup + index)).flat();
  const from = performance.now();
  for (const frame of frames) transcript.apply(frame);
  times.push(performance.now() - from);
}
if (transcript.items.length !== 2 * MESSAGES || changes < 2 * MESSAGES) throw new Error('items are missing');
// The first hundredths warm the machine up; the tenth after them is the beginning.
const first = median(times.slice(5, 15));
const last = median(times.slice(-10));
console.log(JSON.stringify({ first: (first / perGroup) * 1000, last: (last / perGroup) * 1000 }));
