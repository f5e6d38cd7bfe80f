import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { HookInput, HookOutput } from '../../protocol/hookEvents.ts';
import type { HookContext, HookRegistry } from '../hooks.ts';

/**
 * What a person changed in proposals they accepted, until the agent is told. The CLI reports success as if its own
 * proposal had been carried out; the note goes out with the hook that follows the tool, exactly once.
 */
export class AcceptedChanges implements Disposable {
  readonly #notes = new Map<string, string>();
  readonly #owned = new DisposableStore();

  constructor(owned: readonly Disposable[] = []) {
    for (const member of owned) this.#owned.add(member);
  }

  /** Keeps a note for one tool use; undefined (nothing was changed) forgets an earlier one. */
  note(toolUseId: string, note: string | undefined): void {
    if (note === undefined || this.#owned.isDisposed) this.#notes.delete(toolUseId);
    else this.#notes.set(toolUseId, note);
  }

  /** Hands the note out, and never again. */
  take(toolUseId: string): string | undefined {
    const note = this.#notes.get(toolUseId);
    this.#notes.delete(toolUseId);
    return note;
  }

  /** How many notes wait for their tool to end. */
  get size(): number {
    return this.#notes.size;
  }

  dispose(): void {
    this.#notes.clear();
    this.#owned.dispose();
  }
}

/**
 * Registers the hooks that carry the notes; before the session starts, since hooks are announced with `initialize`.
 * Disposing what is returned takes the hooks back.
 */
export function registerChangeNotes(hooks: HookRegistry): AcceptedChanges {
  const changes: AcceptedChanges = new AcceptedChanges([
    hooks.register({ event: 'PostToolUse', callback: (input, context) => told(changes, input, context) }),
    hooks.register({
      event: 'PostToolUseFailure',
      callback: (input, context) => {
        // Nothing was carried out, so there is nothing to tell: the agent reads the tool's own error.
        take(changes, input, context);
        return {};
      },
    }),
  ]);
  return changes;
}

function told(changes: AcceptedChanges, input: HookInput, context: HookContext): HookOutput {
  const note = take(changes, input, context);
  if (note === undefined) return {};
  return { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: note } };
}

function take(changes: AcceptedChanges, input: HookInput, context: HookContext): string | undefined {
  const id = input.tool_use_id ?? context.toolUseId;
  return id === undefined ? undefined : changes.take(id);
}
