import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readToolInput } from '../../../src/protocol/toolInputs.ts';
import { plainFailure, readToolResult } from '../../../src/protocol/toolResults.ts';
import type { Fields } from './decoding.ts';
import { parse } from './decoding.ts';

const samples = parse(readFileSync(new URL('../../fixtures/protocol/tools.json', import.meta.url), 'utf8'));

function table(name: 'inputs' | 'results'): [string, Fields][] {
  const values = parse(JSON.stringify(samples[name]));
  return Object.entries(values).map(([tool, value]) => [tool, parse(JSON.stringify(value))]);
}

describe('tool inputs', () => {
  it.each(table('inputs'))('reads the input of %s, unknown fields included', (tool, input) => {
    const value = { ...input, brand_new: 1 };
    expect(readToolInput(tool, value)).toEqual({ tool, input: value });
  });

  it.each([
    ['Task', 'Agent', { description: 'd', prompt: 'p' }],
    ['KillShell', 'TaskStop', { shell_id: 's' }],
    ['KillBash', 'TaskStop', { shell_id: 's' }],
  ])('reads %s as what it is called today, %s', (name, tool, input) => {
    expect(readToolInput(name, input)).toEqual({ tool, input });
  });

  it('splits the name of an MCP tool', () => {
    expect(readToolInput('mcp__my_server__do__it', { a: 1 })).toEqual({
      tool: 'mcp',
      server: 'my_server',
      name: 'do__it',
      input: { a: 1 },
    });
  });

  it.each([
    ['a tool nobody knows', 'Hologram', { a: 1 }],
    ['a name from the prototype', 'constructor', {}],
    ['an input that lacks what matters', 'Read', { wrong: 1 }],
    ['an input with a wrong entry in a list', 'MultiEdit', { file_path: '/a', edits: [{ old_string: 'a' }] }],
    ['an input that is no object', 'Bash', 'ls'],
    ['no input', 'Write', undefined],
  ])('keeps %s raw', (_name, tool, input) => {
    expect(readToolInput(tool, input)).toEqual({ tool: 'other', name: tool, input });
  });

  it('forgives a wrong optional field', () => {
    expect(readToolInput('Bash', { command: 'ls', timeout: 'soon' })).toEqual({
      tool: 'Bash',
      input: { command: 'ls' },
    });
  });
});

describe('tool results', () => {
  it.each(table('results'))('reads the result of %s, unknown fields included', (tool, result) => {
    const value = { ...result, brand_new: 1 };
    expect(readToolResult(tool, value)).toEqual({ tool, result: value });
  });

  it('covers the same tools as the inputs', () => {
    const names = (rows: [string, Fields][]) => rows.map(([tool]) => tool);
    expect(names(table('results'))).toEqual(names(table('inputs')));
  });

  it.each([
    ['async_launched', { status: 'async_launched', agentId: 'a', outputFile: '/o' }],
    ['remote_launched', { status: 'remote_launched', taskId: 't', sessionUrl: 'u' }],
  ])('reads an agent that was %s', (_name, result) => {
    expect(readToolResult('Task', result)).toEqual({ tool: 'Agent', result });
  });

  it('reads a fetch that is still running', () => {
    const result = { detachedToolCall: true };
    expect(readToolResult('WebFetch', result)).toEqual({ tool: 'WebFetch', result });
  });

  it('takes a string for a failure and strips its wrapping', () => {
    expect(readToolResult('Bash', 'Error: Exit code 1\nboom')).toEqual({
      tool: 'failed',
      name: 'Bash',
      message: 'Exit code 1\nboom',
    });
    expect(plainFailure('Error: <tool_use_error>No such tool</tool_use_error>')).toBe('No such tool');
    expect(plainFailure('plain')).toBe('plain');
  });

  it('reads the result of an MCP tool as text, as blocks, and as content with structure', () => {
    const content = [{ type: 'text', text: '3' }];
    const base = { tool: 'mcp', server: 's', name: 't' };
    expect(readToolResult('mcp__s__t', '3')).toEqual({ ...base, content });
    expect(readToolResult('mcp__s__t', content)).toEqual({ ...base, content });
    expect(readToolResult('mcp__s__t', { content: '3', structuredContent: { n: 3 } })).toEqual({
      ...base,
      content,
      structuredContent: { n: 3 },
    });
    expect(readToolResult('mcp__s__t', 'Error: boom')).toMatchObject({ tool: 'failed', message: 'boom' });
  });

  it('keeps what it does not understand', () => {
    expect(readToolResult('Bash', { stdout: 5 })).toEqual({ tool: 'other', name: 'Bash', result: { stdout: 5 } });
    expect(readToolResult('Hologram', [1])).toEqual({ tool: 'other', name: 'Hologram', result: [1] });
  });
});
