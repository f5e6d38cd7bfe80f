import type { TransportClose } from '../protocol/transport.ts';
import type { StopReason } from './sessionState.ts';
import type { LastResult } from './turnTracker.ts';

/** What the session knew at the moment its line ended. */
export interface ClosingFacts {
  /** We asked for the end, whatever form it then took. */
  readonly asked: boolean;
  /** The CLI had come to life: `initialize` answered, or a turn begun. */
  readonly ready: boolean;
  /** A session was to be resumed or cut. */
  readonly resuming: boolean;
  /** A turn ran or prompts were waiting. */
  readonly duringTurn: boolean;
  readonly lastResult: LastResult | undefined;
}

const CUT_REJECTED = 'Resume rejected by --resume-drops-turn:';

export function stopReasonOf(close: TransportClose, facts: ClosingFacts): StopReason {
  const { stderrTail } = close;
  if (close.reason === 'broken') return { code: 'broken', message: close.detail ?? '', stderrTail };
  if (facts.asked || close.reason === 'stopped') return { code: 'asked' };
  if (close.reason === 'failedToStart') return failedToStart(close);
  if (facts.ready) return afterLife(close, facts);
  if (close.signal !== undefined) return crashed(close, facts.duringTurn);
  return facts.resuming ? resumeFailed(close, facts.lastResult) : failedToStart(close, facts.lastResult);
}

/** Exit 1 after a result that was an error is how the CLI leaves in order; without a result in a turn it is a crash. */
function afterLife(close: TransportClose, facts: ClosingFacts): StopReason {
  const explained = close.exitCode === 0 || (close.exitCode === 1 && facts.lastResult?.isError === true);
  if (facts.duringTurn || close.signal !== undefined || !explained) return crashed(close, facts.duringTurn);
  return { code: 'exited', ...exitCode(close), stderrTail: close.stderrTail };
}

function crashed(close: TransportClose, duringTurn: boolean): StopReason {
  const signal = close.signal === undefined ? {} : { signal: close.signal };
  return { code: 'crashed', ...exitCode(close), ...signal, stderrTail: close.stderrTail, duringTurn };
}

function failedToStart(close: TransportClose, result?: LastResult): StopReason {
  const message = result?.errors.join('\n') || close.detail || lastLine(close.stderrTail);
  return { code: 'failedToStart', message, ...exitCode(close), stderrTail: close.stderrTail };
}

function resumeFailed(close: TransportClose, result: LastResult | undefined): StopReason {
  // A refused cut may come without any frame; then stderr has the only words there are.
  const message = result?.errors.join('\n') || lastLine(close.stderrTail) || close.detail || '';
  const cutRejected = [...(result?.errors ?? []), close.stderrTail].some(text => text.includes(CUT_REJECTED));
  return { code: 'resumeFailed', message, cutRejected, stderrTail: close.stderrTail };
}

function exitCode(close: TransportClose): { exitCode?: number } {
  return close.exitCode === undefined ? {} : { exitCode: close.exitCode };
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1)?.trim() ?? '';
}
