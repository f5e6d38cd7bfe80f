import { assertNever } from '../base/assertNever.ts';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { Event } from '../base/emitter.ts';
import { Emitter } from '../base/emitter.ts';
import type { PermissionResult, PermissionUpdate } from '../protocol/permission.ts';
import type { OpenRequest } from './cliQuestions.ts';
import { toElicitationAnswer, toElicitationAsk } from './elicitation.ts';
import { SessionError } from './errors.ts';
import type { AskOutcome, PermissionAsk, PermissionDecision } from './permissionAsk.ts';
import { itemIdOf, toAsk } from './permissionAsk.ts';

export type DeskChange =
  | { readonly type: 'opened'; readonly ask: PermissionAsk }
  | { readonly type: 'closed'; readonly ask: PermissionAsk; readonly outcome: AskOutcome };

export interface PermissionDeskOptions {
  /** The mode in force when a question arrives. */
  readonly mode?: () => string;
  readonly clock?: Clock;
  /** Told when a listener of `onDidChange` throws; the question itself goes on. */
  readonly onListenerError?: (error: unknown) => void;
}

interface OpenAsk {
  readonly ask: PermissionAsk;
  readonly answer: (verdict: Verdict) => boolean;
  readonly fail: (error: Error) => boolean;
}

/**
 * Where open questions lie until someone decides. Several may lie here at once and are answered in any order, from
 * any place, each exactly once: whoever comes late is told so and nothing happens. There is no time limit.
 */
export class PermissionDesk {
  readonly #open = new Map<string, OpenAsk>();
  /** Questions whose page the person had opened. */
  readonly #pagesOpened = new Set<string>();
  readonly #changes: Emitter<DeskChange>;
  readonly #mode: () => string;
  readonly #clock: Clock;

  constructor(options: PermissionDeskOptions = {}) {
    this.#mode = options.mode ?? (() => 'default');
    this.#clock = options.clock ?? systemClock;
    this.#changes = new Emitter(options.onListenerError);
  }

  get onDidChange(): Event<DeskChange> {
    return this.#changes.event;
  }

  /** Oldest first. */
  get asks(): readonly PermissionAsk[] {
    return [...this.#open.values()].map(entry => entry.ask);
  }

  find(id: string): PermissionAsk | undefined {
    return this.#open.get(id)?.ask;
  }

  /** The open question that is shown at an item of the transcript. */
  findByItem(itemId: string): PermissionAsk | undefined {
    return this.asks.find(ask => itemIdOf(ask) === itemId);
  }

  /** Takes a question in. Its signal takes it out again: withdrawn by the CLI, or closed with the line. */
  open(request: OpenRequest<'can_use_tool'>): void {
    const ask = toAsk(request.requestId, request.request, this.#clock.now(), this.#mode());
    this.#take(request, {
      ask,
      answer: verdict => request.answer(toResult(ask, verdict)),
      fail: error => request.fail(error),
    });
  }

  /** The same for what an MCP server asks. */
  openElicitation(request: OpenRequest<'elicitation'>): void {
    const ask = toElicitationAsk(request.requestId, request.request, this.#clock.now(), this.#mode());
    this.#take(request, {
      ask,
      answer: verdict => request.answer(toElicitationAnswer(verdict)),
      fail: error => request.fail(error),
    });
  }

  /** The person had the page opened that a server asks for: their consent, so that the server may say when it is done. */
  pageOpened(id: string): void {
    if (this.#open.has(id)) this.#pagesOpened.add(id);
  }

  /**
   * A server says that what it sent the person to a page for is done: nothing is left to ask. Of a page that the person
   * did not have opened it proves nothing, and the question stays.
   */
  elicitationDone(server: string, elicitationId: string): void {
    const done = this.asks.find(
      ({ elicitation }) => elicitation?.mcp_server_name === server && elicitation.elicitation_id === elicitationId,
    );
    if (done?.elicitation?.mode !== 'url' || !this.#pagesOpened.has(done.id)) return;
    this.settle(done.id, { type: 'elicited', answer: { action: 'accept' } });
  }

  /**
   * Answers a question. False: it is no longer open, nothing was sent. An answer that must not reach the CLI (an empty
   * reason, a grant that was not offered) throws `invalidDecision` and leaves the question open.
   */
  settle(id: string, decision: PermissionDecision): boolean {
    const entry = this.#open.get(id);
    if (entry === undefined) return false;
    if (decision.type === 'error') {
      const sent = entry.fail(new Error(decision.message));
      if (sent) this.#end(id, { type: 'failed', message: decision.message });
      return sent;
    }
    const sent = entry.answer(decision);
    if (sent) this.#end(id, outcomeOf(entry.ask, decision));
    return sent;
  }

  /**
   * The chat is closing: every open question is denied and its turn ended, and servers hear that nobody answered. Returns
   * how many there were.
   */
  denyAll(message: string): number {
    const denied = { type: 'deny', message, interrupt: true } as const;
    const left = { type: 'elicited', answer: { action: 'cancel' } } as const;
    return this.asks.filter(ask => this.settle(ask.id, ask.kind === 'elicitation' ? left : denied)).length;
  }

  #take({ signal }: { readonly signal: AbortSignal }, entry: OpenAsk): void {
    const { ask } = entry;
    if (signal.aborted || this.#open.has(ask.id)) return;
    this.#open.set(ask.id, entry);
    signal.addEventListener('abort', () => this.#end(ask.id, outcomeOfAbort(signal)), { once: true });
    this.#changes.fire({ type: 'opened', ask });
  }

  #end(id: string, outcome: AskOutcome): void {
    const entry = this.#open.get(id);
    if (entry === undefined) return;
    this.#open.delete(id);
    this.#pagesOpened.delete(id);
    this.#changes.fire({ type: 'closed', ask: entry.ask, outcome });
  }
}

function outcomeOfAbort(signal: AbortSignal): AskOutcome {
  const closed = signal.reason instanceof SessionError && signal.reason.code === 'closed';
  return { type: closed ? 'closed' : 'withdrawn' };
}

type Verdict = Exclude<PermissionDecision, { type: 'error' }>;

function toResult(ask: PermissionAsk, decision: Verdict): PermissionResult {
  const toolUse = ask.toolUseId === undefined ? {} : { toolUseID: ask.toolUseId };
  switch (decision.type) {
    case 'allow': {
      const granted = grantedUpdates(ask, decision);
      return {
        behavior: 'allow',
        updatedInput: { ...(decision.updatedInput ?? ask.input) },
        ...(granted.length === 0 ? {} : { updatedPermissions: granted }),
        ...toolUse,
        decisionClassification: isLasting(decision) ? 'user_permanent' : 'user_temporary',
      };
    }
    case 'deny': {
      if (decision.message.trim() === '') throw new SessionError('invalidDecision', 'A denial needs a message.');
      return {
        behavior: 'deny',
        message: decision.message,
        ...(decision.interrupt === true ? { interrupt: true } : {}),
        ...toolUse,
        decisionClassification: 'user_reject',
      };
    }
    case 'elicited':
      throw new SessionError('invalidDecision', 'This answer is for a server, not for a tool.');
    default:
      return assertNever(decision);
  }
}

function grantedUpdates(ask: PermissionAsk, decision: Extract<Verdict, { type: 'allow' }>): PermissionUpdate[] {
  const updates = [...new Set(decision.always)].map(index => {
    const offered = ask.suggestions[index];
    if (offered === undefined) throw new SessionError('invalidDecision', `Suggestion ${index} was not offered.`);
    return offered;
  });
  if (decision.thenMode === undefined) return updates;
  if (ask.kind !== 'plan') throw new SessionError('invalidDecision', 'Only the approval of a plan chooses a mode.');
  return [...updates, { type: 'setMode', mode: decision.thenMode, destination: 'session' }];
}

function isLasting(decision: Extract<Verdict, { type: 'allow' }>): boolean {
  return decision.always !== undefined && decision.always.length > 0;
}

function outcomeOf(ask: PermissionAsk, decision: Verdict): AskOutcome {
  if (decision.type === 'elicited') return { type: 'elicited', action: decision.answer.action };
  if (decision.type === 'deny') {
    return { type: 'denied', message: decision.message, interrupt: decision.interrupt === true };
  }
  const changed = decision.updatedInput !== undefined && decision.updatedInput !== ask.input;
  const input = changed ? { input: decision.updatedInput } : {};
  return { type: 'allowed', changed, always: isLasting(decision), ...input };
}
