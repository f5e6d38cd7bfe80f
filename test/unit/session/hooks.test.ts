import { describe, expect, it } from 'vitest';
import { HookRegistry } from '../../../src/session/hooks.ts';
import { answersOf, cancel, readySession, requestOf, settle } from './sessionKit.ts';

const call = (request_id: string, callback_id: string, hook_event_name = 'PostToolUse') => ({
  type: 'control_request',
  request_id,
  request: {
    subtype: 'hook_callback',
    callback_id,
    input: { hook_event_name, tool_name: 'Edit' },
    tool_use_id: 'tool-1',
  },
});

describe('hooks', () => {
  it('are announced with initialize, by event, with matcher and time-out in seconds', async () => {
    const hooks = new HookRegistry();
    hooks.register({ event: 'PostToolUse', matcher: 'Edit|Write', timeoutMs: 1_500, callback: () => ({}) });
    hooks.register({ event: 'PreToolUse', onFailure: 'block', callback: () => ({}) });
    const { peer } = await readySession({ hooks });
    expect(requestOf(peer, 'initialize').request).toMatchObject({
      hooks: {
        PostToolUse: [{ matcher: 'Edit|Write', hookCallbackIds: ['hook-1'], timeout: 2 }],
        PreToolUse: [{ hookCallbackIds: ['hook-2'], onFailure: 'block' }],
      },
    });
  });

  it('that nobody registered are not announced', async () => {
    const { peer } = await readySession();
    expect(requestOf(peer, 'initialize').request).not.toHaveProperty('hooks');
  });

  it('answer what their callback returns', async () => {
    const hooks = new HookRegistry();
    const output = {
      hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'the person changed a word' },
    };
    hooks.register({
      event: 'PostToolUse',
      callback: async (input, context) => {
        await Promise.resolve();
        return input.tool_name === 'Edit' && context.toolUseId === 'tool-1' ? output : {};
      },
    });
    const { peer } = await readySession({ hooks });
    peer.say(call('r1', 'hook-1'));
    await settle();
    expect(answersOf(peer, 'r1')).toEqual([{ subtype: 'success', request_id: 'r1', response: output }]);
  });

  it('that fail, are unknown, or answer for another event are an error to the CLI', async () => {
    const hooks = new HookRegistry();
    hooks.register({
      event: 'PreToolUse',
      callback: () => {
        throw new Error('broken hook');
      },
    });
    hooks.register({ event: 'Stop', callback: () => ({ hookSpecificOutput: { hookEventName: 'PreToolUse' } }) });
    const { peer } = await readySession({ hooks });
    peer.say(call('r1', 'hook-1', 'PreToolUse'));
    peer.say(call('r2', 'hook-99'));
    peer.say(call('r3', 'hook-2', 'Stop'));
    await settle();
    expect(answersOf(peer).map(answer => [answer.request_id, answer.subtype])).toEqual([
      ['r1', 'error'],
      ['r2', 'error'],
      ['r3', 'error'],
    ]);
  });

  it('that were taken back let things go on', async () => {
    const hooks = new HookRegistry();
    const registration = hooks.register({ event: 'Stop', callback: () => ({ decision: 'block' }) });
    const { peer } = await readySession({ hooks });
    registration.dispose();
    peer.say(call('r1', 'hook-1', 'Stop'));
    await settle();
    expect(answersOf(peer, 'r1')).toMatchObject([{ subtype: 'success', response: {} }]);
    expect(hooks.announcement()).toBeUndefined();
  });

  it('that are late are told to stop, and their answer is dropped', async () => {
    const hooks = new HookRegistry();
    let signal: AbortSignal | undefined;
    let finish: (output: object) => void = () => undefined;
    hooks.register({
      event: 'PreToolUse',
      timeoutMs: 1_000,
      callback: (_input, context) => {
        signal = context.signal;
        return new Promise(resolve => {
          finish = resolve;
        });
      },
    });
    const { peer } = await readySession({ hooks });
    peer.say(call('r1', 'hook-1', 'PreToolUse'));
    peer.say(cancel('r1'));
    expect(signal?.aborted).toBe(true);
    finish({});
    await settle();
    expect(answersOf(peer)).toEqual([]);
  });
});
