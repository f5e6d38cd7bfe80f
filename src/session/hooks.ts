import type { Disposable } from '../base/disposable.ts';
import { toDisposable } from '../base/disposable.ts';
import type { HookEvent, HookInput, HookOutput } from '../protocol/hookEvents.ts';
import type { HookMatcher } from '../protocol/initialize.ts';
import type { OpenRequest } from './cliQuestions.ts';
import { SessionError } from './errors.ts';

export interface HookContext {
  readonly toolUseId?: string;
  /** Aborted when the CLI stops waiting (its time-out passed) or the session closes. */
  readonly signal: AbortSignal;
}

/** `{}` lets things go on. Throwing is an error to the CLI, which goes on or blocks as `onFailure` says. */
export type HookCallback = (input: HookInput, context: HookContext) => HookOutput | Promise<HookOutput>;

export interface HookRegistration {
  readonly event: HookEvent;
  /** A pattern over the tool's name (or what else the event matches by). Absent: every one. */
  readonly matcher?: string;
  /** How long the CLI waits. Past it a tool does not run. */
  readonly timeoutMs?: number;
  /** What the CLI does when the callback fails; it goes on unless told to block. */
  readonly onFailure?: 'continue' | 'block';
  readonly callback: HookCallback;
}

/**
 * Callbacks the CLI may call at certain events. They are announced with `initialize`: what is registered later takes
 * effect with the next session.
 */
export class HookRegistry {
  readonly #registered = new Map<string, HookRegistration>();
  /** Announced and then taken back: the CLI may still call, and nothing is wrong with that. */
  readonly #retired = new Set<string>();
  #count = 0;

  register(registration: HookRegistration): Disposable {
    const id = `hook-${++this.#count}`;
    this.#registered.set(id, registration);
    return toDisposable(() => {
      this.#registered.delete(id);
      this.#retired.add(id);
    });
  }

  /** The `hooks` of an `initialize` request; absent when nobody registered. */
  announcement(): Record<string, HookMatcher[]> | undefined {
    if (this.#registered.size === 0) return undefined;
    const hooks: Record<string, HookMatcher[]> = {};
    for (const [id, { event, matcher, timeoutMs, onFailure }] of this.#registered) {
      (hooks[event] ??= []).push({
        hookCallbackIds: [id],
        ...(matcher === undefined ? {} : { matcher }),
        ...(timeoutMs === undefined ? {} : { timeout: Math.max(1, Math.ceil(timeoutMs / 1000)) }),
        ...(onFailure === undefined ? {} : { onFailure }),
      });
    }
    return hooks;
  }

  async serve(open: OpenRequest<'hook_callback'>): Promise<void> {
    const { callback_id: id, input, tool_use_id: toolUseId } = open.request;
    const registration = this.#registered.get(id);
    if (registration === undefined) {
      if (!this.#retired.has(id)) throw new SessionError('invalidState', `No hook callback is registered as ${id}.`);
      open.answer({});
      return;
    }
    const context = { signal: open.signal, ...(toolUseId === undefined ? {} : { toolUseId }) };
    const output = await registration.callback(input, context);
    const named = output.hookSpecificOutput?.hookEventName;
    if (named !== undefined && named !== input.hook_event_name) {
      throw new SessionError('invalidState', `A hook for ${input.hook_event_name} answered as ${named}.`);
    }
    open.answer(output);
  }
}
