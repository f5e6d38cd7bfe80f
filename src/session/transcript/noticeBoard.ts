import type { Clock } from '../../base/clock.ts';
import type { SystemFrameOf } from '../../protocol/systemFrame.ts';
import type { RateLimitFrame } from '../../protocol/sideFrame.ts';
import type { Notice, NoticeItem } from '../transcriptModel.ts';
import type { ItemStore } from './itemStore.ts';

type Failure = Extract<Notice, { type: 'turnFailed' }>;

/** The quiet rows: adds them, changes in place those that describe something still going on, takes those away after. */
export class NoticeBoard {
  readonly #store: ItemStore;
  readonly #clock: Clock;
  #count = 0;
  #retrying: string | undefined;
  #compacting: string | undefined;
  #lastLimit: string | undefined;
  /** Of the present turn. */
  #stopped = false;
  #failure: string | undefined;

  constructor(store: ItemStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  add(
    notice: Notice,
    from: { readonly id: string | undefined; readonly at?: number; readonly parent?: string },
  ): string {
    const id = this.#store.freeId(from.id ?? this.#newId(notice.type));
    const parent = from.parent === undefined ? {} : { parentToolUseId: from.parent };
    this.#store.put({ kind: 'notice', id, at: from.at ?? this.#clock.now(), notice, ...parent });
    return id;
  }

  unknown(rawType: string, raw: unknown): void {
    this.add({ type: 'unknown', rawType, raw }, { id: undefined });
  }

  retrying(frame: SystemFrameOf<'api_retry'>): void {
    const now = this.#clock.now();
    const notice: Notice = {
      type: 'retrying',
      attempt: frame.attempt,
      maxRetries: frame.max_retries,
      retryAt: now + frame.retry_delay_ms,
      status: frame.error_status,
      error: frame.error,
    };
    if (this.#retrying === undefined) this.#retrying = this.add(notice, { id: frame.uuid });
    else this.#change(this.#retrying, notice);
  }

  /** The model speaks again: the wait is over, and a failure before it was not the end of the turn. */
  streamResumed(): void {
    this.#remove(this.#retrying);
    this.#retrying = undefined;
  }

  compacting(uuid: string | undefined): void {
    this.#compacting ??= this.add({ type: 'compacting' }, { id: uuid });
  }

  compactionFailed(message: string): void {
    const notice: Notice = { type: 'compactFailed', message };
    if (this.#compacting === undefined) this.add(notice, { id: undefined });
    else this.#change(this.#compacting, notice);
    this.#compacting = undefined;
  }

  compacted(notice: Extract<Notice, { type: 'compacted' }>, uuid: string | undefined, at?: number): void {
    this.#remove(this.#compacting);
    this.#compacting = undefined;
    this.add(notice, { id: uuid, ...(at === undefined ? {} : { at }) });
  }

  compactSummary(text: string, uuid: string | undefined, at: number): void {
    this.add({ type: 'compactSummary', text }, { id: uuid, at });
  }

  /** The output of `/compact` only repeats what the boundary already says. */
  commandOutput(output: string, command: string | undefined, id: string | undefined, at: number): void {
    if (output === '' || /^Compacted\b.{0,60}$/.test(output)) return;
    this.add({ type: 'localCommand', output, ...(command === undefined ? {} : { command }) }, { id, at });
  }

  /** At most one a turn, whoever says it first: the mark in the conversation or the result. */
  stopped(uuid: string | undefined, at?: number): void {
    if (this.#stopped) return;
    this.#stopped = true;
    this.add({ type: 'stopped' }, { id: uuid, ...(at === undefined ? {} : { at }) });
  }

  /** An error in the conversation: the end of the turn, unless the model goes on. */
  failed(failure: Failure, uuid: string | undefined, at: number): void {
    this.#failure = this.add(failure, { id: uuid, at });
  }

  wentOnAfterFailure(): void {
    const item = this.#failure === undefined ? undefined : this.#store.find(this.#failure);
    this.#failure = undefined;
    if (item?.kind !== 'notice' || item.notice.type !== 'turnFailed') return;
    this.#put(item, { type: 'informational', level: 'warning', text: item.notice.message });
  }

  /** What the result says of a failure, joined with the error row that came before it, if any. */
  turnFailed(failure: Failure, uuid: string | undefined): void {
    const known = this.#failure === undefined ? undefined : this.#store.find(this.#failure);
    if (known?.kind !== 'notice' || known.notice.type !== 'turnFailed') {
      this.add(failure, { id: uuid });
      return;
    }
    const status = known.notice.status ?? failure.status;
    this.#put(known, {
      type: 'turnFailed',
      // "api_error" says less than the error row did.
      code: failure.code === 'api_error' ? known.notice.code : failure.code,
      message: known.notice.message === '' ? failure.message : known.notice.message,
      ...(status === undefined ? {} : { status }),
    });
  }

  /** Subscribers get this with every answer; only a change that matters is a row. */
  rateLimit(info: RateLimitFrame['rate_limit_info'], uuid: string | undefined): void {
    const key = JSON.stringify([info.status, info.rateLimitType, info.resetsAt]);
    if (info.status === 'allowed') this.#lastLimit = undefined;
    if (info.status === 'allowed' || key === this.#lastLimit) return;
    this.#lastLimit = key;
    this.add(
      {
        type: 'rateLimit',
        status: info.status,
        ...(info.rateLimitType === undefined ? {} : { limit: info.rateLimitType }),
        ...(info.resetsAt === undefined ? {} : { resetsAt: info.resetsAt }),
      },
      { id: uuid },
    );
  }

  turnBegan(): void {
    this.#stopped = false;
    this.#failure = undefined;
  }

  /** Nothing goes on any more. */
  turnEnded(): void {
    this.streamResumed();
    this.#remove(this.#compacting);
    this.#compacting = undefined;
  }

  forget(): void {
    this.turnBegan();
    this.#retrying = undefined;
    this.#compacting = undefined;
    this.#lastLimit = undefined;
  }

  #change(id: string, notice: Notice): void {
    const item = this.#store.find(id);
    if (item?.kind === 'notice') this.#put(item, notice);
  }

  #put(item: NoticeItem, notice: Notice): void {
    this.#store.put({ ...item, notice });
  }

  #remove(id: string | undefined): void {
    if (id !== undefined) this.#store.remove(id);
  }

  #newId(type: string): string {
    return `notice:${type}:${this.#count++}`;
  }
}
