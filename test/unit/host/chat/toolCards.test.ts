import { describe, expect, it } from 'vitest';
import { toolCard } from '../../../../src/host/chat/toolCards.ts';
import type { ToolItem } from '../../../../src/session/transcriptModel.ts';

const context = { cwd: '/project', task: () => undefined, step: () => undefined };

function use(name: string, input: Record<string, unknown>, rest: Partial<ToolItem> = {}): ToolItem {
  return { kind: 'tool', id: 't', toolUseId: 't', at: 1, name, input, state: 'done', resultContent: [], ...rest };
}

describe('tool cards', () => {
  it('shows a new file as added lines with numbers from one', () => {
    const card = toolCard(use('Write', { file_path: '/project/src/a.ts', content: 'one\ntwo\n' }), context);
    expect(card).toMatchObject({
      type: 'edit',
      created: true,
      added: 2,
      removed: 0,
      file: { label: 'src/a.ts', path: '/project/src/a.ts' },
      hunks: [
        {
          line: 1,
          lines: [
            { type: 'added', newLine: 1, text: 'one' },
            { type: 'added', newLine: 2, text: 'two' },
          ],
        },
      ],
    });
  });

  it('takes the lines of an edit from the result once it is there, and from the input before', () => {
    const input = { file_path: '/project/a.ts', old_string: 'let a', new_string: 'const a' };
    expect(toolCard(use('Edit', input), context)).toMatchObject({ added: 1, removed: 1, hunks: [{ line: 1 }] });
    const structuredResult = {
      filePath: '/project/a.ts',
      structuredPatch: [{ oldStart: 40, oldLines: 2, newStart: 40, newLines: 2, lines: [' x', '-let a', '+const a'] }],
    };
    const card = toolCard(use('Edit', input, { structuredResult }), context);
    expect(card).toMatchObject({
      file: { line: 40 },
      hunks: [{ line: 40, lines: [{ oldLine: 40 }, { oldLine: 41 }, { newLine: 41 }] }],
    });
  });

  it('cuts a very long diff and says how many lines are missing', () => {
    const content = 'x\n'.repeat(1_000);
    expect(toolCard(use('Write', { file_path: '/project/a', content }), context)).toMatchObject({
      added: 1_000,
      omittedLines: 600,
    });
  });

  it('reads the exit code of a failed command and keeps its output', () => {
    const card = toolCard(
      use('Bash', { command: 'npm test' }, { structuredResult: 'Error: Exit code 2\nboom' }),
      context,
    );
    expect(card).toMatchObject({
      type: 'shell',
      command: 'npm test',
      exitCode: 2,
      output: { text: 'boom', omitted: 0 },
    });
  });

  it('does not invent an exit code while a command runs', () => {
    const card = toolCard(use('Bash', { command: 'npm test' }, { state: 'running' }), context);
    expect(card).not.toHaveProperty('exitCode');
  });

  it('cuts long output without splitting a character', () => {
    const stdout = `${'x'.repeat(15_999)}😀tail`;
    const card = toolCard(use('Bash', { command: 'x' }, { structuredResult: { stdout, stderr: '' } }), context);
    expect(card).toMatchObject({ output: { text: 'x'.repeat(15_999), omitted: 6 } });
  });

  it('links a read to its lines and leaves a path outside the folder as it is', () => {
    expect(toolCard(use('Read', { file_path: '/etc/hosts', offset: 5, limit: 10 }), context)).toMatchObject({
      type: 'read',
      file: { label: '/etc/hosts', line: 5, endLine: 14 },
    });
  });

  it('names server and tool of an MCP call', () => {
    expect(toolCard(use('mcp__git__log', { n: 1 }), context)).toMatchObject({
      type: 'mcp',
      server: 'git',
      tool: 'log',
    });
  });

  it('shows a tool it does not know, or an input it does not expect, as readable JSON', () => {
    expect(toolCard(use('Frobnicate', { deep: { a: 1 } }), context)).toMatchObject({
      type: 'other',
      input: { text: '{\n  "deep": {\n    "a": 1\n  }\n}' },
    });
    expect(toolCard(use('Edit', { file_path: 7 }), context)).toMatchObject({ type: 'other' });
  });

  it('shows images of a result only in kinds that cannot carry script', () => {
    const block = (media_type: string) =>
      ({ type: 'image', source: { type: 'base64', media_type, data: 'AA==' } }) as const;
    const resultContent = [block('image/svg+xml'), block('image/png')];
    const card = toolCard(use('mcp__a__b', {}, { resultContent }), context);
    expect(card).toMatchObject({ images: ['data:image/png;base64,AA=='] });
  });

  it('lists questions with their answers', () => {
    const questions = [{ question: 'Which?', header: 'Pick', options: [{ label: 'A' }], multiSelect: true }];
    const structuredResult = { questions, answers: { 'Which?': ['A', 'B'] } };
    expect(toolCard(use('AskUserQuestion', { questions }, { structuredResult }), context)).toMatchObject({
      type: 'question',
      questions: [{ question: 'Which?', multiSelect: true, options: [{ label: 'A', description: '' }] }],
      answers: { 'Which?': 'A, B' },
    });
  });
});
