import { describe, expect, it } from 'vitest';
import { agentChanges, changesSince, lastWritten, totalsOf } from '../../../../src/session/rewind/agentChanges.ts';
import type { PromptItem, ToolItem, TranscriptItem } from '../../../../src/session/transcriptModel.ts';

const prompt = (id: string, state: PromptItem['state'] = 'completed'): PromptItem => ({
  kind: 'prompt',
  id,
  at: 0,
  text: id,
  attachments: [],
  state,
  synthetic: false,
});

const ran = (id: string, name: string, structuredResult: unknown, more: Partial<ToolItem> = {}): ToolItem => ({
  kind: 'tool',
  id,
  toolUseId: id,
  at: 0,
  name,
  input: {},
  state: 'done',
  resultContent: [],
  structuredResult,
  ...more,
});

const edit = (id: string, filePath: string, originalFile: string, oldString: string, newString: string) =>
  ran(id, 'Edit', {
    filePath,
    originalFile,
    oldString,
    newString,
    replaceAll: false,
    structuredPatch: [
      { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${oldString}`, `+${newString}`] },
    ],
  });

const made = (id: string, filePath: string, content: string) =>
  ran(id, 'Write', { type: 'create', filePath, content, structuredPatch: [], originalFile: null });

const source = (items: readonly TranscriptItem[], children: Readonly<Record<string, TranscriptItem[]>> = {}) => ({
  items,
  childrenOf: (id: string) => children[id] ?? [],
});

describe('what the agent changed', () => {
  it('is told with the turn it happened in, and with both texts', () => {
    const changes = agentChanges(
      source([prompt('p1'), edit('t1', '/a', 'one\ntwo\n', 'one', '1'), prompt('p2'), made('t2', '/b', 'x\ny\n')]),
    );
    expect(changes).toEqual([
      { path: '/a', promptId: 'p1', before: 'one\ntwo\n', after: '1\ntwo\n', added: 1, removed: 1 },
      { path: '/b', promptId: 'p2', before: null, after: 'x\ny\n', added: 2, removed: 0 },
    ]);
  });

  it('belongs to the turn that a folded prompt joined', () => {
    const changes = agentChanges(source([prompt('p1'), prompt('p2', 'folded'), made('t1', '/a', 'x')]));
    expect(changes.map(change => change.promptId)).toEqual(['p1']);
  });

  it('counts also inside of subagents', () => {
    const agent = ran('agent', 'Agent', undefined);
    const changes = agentChanges(source([prompt('p1'), agent], { agent: [made('t1', '/deep', 'x')] }));
    expect(changes).toMatchObject([{ path: '/deep', promptId: 'p1' }]);
  });

  it('does not count what failed, was denied or is no change of a file', () => {
    const items = [
      ran('t1', 'Edit', 'Error: no such text', { state: 'failed' }),
      ran('t2', 'Write', undefined),
      ran('t3', 'Bash', { stdout: '', stderr: '' }),
    ];
    expect(agentChanges(source(items))).toEqual([]);
  });

  it('ends with what was written last, line ends and byte-order mark aside', () => {
    const changes = agentChanges(
      source([prompt('p1'), made('t1', '/a', '\uFEFFone\r\n'), edit('t2', '/a', 'one\n', 'one', 'two')]),
    );
    expect(changes[0]?.after).toBe('one\n');
    expect(lastWritten(changes)).toEqual(new Map([['/a', 'two\n']]));
  });

  it('since a prompt includes the turn of that prompt', () => {
    const changes = agentChanges(
      source([prompt('p1'), made('t1', '/a', 'x\n'), prompt('p2'), edit('t2', '/a', 'x\n', 'x', 'y'), prompt('p3')]),
    );
    const ids = ['p1', 'p2', 'p3'];
    expect(totalsOf(changesSince(changes, ids, 'p1'))).toEqual({ files: 1, added: 2, removed: 1 });
    expect(totalsOf(changesSince(changes, ids, 'p2'))).toEqual({ files: 1, added: 1, removed: 1 });
    expect(totalsOf(changesSince(changes, ids, 'p3'))).toEqual({ files: 0, added: 0, removed: 0 });
    expect(changesSince(changes, ids, 'unknown')).toEqual([]);
  });
});
