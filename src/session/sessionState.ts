/** What a conversation is doing now: one value, so that no two flags can disagree. */
export type SessionState =
  | { readonly type: 'starting' }
  | { readonly type: 'idle' }
  /** `since`: when this turn began. `promptIds`: prompts sent and not yet finished, queued ones included. */
  | { readonly type: 'working'; readonly since: number; readonly promptIds: readonly string[] }
  /** `since`: when the oldest open question was asked. `askIds`: oldest first. */
  | { readonly type: 'awaitingPermission'; readonly since: number; readonly askIds: readonly string[] }
  | { readonly type: 'stopped'; readonly reason: StopReason };

/** Why a session is over. `stderrTail` and the texts are the CLI's own, for people, never read by code. */
export type StopReason =
  /** We stopped it; also what follows from that (143, SIGKILL). */
  | { readonly code: 'asked' }
  /** It never came to life: not spawned, or gone before it was ready. */
  | {
      readonly code: 'failedToStart';
      readonly message: string;
      readonly exitCode?: number;
      readonly stderrTail: string;
    }
  /** The conversation to resume, or the place to cut it, was not accepted. */
  | {
      readonly code: 'resumeFailed';
      readonly message: string;
      /** The cut would have lost more than the one turn: resume plainly, never retry the cut. */
      readonly cutRejected: boolean;
      readonly stderrTail: string;
    }
  /** It left by itself and in order, no turn running. */
  | { readonly code: 'exited'; readonly exitCode?: number; readonly stderrTail: string }
  /** It died: in the middle of a turn, by a signal, or with an exit code that no result explains. */
  | {
      readonly code: 'crashed';
      readonly exitCode?: number;
      readonly signal?: string;
      readonly stderrTail: string;
      readonly duringTurn: boolean;
    }
  /** The line could not be kept, whatever became of the other end. */
  | { readonly code: 'broken'; readonly message: string; readonly stderrTail: string };

export function sameState(a: SessionState, b: SessionState): boolean {
  if (a === b) return true;
  if (a.type === 'working' && b.type === 'working') return a.since === b.since && sameIds(a.promptIds, b.promptIds);
  if (a.type === 'awaitingPermission' && b.type === 'awaitingPermission') {
    return a.since === b.since && sameIds(a.askIds, b.askIds);
  }
  return a.type === b.type;
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}
