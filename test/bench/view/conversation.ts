import type { TranscriptItem } from '../../../src/session/transcriptModel.ts';

const at = Date.UTC(2025, 5, 2, 9, 30);

/** A working day of so many messages: turns of ten, so that every kind of row is met at any length. */
export function conversationOf(count: number): TranscriptItem[] {
  const items: TranscriptItem[] = [];
  for (let turn = 0; items.length < count; turn++) items.push(...turnOf(turn));
  return items.slice(0, count);
}

function turnOf(turn: number): TranscriptItem[] {
  const id = (part: string): string => `${part}-${turn}`;
  const said = (part: string, text: string): TranscriptItem => ({
    kind: 'text',
    id: id(part),
    at,
    text,
    streaming: false,
    aborted: false,
  });
  return [
    {
      kind: 'prompt',
      id: id('prompt'),
      at,
      text: `Question ${turn}: what does module ${turn} do, and who calls it?`,
      attachments: [],
      state: 'completed',
      synthetic: false,
    },
    said('look', `Let me look at module ${turn}.`),
    used(id('read'), 'Read', { file_path: `/project/src/module${turn}.ts` }, 'export const a = 1;\n'.repeat(20)),
    used(id('test'), 'Read', { file_path: `/project/test/module${turn}.ts` }, 'export const b = 2;\n'.repeat(20)),
    said('what', `Module ${turn} keeps **the list**.\n\n${'It is called from several places. '.repeat(turn % 9)}`),
    used(
      id('edit'),
      'Edit',
      {
        file_path: `/project/src/module${turn}.ts`,
        old_string: 'const a = 1',
        new_string: 'const a = 2;\nconst c = 3',
      },
      'The file was updated.',
    ),
    { kind: 'thinking', id: id('think'), at, text: 'It should be tested.', streaming: false, redacted: false },
    said('list', `- one\n- two\n- \`three\`\n\nDone with ${turn}.`),
    used(id('bash'), 'Bash', { command: `npm test -- module${turn}` }, 'ok 1\nok 2\n'),
    said('end', 'All tests pass.'),
  ];
}

function used(id: string, name: string, input: Readonly<Record<string, unknown>>, result: string): TranscriptItem {
  const resultContent = [{ type: 'text' as const, text: result }];
  return { kind: 'tool', id, at, toolUseId: id, name, input, state: 'done', resultContent };
}

/** An answer of so many bytes with everything an answer has: prose, lists, code, tables. */
export function answerOf(bytes: number): string {
  const parts: string[] = [];
  for (let size = 0, part = 0; size < bytes; part++) {
    const text = answerPart(part);
    parts.push(text);
    size += text.length;
  }
  return parts.join('').slice(0, bytes);
}

function answerPart(part: number): string {
  return [
    `## Part ${part}`,
    '',
    `The client in \`src/client${part}.ts:42\` has **no bound** for its tries. ${'It asks again and again. '.repeat(6)}`,
    '',
    '- a new option with a default of five',
    '- the error of the last try is thrown, with `cause`',
    '',
    '```ts',
    'export interface Options {',
    `  readonly maxTries${part}?: number;`,
    '}',
    'for (let index = 0; index < maxTries; index += 1) await once();',
    '```',
    '',
    '| file | lines |',
    '| ---- | ----- |',
    `| client.ts | ${part} |`,
    `| queue.ts | ${part * 2} |`,
    '',
    '',
  ].join('\n');
}
