import { describe, expect, it } from 'vitest';
import { findInConversation } from '../../../../src/host/chat/findText.ts';
import { writeContext } from '../../../../src/host/context/contextText.ts';
import type { ElicitationRequest } from '../../../../src/protocol/cliRequests.ts';
import type { TextItem, ToolItem, TranscriptItem } from '../../../../src/session/transcriptModel.ts';
import { fill } from './fill.ts';

const said = (id: string, text: string): TextItem => ({
  kind: 'text',
  id,
  at: 0,
  text,
  streaming: false,
  aborted: false,
});

function ran(id: string, command: string, output: string): ToolItem {
  const resultContent = [{ type: 'text' as const, text: output }];
  return { kind: 'tool', id, toolUseId: id, at: 0, name: 'Bash', input: { command }, state: 'done', resultContent };
}

function find(query: string, items: readonly TranscriptItem[], children: readonly TranscriptItem[] = []) {
  return findInConversation({ items, childrenOf: id => (id === 'agent' ? children : []) }, query, fill);
}

describe('finding in a conversation', () => {
  it('looks into what was said, what tools were given and what they told, and what subagents did', () => {
    const items = [said('a', 'A needle, a Needle'), ran('b', 'grep needle', 'needle\nneedle'), ran('agent', 'x', 'y')];
    expect(find('needle', items, [said('c', 'needle')])).toEqual({
      matches: [
        { index: 0, count: 2 },
        { index: 1, count: 3 },
        { index: 2, count: 1 },
      ],
      total: 3,
      more: false,
    });
  });

  it('reads markdown as people read it', () => {
    const items = [said('a', 'The **bold** `src/a.ts` and [the docs](https://example.com) of snake_case_names')];
    for (const query of ['the bold src/a.ts', 'and the docs of', 'snake_case_names']) {
      expect(find(query, items).matches, query).toEqual([{ index: 0, count: 1 }]);
    }
    expect(find('example.com', items).matches).toEqual([]);
  });

  it('counts nothing that is not shown: context that went along, what waits, and how a notice is made', () => {
    const prompt = { kind: 'prompt', id: 'p', at: 0, attachments: [], synthetic: false } as const;
    const text = ['Look here', writeContext({ what: 'selection', name: 'a.ts', text: 'const needle = 1' })].join(
      '\n\n',
    );
    const items: TranscriptItem[] = [
      { ...prompt, text, state: 'completed' },
      { ...prompt, id: 'q', text: 'needle', state: 'queued' },
      { kind: 'notice', id: 'n', at: 0, notice: { type: 'modelChanged', model: 'opus' } },
    ];
    for (const hidden of ['needle', 'modelChanged']) expect(find(hidden, items).matches, hidden).toEqual([]);
    expect(find('look here', items).matches).toEqual([{ index: 0, count: 1 }]);
    expect(find('model: opus', items).matches).toEqual([{ index: 2, count: 1 }]);
  });

  it('looks into what a server asks', () => {
    const elicitation: ElicitationRequest = {
      subtype: 'elicitation',
      mcp_server_name: 'weather',
      message: 'Which town?',
      requested_schema: { properties: { town: { type: 'string', title: 'Nearest town' } } },
    };
    const items = [{ ...ran('e', '', ''), input: {}, elicitation }];
    expect(find('town', items).matches).toEqual([{ index: 0, count: 2 }]);
  });

  it('takes a query as it is typed', () => {
    expect(find('a.b(c)', [said('a', 'a.b(c) axb(c)')]).matches).toEqual([{ index: 0, count: 1 }]);
    expect(find('   ', [said('a', 'a b')]).matches).toEqual([]);
    expect(find('[', [said('a', 'x[0]')]).matches).toEqual([{ index: 0, count: 1 }]);
  });

  it('stops counting at some point and says so', () => {
    const items = Array.from({ length: 3_000 }, (_, at) => said(`t${at}`, 'x'));
    const found = find('x', items);
    expect(found.more).toBe(true);
    expect(found.matches.length).toBeLessThanOrEqual(2_000);
  });

  it('looks through ten thousand messages within a moment', () => {
    const items = Array.from({ length: 10_000 }, (_, at) =>
      said(`t${at}`, `${'some words of an answer '.repeat(40)}${at}`),
    );
    const before = performance.now();
    expect(find('answer 9999', items).matches).toEqual([{ index: 9_999, count: 1 }]);
    expect(performance.now() - before).toBeLessThan(2_000);
  });
});
