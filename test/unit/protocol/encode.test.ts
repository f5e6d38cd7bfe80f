import { describe, expect, it } from 'vitest';
import { answerFrame } from '../../../src/protocol/cliAnswers.ts';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import { encodeHostFrame } from '../../../src/protocol/hostFrame.ts';
import { ProtocolError } from '../../../src/protocol/protocolError.ts';
import { parse } from './decoding.ts';

const UUID = '3b1f0b6e-6c6f-4f43-9d0c-0a4b8a1c2d3e';
const prompt = {
  type: 'user',
  message: { role: 'user', content: [{ type: 'text', text: 'hi' }] },
  parent_tool_use_id: null,
  session_id: '',
  uuid: UUID,
} satisfies HostFrame;

/** Hands over a frame the types forbid: what a bug, or a value from a settings file, would do. */
function encodeAnything(frame: unknown): string {
  const smuggle: (value: unknown) => asserts value is HostFrame = () => undefined;
  smuggle(frame);
  return encodeHostFrame(frame);
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof ProtocolError) return error.code;
    throw error;
  }
  return 'accepted';
}

describe('what is written to the CLI', () => {
  it.each<[string, HostFrame]>([
    ['a prompt of blocks', prompt],
    [
      'a prompt of text',
      { ...prompt, message: { role: 'user', content: 'hi' }, priority: 'later', shouldQuery: false },
    ],
    [
      'a picture',
      {
        ...prompt,
        message: {
          role: 'user',
          content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }],
        },
      },
    ],
    ['a request', { type: 'control_request', request_id: 'h', request: { subtype: 'set_model', model: null } }],
    ['a bare request', { type: 'control_request', request_id: 'h', request: { subtype: 'end_session' } }],
    [
      'initialize',
      {
        type: 'control_request',
        request_id: 'h',
        request: { subtype: 'initialize', hooks: { Stop: [{ hookCallbackIds: ['a'], onFailure: 'block' }] } },
      },
    ],
    ['an answer', { type: 'control_response', response: { subtype: 'success', request_id: 'c', response: {} } }],
    ['an error', { type: 'control_response', response: { subtype: 'error', request_id: 'c', error: 'no' } }],
    ['a withdrawal', { type: 'control_cancel_request', request_id: 'h' }],
    ['a sign of life', { type: 'keep_alive' }],
  ])('writes %s as one line that reads back the same', (_name, frame) => {
    const line = encodeHostFrame(frame);
    expect(line).not.toMatch(/[\n\r\0\u2028\u2029]/);
    expect(parse(line)).toEqual(frame);
  });

  it('escapes whatever could end a line or upset a reader', () => {
    const nasty = 'a\nb\r\u0000\u2028\u2029\u0085\ud800😀"\\';
    const line = encodeHostFrame({ ...prompt, message: { role: 'user', content: nasty } });
    expect(line).not.toMatch(/[\n\r\0\u2028\u2029]|\p{Cs}/u);
    expect(parse(line)['message']).toEqual({ role: 'user', content: nasty });
  });

  it.each([
    ['null', null],
    ['a list', []],
    ['an unknown type', { type: 'hello' }],
    ['a type of the prototype', { type: 'constructor' }],
    ['a prompt without a message', { ...prompt, message: undefined }],
    ['a prompt in another role', { ...prompt, message: { role: 'assistant', content: 'x' } }],
    ['a prompt with content of no form', { ...prompt, message: { role: 'user', content: 7 } }],
    ['a prompt with a block of no kind', { ...prompt, message: { role: 'user', content: [{ type: 'wat' }] } }],
    ['a prompt whose id is no UUID', { ...prompt, uuid: 'not-a-uuid' }],
    ['a prompt with a priority of no kind', { ...prompt, priority: 'soon' }],
    ['a picture without data', { ...prompt, message: { role: 'user', content: [{ type: 'image', source: {} }] } }],
    ['a request without a body', { type: 'control_request', request_id: 'h' }],
    ['a request without an id', { type: 'control_request', request: { subtype: 'interrupt' } }],
    ['a request with an empty id', { type: 'control_request', request_id: '', request: { subtype: 'interrupt' } }],
    ['a request of no kind', { type: 'control_request', request_id: 'h', request: { subtype: 'fly' } }],
    ['a request lacking a field', { type: 'control_request', request_id: 'h', request: { subtype: 'stop_task' } }],
    [
      'a request with a wrong field',
      {
        type: 'control_request',
        request_id: 'h',
        request: { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 'x' },
      },
    ],
    ['an answer to nobody', { type: 'control_response', response: { subtype: 'success' } }],
    ['an answer of no kind', { type: 'control_response', response: { subtype: 'maybe', request_id: 'c' } }],
    ['an error without a text', { type: 'control_response', response: { subtype: 'error', request_id: 'c' } }],
    ['a withdrawal of nothing', { type: 'control_cancel_request' }],
  ])('refuses %s', (_name, frame) => {
    expect(codeOf(() => encodeAnything(frame))).toBe('invalidFrame');
  });

  it('refuses what cannot be JSON', () => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    for (const response of [circle, { big: 1n }]) {
      const frame = { type: 'control_response', response: { subtype: 'success', request_id: 'c', response } };
      expect(codeOf(() => encodeAnything(frame))).toBe('notSerialisable');
    }
  });
});

describe('answers to the questions of the CLI', () => {
  it('carries a permission with the input, the tool and the chosen rules', () => {
    const answer = {
      behavior: 'allow' as const,
      updatedInput: { command: 'npm test' },
      toolUseID: 't',
      decisionClassification: 'user_permanent' as const,
      updatedPermissions: [{ type: 'setMode' as const, mode: 'acceptEdits', destination: 'session' }],
    };
    expect(answerFrame('can_use_tool', 'c', answer)).toEqual({
      type: 'control_response',
      response: { subtype: 'success', request_id: 'c', response: answer },
    });
  });

  it('returns a suggestion as it came, even with a destination that is new to us', () => {
    const updatedPermissions = [{ type: 'addDirectories' as const, directories: ['/x'], destination: 'orbit' }];
    const answer = { behavior: 'allow' as const, updatedInput: {}, updatedPermissions };
    expect(codeOf(() => answerFrame('can_use_tool', 'c', answer))).toBe('accepted');
  });

  it.each([
    ['a denial without a word', { behavior: 'deny' as const, message: '' }],
    [
      'more rules than the CLI takes',
      {
        behavior: 'allow' as const,
        updatedInput: {},
        updatedPermissions: Array.from({ length: 4097 }, () => ({
          type: 'setMode' as const,
          mode: 'plan',
          destination: 'session',
        })),
      },
    ],
  ])('refuses %s', (_name, answer) => {
    expect(codeOf(() => answerFrame('can_use_tool', 'c', answer))).toBe('invalidFrame');
  });

  it('writes hook output in the spelling the CLI acts on', () => {
    const frame = answerFrame('hook_callback', 'c', { ...{ continue_: false }, reason: 'r' });
    expect(frame.response).toMatchObject({ response: { continue: false, reason: 'r' } });
    expect(JSON.stringify(frame)).not.toContain('continue_');
  });

  it('answers MCP, elicitation and dialogs', () => {
    expect(codeOf(() => answerFrame('mcp_message', 'c', { mcp_response: { jsonrpc: '2.0' } }))).toBe('accepted');
    expect(codeOf(() => answerFrame('elicitation', 'c', { action: 'decline' }))).toBe('accepted');
    expect(codeOf(() => answerFrame('request_user_dialog', 'c', { behavior: 'cancelled' }))).toBe('accepted');
  });
});
