import { batch, signal } from '@preact/signals';
import { Emitter } from '../../src/base/emitter.ts';
import type { HostMessage, ViewOptions } from '../../src/bridge/hostMessages.ts';
import { englishStrings } from '../../src/bridge/strings.ts';
import type { ViewStrings } from '../../src/bridge/strings.ts';
import type { ViewMessage } from '../../src/bridge/viewMessages.ts';
import type { SessionView } from '../../src/bridge/sessionView.ts';
import type { Conversation } from './conversation.ts';

/** Runs a call after the next paint; a parameter so that tests paint by hand. */
export type AfterPaint = (call: () => void) => void;

export const nothingYet: SessionView = {
  state: 'none',
  title: '',
  model: { value: '', label: '' },
  models: [],
  mode: '',
  modes: [],
  efforts: [],
  queue: [],
  tasks: [],
  commands: [],
  openAsks: [],
  recent: [],
};

/**
 * Follows the host: takes snapshots and patches in the order of their revisions, asks for everything again when one is
 * missing, and tells the host what has been painted.
 */
export class Sync {
  readonly strings = signal<ViewStrings>(englishStrings);
  readonly options = signal<ViewOptions>({ sendKey: 'enter', placement: 'sideBar' });
  readonly session = signal<SessionView>(nothingYet);
  /** False until the first snapshot: the panel shows a skeleton, not an empty conversation. */
  readonly connected = signal(false);

  readonly #conversation: Conversation;
  readonly #post: (message: ViewMessage) => void;
  readonly #afterPaint: AfterPaint;
  readonly #revisions = new Emitter<number>();
  #revision = -1;
  #awaitsSnapshot = true;
  #ackPending = false;

  /** A new revision is in the store. */
  readonly onRevision = this.#revisions.event;

  constructor(conversation: Conversation, post: (message: ViewMessage) => void, afterPaint: AfterPaint) {
    this.#conversation = conversation;
    this.#post = post;
    this.#afterPaint = afterPaint;
  }

  get revision(): number {
    return this.#revision;
  }

  start(): void {
    this.#post({ type: 'ready' });
  }

  receive(message: Extract<HostMessage, { type: 'hello' | 'snapshot' | 'patch' }>): void {
    switch (message.type) {
      case 'hello':
        // A host of another version may know fewer words: ours fill in.
        this.strings.value = { ...englishStrings, ...message.strings };
        this.options.value = message.options;
        return;
      case 'snapshot':
        this.#takeSnapshot(message);
        return;
      case 'patch':
        this.#takePatch(message);
        return;
    }
  }

  /** The thread is lost: drop patches until everything has come again. Asks once however often it is called. */
  resync(): void {
    if (this.#awaitsSnapshot) return;
    this.#awaitsSnapshot = true;
    this.#post({ type: 'ready' });
  }

  #takeSnapshot(message: Extract<HostMessage, { type: 'snapshot' }>): void {
    this.#awaitsSnapshot = false;
    batch(() => {
      this.session.value = message.session;
      this.#conversation.reset(message.total, message.from, message.items);
      this.connected.value = true;
    });
    this.#arrive(message.revision);
  }

  #takePatch(message: Extract<HostMessage, { type: 'patch' }>): void {
    if (this.#awaitsSnapshot) return;
    if (message.base !== this.#revision) {
      this.resync();
      return;
    }
    const fits = batch(() => {
      for (const op of message.ops) {
        if (op.op === 'session') this.session.value = op.session;
        else if (!this.#conversation.apply(op)) return false;
      }
      return true;
    });
    if (!fits) {
      this.resync();
      return;
    }
    this.#arrive(message.revision);
  }

  #arrive(revision: number): void {
    this.#revision = revision;
    this.#revisions.fire(revision);
    if (this.#ackPending) return;
    this.#ackPending = true;
    this.#afterPaint(() => {
      this.#ackPending = false;
      this.#post({ type: 'ack', revision: this.#revision });
    });
  }
}
