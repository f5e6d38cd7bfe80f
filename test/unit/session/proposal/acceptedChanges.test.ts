import { describe, expect, it } from 'vitest';
import type { HookOutput } from '../../../../src/protocol/hookEvents.ts';
import { HookRegistry } from '../../../../src/session/hooks.ts';
import type { AcceptedChanges } from '../../../../src/session/proposal/acceptedChanges.ts';
import { registerChangeNotes } from '../../../../src/session/proposal/acceptedChanges.ts';

/** Calls the callback announced for an event, as the CLI does. */
async function call(hooks: HookRegistry, event: string, toolUseId: string, named = true): Promise<HookOutput[]> {
  const outputs: HookOutput[] = [];
  for (const { hookCallbackIds } of hooks.announcement()?.[event] ?? []) {
    for (const id of hookCallbackIds) {
      await hooks.serve({
        requestId: 'r',
        signal: new AbortController().signal,
        request: {
          subtype: 'hook_callback',
          callback_id: id,
          input: { hook_event_name: event, ...(named ? { tool_use_id: toolUseId } : {}) },
          tool_use_id: toolUseId,
        },
        answer: output => outputs.push(output) > 0,
        fail: error => {
          throw error;
        },
      });
    }
  }
  return outputs;
}

const note = (text: string): HookOutput => ({
  hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: text },
});

function setUp(): { hooks: HookRegistry; changes: AcceptedChanges } {
  const hooks = new HookRegistry();
  return { hooks, changes: registerChangeNotes(hooks) };
}

describe('what a person changed', () => {
  it('is told after the tool it belongs to, exactly once', async () => {
    const { hooks, changes } = setUp();
    changes.note('t1', 'first');
    changes.note('t2', 'second');
    expect(await call(hooks, 'PostToolUse', 't2')).toEqual([note('second')]);
    expect(await call(hooks, 'PostToolUse', 't2')).toEqual([{}]);
    expect(await call(hooks, 'PostToolUse', 't1', false)).toEqual([note('first')]);
    expect(changes.size).toBe(0);
  });

  it('adds nothing after other tools', async () => {
    const { hooks } = setUp();
    expect(await call(hooks, 'PostToolUse', 'other')).toEqual([{}]);
  });

  it('is forgotten when the tool failed', async () => {
    const { hooks, changes } = setUp();
    changes.note('t', 'text');
    expect(await call(hooks, 'PostToolUseFailure', 't')).toEqual([{}]);
    expect(await call(hooks, 'PostToolUse', 't')).toEqual([{}]);
  });

  it('is forgotten when nothing is left to tell', () => {
    const { changes } = setUp();
    changes.note('t', 'text');
    changes.note('t', undefined);
    expect(changes.size).toBe(0);
    expect(changes.take('t')).toBeUndefined();
  });

  it('takes its hooks back when it is disposed, and keeps nothing after that', () => {
    const { hooks, changes } = setUp();
    changes.dispose();
    changes.dispose();
    changes.note('t', 'late');
    expect(changes.size).toBe(0);
    expect(hooks.announcement()).toBeUndefined();
  });
});
