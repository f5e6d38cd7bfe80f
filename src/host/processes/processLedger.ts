import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { AgentSession } from '../../session/agentSession.ts';
import type { SessionState } from '../../session/sessionState.ts';

export interface StartedProcess {
  readonly pid: number;
  readonly session: AgentSession;
  readonly cwd: string;
  /** As the program said of itself. */
  readonly version?: string;
}

/** A child process of ours and how long it has been doing what it does. */
export interface AgentProcess extends StartedProcess {
  readonly startedAt: number;
  readonly state: SessionState['type'];
  readonly stateSince: number;
}

/** Every agent that runs for this window, from its start to its end. */
export class ProcessLedger implements Disposable {
  readonly #clock: Clock;
  readonly #entries = new Map<number, AgentProcess>();
  readonly #changes = new Emitter<undefined>();

  constructor(clock: Clock = systemClock) {
    this.#clock = clock;
  }

  get all(): readonly AgentProcess[] {
    return [...this.#entries.values()];
  }

  get pids(): ReadonlySet<number> {
    return new Set(this.#entries.keys());
  }

  get onDidChange(): Event<undefined> {
    return this.#changes.event;
  }

  add(started: StartedProcess): void {
    const now = this.#clock.now();
    const { pid, session } = started;
    this.#set({ ...started, startedAt: now, state: session.state.type, stateSince: now });
    const listener = session.onDidChangeState(state => this.#stateChanged(pid, session, state.type));
    void session.ended.then(() => {
      listener.dispose();
      // The number may have been given to another child of ours meanwhile.
      if (this.#entries.get(pid)?.session === session) this.#entries.delete(pid);
      this.#changes.fire(undefined);
    });
  }

  dispose(): void {
    this.#changes.dispose();
  }

  #stateChanged(pid: number, session: AgentSession, state: SessionState['type']): void {
    const known = this.#entries.get(pid);
    if (known?.session !== session || known.state === state || state === 'stopped') return;
    this.#set({ ...known, state, stateSince: this.#clock.now() });
  }

  #set(entry: AgentProcess): void {
    this.#entries.set(entry.pid, entry);
    this.#changes.fire(undefined);
  }
}
