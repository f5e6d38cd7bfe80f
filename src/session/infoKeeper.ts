import type { Event } from '../base/emitter.ts';
import { Emitter } from '../base/emitter.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { InitializeResponse } from '../protocol/initialize.ts';
import { sessionIdOf } from './frameRoute.ts';
import { infoAfter, infoAfterInitialize } from './infoReducer.ts';
import type { SessionInfo } from './sessionInfo.ts';

/** Holds the one value of what is known, and tells when it changes. */
export class InfoKeeper {
  readonly #changes: Emitter<SessionInfo>;
  #current: SessionInfo;
  /** The id a reset conversation had: the first frame with another one names its successor. */
  #leaving: string | undefined;

  constructor(initial: SessionInfo, onListenerError: (error: unknown) => void) {
    this.#current = initial;
    this.#changes = new Emitter(onListenerError);
  }

  get current(): SessionInfo {
    return this.#current;
  }

  get onDidChange(): Event<SessionInfo> {
    return this.#changes.event;
  }

  apply(frame: CliFrame): void {
    this.#followSessionId(frame);
    this.#replace(infoAfter(this.#current, frame));
  }

  initialized(answer: InitializeResponse): void {
    this.#replace(infoAfterInitialize(this.#current, answer));
  }

  set(patch: Partial<SessionInfo>): void {
    this.#replace({ ...this.#current, ...patch });
  }

  settingsApplied(applied: Readonly<Record<string, unknown>>): void {
    const { effort: _old, ...rest } = this.#current;
    const { model, effort } = applied;
    this.#replace({
      ...rest,
      ...(typeof model === 'string' ? { model } : {}),
      ...(typeof effort === 'string' ? { effort } : {}),
    });
  }

  /** When the CLI refuses a change, the unchanged value is told again: whoever showed the wish shows the truth. */
  async orTellTruth<T>(request: Promise<T>): Promise<T> {
    try {
      return await request;
    } catch (error) {
      this.#changes.fire(this.#current);
      throw error;
    }
  }

  #followSessionId(frame: CliFrame): void {
    const id = sessionIdOf(frame);
    if (frame.type === 'conversation_reset') {
      this.#leaving = id ?? this.#current.sessionId;
      const { title: _old, ...rest } = this.#current;
      this.#replace(rest);
    } else if (id !== undefined && (this.#current.sessionId === undefined || this.#leaving !== undefined)) {
      if (id === this.#leaving) return;
      this.#leaving = undefined;
      this.set({ sessionId: id });
    }
  }

  #replace(info: SessionInfo): void {
    if (info === this.#current) return;
    this.#current = info;
    this.#changes.fire(info);
  }
}
