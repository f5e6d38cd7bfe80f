import { describe, expect, it } from 'vitest';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import { decodeFrame } from '../../../src/protocol/decodeFrame.ts';
import { TransportError } from '../../../src/protocol/transport.ts';
import type { CliHandlers, OpenRequest } from '../../../src/session/cliQuestions.ts';
import { ControlChannel } from '../../../src/session/controlChannel.ts';
import { SessionError } from '../../../src/session/errors.ts';
import { ask, cancel, failure, ManualClock, MemoryLog, settle, success } from './sessionKit.ts';

function channelWith(handlers: CliHandlers = {}, send?: (frame: HostFrame) => Promise<void>) {
  const written: HostFrame[] = [];
  const clock = new ManualClock();
  const log = new MemoryLog();
  let count = 0;
  const channel = new ControlChannel({
    handlers,
    clock,
    logger: log,
    newId: () => `h${++count}`,
    send: frame => {
      written.push(frame);
      return send?.(frame) ?? Promise.resolve();
    },
  });
  const say = (record: object): boolean => {
    const frame = decodeFrame(JSON.stringify(record), () => undefined);
    if (frame === undefined) throw new Error('not a frame');
    return channel.receive(frame);
  };
  return { channel, written, clock, log, say };
}

const code = (error: unknown): string => (error instanceof SessionError ? error.code : 'no session error');
const codeOf = (promise: Promise<unknown>): Promise<string> => promise.then(() => 'resolved', code);

describe('requests of the host', () => {
  it('resolves each request with the answer that bears its id, in any order', async () => {
    const { channel, say } = channelWith();
    const first = channel.request({ subtype: 'set_model', model: 'a' });
    const second = channel.request({ subtype: 'set_model', model: 'b' });
    say(success('h2', { model: 'B' }));
    say(success('h1', { model: 'A' }));
    expect([(await first).model, (await second).model]).toEqual(['A', 'B']);
  });

  it('ignores answers to ids it did not send, such as echoes of its own answers', async () => {
    const { channel, say } = channelWith({
      can_use_tool: open => void open.answer({ behavior: 'allow', updatedInput: {} }),
    });
    const pending = channel.request({ subtype: 'set_model', model: 'a' });
    say(ask('r1'));
    say(success('r1', { behavior: 'allow' }));
    say(success('nobody', { model: 'X' }));
    say(success('h1', { model: 'A' }));
    expect((await pending).model).toBe('A');
  });

  it('rejects an error answer with its text and its code', async () => {
    const { channel, say } = channelWith();
    const pending = channel.request({ subtype: 'set_permission_mode', mode: 'x' });
    say(failure('h1', 'No such mode', 'invalid_mode'));
    await expect(pending).rejects.toMatchObject({ code: 'refused', message: 'No such mode', wireCode: 'invalid_mode' });
  });

  it('takes any other subtype than error for a success', async () => {
    const { channel, say } = channelWith();
    const pending = channel.request({ subtype: 'set_model', model: 'a' });
    say({ type: 'control_response', response: { subtype: 'fine', request_id: 'h1', response: { model: 'A' } } });
    expect((await pending).model).toBe('A');
  });

  it('resolves a success without a response to an empty object', async () => {
    const { channel, say } = channelWith();
    const pending = channel.request({ subtype: 'rename_session', title: 't' });
    say(success('h1'));
    expect(await pending).toEqual({});
  });

  it.each([
    ['with a code', 'no', 'unsupported_request'],
    ['by an older CLI, in words', 'Unsupported control request subtype: set_color', undefined],
  ])('tells an unsupported request apart, %s', async (_how, text, wireCode) => {
    const { channel, say } = channelWith();
    const pending = channel.request({ subtype: 'set_color', color: 'red' });
    say(failure('h1', text, wireCode));
    expect(await codeOf(pending)).toBe('unsupported');
  });

  it('frees the slot of a request that timed out, withdraws it, and ignores the late answer', async () => {
    const { channel, clock, say, written } = channelWith();
    const late = channel.request({ subtype: 'mcp_status' }, { timeoutMs: 100 });
    clock.advance(99);
    await settle();
    clock.advance(1);
    expect(await codeOf(late)).toBe('timedOut');
    expect(written.at(-1)).toEqual({ type: 'control_cancel_request', request_id: 'h1' });
    expect(say(success('h1', { mcpServers: [] }))).toBe(true);
    expect(clock.waiting).toBe(0);
  });

  it('waits as long as the line lives when the limit is 0', () => {
    const { channel, clock } = channelWith();
    void channel.request({ subtype: 'end_session' }, { timeoutMs: 0 });
    expect(clock.waiting).toBe(0);
  });

  it('stops the timer of an answered request', async () => {
    const { channel, clock, say } = channelWith();
    const pending = channel.request({ subtype: 'end_session' });
    expect(clock.waiting).toBe(1);
    say(success('h1'));
    await pending;
    expect(clock.waiting).toBe(0);
  });

  it('withdraws a request when its caller gives up', async () => {
    const { channel, written } = channelWith();
    const controller = new AbortController();
    const pending = channel.request({ subtype: 'file_suggestions', query: 'a' }, { signal: controller.signal });
    controller.abort();
    expect(await codeOf(pending)).toBe('cancelled');
    expect(written.map(frame => frame.type)).toEqual(['control_request', 'control_cancel_request']);
    expect(await codeOf(channel.request({ subtype: 'end_session' }, { signal: controller.signal }))).toBe('cancelled');
    expect(written).toHaveLength(2);
  });

  it('rejects once with sendFailed when the frame cannot be written', async () => {
    const { channel } = channelWith({}, () => Promise.reject(new TransportError('writeFailed', 'EPIPE')));
    const pending = channel.request({ subtype: 'end_session' });
    await expect(pending).rejects.toMatchObject({ code: 'sendFailed' });
    channel.close(new SessionError('closed', 'over'));
    expect(await codeOf(pending)).toBe('sendFailed');
  });

  it('rejects everything pending on close, and everything asked after it', async () => {
    const { channel, clock } = channelWith();
    const pending = [channel.request({ subtype: 'end_session' }), channel.request({ subtype: 'mcp_status' })];
    channel.close(new SessionError('closed', 'over'));
    expect(await Promise.all(pending.map(codeOf))).toEqual(['closed', 'closed']);
    expect(await codeOf(channel.request({ subtype: 'end_session' }))).toBe('closed');
    expect(clock.waiting).toBe(0);
  });
});

describe('questions of the CLI', () => {
  const keep = () => {
    const kept: OpenRequest<'can_use_tool'>[] = [];
    return { kept, handlers: { can_use_tool: (open: OpenRequest<'can_use_tool'>) => void kept.push(open) } };
  };
  const allow = { behavior: 'allow' as const, updatedInput: {} };

  it('are served while a request of ours is still open', async () => {
    const { kept, handlers } = keep();
    const { channel, say, written } = channelWith(handlers);
    const initialized = codeOf(channel.request({ subtype: 'initialize' }));
    say(ask('r1'));
    expect(kept[0]?.answer(allow)).toBe(true);
    expect(written.at(-1)).toMatchObject({ type: 'control_response', response: { request_id: 'r1' } });
    say(success('h1', { commands: [] }));
    expect(await initialized).toBe('resolved');
  });

  it('are answered once: the second answer is refused and nothing is written', () => {
    const { kept, handlers } = keep();
    const { say, written } = channelWith(handlers);
    say(ask('r1'));
    expect(kept[0]?.answer(allow)).toBe(true);
    expect(kept[0]?.answer(allow)).toBe(false);
    expect(kept[0]?.fail(new Error('late'))).toBe(false);
    expect(written).toHaveLength(1);
  });

  it('are answered in any order', () => {
    const { kept, handlers } = keep();
    const { say, written } = channelWith(handlers);
    for (const id of ['r1', 'r2', 'r3']) say(ask(id));
    for (const index of [2, 0, 1]) kept[index]?.answer(allow);
    expect(written.map(frame => frame.type === 'control_response' && frame.response.request_id)).toEqual([
      'r3',
      'r1',
      'r2',
    ]);
  });

  it('are aborted by a cancel, after which no answer is written', () => {
    const { kept, handlers } = keep();
    const { say, written } = channelWith(handlers);
    say(ask('r1'));
    say(cancel('r1'));
    expect(kept[0]?.signal.aborted).toBe(true);
    expect(code(kept[0]?.signal.reason)).toBe('cancelled');
    expect(kept[0]?.answer(allow)).toBe(false);
    expect(written).toEqual([]);
  });

  it('are not touched by a cancel for an id nobody knows', () => {
    const { kept, handlers } = keep();
    const { say } = channelWith(handlers);
    say(ask('r1'));
    expect(say(cancel('other'))).toBe(true);
    expect(kept[0]?.signal.aborted).toBe(false);
  });

  it('are aborted by the end of the line, after which no answer is written', () => {
    const { kept, handlers } = keep();
    const { channel, say, written } = channelWith(handlers);
    say(ask('r1'));
    channel.close(new SessionError('closed', 'over'));
    expect(code(kept[0]?.signal.reason)).toBe('closed');
    expect(kept[0]?.answer(allow)).toBe(false);
    expect(written).toEqual([]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the card broke');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the card broke'))],
  ])('get an error frame, neither allow nor deny, when the handler %s', async (_how, handler) => {
    const { say, written } = channelWith({ can_use_tool: handler });
    say(ask('r1'));
    await settle();
    expect(written).toEqual([
      { type: 'control_response', response: { subtype: 'error', request_id: 'r1', error: 'the card broke' } },
    ]);
  });

  it('get no error frame from a handler that fails after it was aborted', async () => {
    const handler = (open: OpenRequest<'can_use_tool'>) =>
      new Promise<void>((_resolve, reject) =>
        open.signal.addEventListener('abort', () => reject(new Error('aborted'))),
      );
    const { say, written } = channelWith({ can_use_tool: handler });
    say(ask('r1'));
    say(cancel('r1'));
    await settle();
    expect(written).toEqual([]);
  });

  it('of an unknown kind are answered with an error that names it', () => {
    const { say, written } = channelWith();
    say({ type: 'control_request', request_id: 'r1', request: { subtype: 'brew_coffee' } });
    expect(written).toEqual([
      {
        type: 'control_response',
        response: { subtype: 'error', request_id: 'r1', error: 'Unsupported control request subtype: brew_coffee' },
      },
    ]);
  });

  it('of a known kind without a handler are answered with an error, a dialog is left alone', () => {
    const { say, written } = channelWith();
    say(ask('r1'));
    say({
      type: 'control_request',
      request_id: 'r2',
      request: { subtype: 'request_user_dialog', dialog_kind: 'x', payload: {} },
    });
    expect(written).toHaveLength(1);
    expect(written[0]).toMatchObject({ response: { subtype: 'error', request_id: 'r1' } });
  });

  it('that repeat a live one in a list of pending questions are served once', async () => {
    const { kept, handlers } = keep();
    const { channel, say, written } = channelWith(handlers);
    say(ask('r1'));
    say(ask('r2'));
    kept[1]?.answer(allow);
    const pending = channel.request({ subtype: 'initialize' });
    say(success('h1', { commands: [] }, { pending_permission_requests: [ask('r1'), ask('r2'), ask('r3')] }));
    await pending;
    expect(kept.map(open => open.requestId)).toEqual(['r1', 'r2', 'r3']);
    expect(written.filter(frame => frame.type === 'control_response')).toHaveLength(1);
  });

  it('are found in the list of pending questions of an error answer too', async () => {
    const { kept, handlers } = keep();
    const { channel, say } = channelWith(handlers);
    const pending = channel.request({ subtype: 'initialize' });
    say({
      type: 'control_response',
      response: { subtype: 'error', request_id: 'h1', error: 'again?', pending_permission_requests: [ask('r1')] },
    });
    expect(await codeOf(pending)).toBe('refused');
    expect(kept.map(open => open.requestId)).toEqual(['r1']);
  });

  it('stay open when the answer has a form the CLI would misread', () => {
    const { kept, handlers } = keep();
    const { say, written } = channelWith(handlers);
    say(ask('r1'));
    expect(() => kept[0]?.answer({ behavior: 'deny', message: '' })).toThrow();
    expect(written).toEqual([]);
    expect(kept[0]?.answer(allow)).toBe(true);
  });

  it('get an error frame when the answer itself cannot be written', async () => {
    const { kept, handlers } = keep();
    const refuse = (frame: HostFrame) =>
      frame.type === 'control_response' && frame.response.subtype === 'success'
        ? Promise.reject(new TransportError('invalidFrame', 'not JSON'))
        : Promise.resolve();
    const { say, written } = channelWith(handlers, refuse);
    say(ask('r1'));
    kept[0]?.answer(allow);
    await settle();
    expect(written.at(-1)).toMatchObject({ response: { subtype: 'error', request_id: 'r1' } });
  });
});

it('leaves every other frame to others', () => {
  const { say } = channelWith();
  expect(say({ type: 'keep_alive' })).toBe(false);
  expect(say({ type: 'system', subtype: 'status', status: null })).toBe(false);
});
