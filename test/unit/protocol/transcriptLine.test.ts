import { describe, expect, it } from 'vitest';
import type { TranscriptLine } from '../../../src/protocol/transcriptLine.ts';
import { decodeTranscriptLine, isTranscriptNode } from '../../../src/protocol/transcriptLine.ts';
import type { WireProblem } from '../../../src/protocol/transport.ts';
import { fixture } from './decoding.ts';

function read(line: string): { line: TranscriptLine | undefined; problems: WireProblem[] } {
  const problems: WireProblem[] = [];
  return { line: decodeTranscriptLine(line, problem => problems.push(problem)), problems };
}

const lines = fixture('transcript.ndjson');

describe('lines of a session file', () => {
  it.each(lines.map(raw => [String(raw['type']), raw] as const))('reads a %s line', (type, raw) => {
    const { line, problems } = read(JSON.stringify(raw));
    expect(problems).toEqual([]);
    const skipped = ['queue-operation', 'cost-state'].includes(type);
    expect(line?.type).toBe(skipped ? 'other' : type);
    expect(line !== undefined && isTranscriptNode(line)).toBe('uuid' in raw);
  });

  it('gives content the shape it has on the wire, and keeps the rest', () => {
    const [first, reply] = ['n1', 'n4'].map(uuid => read(JSON.stringify(lines.find(raw => raw['uuid'] === uuid))).line);
    expect(first).toMatchObject({
      parentUuid: null,
      message: { content: [{ type: 'text', text: 'count the files' }] },
    });
    expect(reply).toMatchObject({
      toolUseResult: { stdout: 'a.txt' },
      message: {
        content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: [{ type: 'text', text: 'a.txt' }] }],
      },
    });
  });

  it('keeps lines of kinds it does not know', () => {
    const raw = { type: 'api-request-blob', body: {} };
    expect(read(JSON.stringify(raw))).toEqual({ line: { type: 'other', rawType: raw.type, raw }, problems: [] });
  });

  it('keeps a message line without an id out of the tree', () => {
    expect(read('{"type":"user","message":{"role":"user","content":"x"}}').line?.type).toBe('other');
  });

  it('reports a corrupt line', () => {
    expect(read('{"type":"user","mess')).toMatchObject({ line: undefined, problems: [{ code: 'invalidJson' }] });
  });
});
