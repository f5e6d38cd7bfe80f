import type { Logger } from '../base/logger.ts';
import type { CliFrame } from '../protocol/cliFrame.ts';
import type { TransportClose, TransportListener, WireProblem } from '../protocol/transport.ts';

type Delivery =
  | { readonly kind: 'frame'; readonly frame: CliFrame }
  | { readonly kind: 'problem'; readonly problem: WireProblem }
  | { readonly kind: 'close'; readonly close: TransportClose };

/**
 * Stands between a transport and its listener and keeps the promises of `Transport.open`: what comes before is kept,
 * calls never overlap, the close is last and comes once, and a listener that throws loses only its own frame.
 */
export class ListenerGate {
  readonly #logger: Logger;
  readonly #kept: Delivery[] = [];
  #listener: TransportListener | undefined;
  /** While kept deliveries are handed out, new ones line up behind them. */
  #live = false;
  #closed = false;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isOpen(): boolean {
    return this.#listener !== undefined;
  }

  /** Not within the caller's own turn: who opens is ready when the first frame comes. */
  open(listener: TransportListener): void {
    if (this.#listener) throw new Error('This transport is already open.');
    this.#listener = listener;
    queueMicrotask(() => {
      // Also what a listener may cause to arrive while it is being told of the rest.
      for (const delivery of this.#kept) this.#deliver(listener, delivery);
      this.#kept.length = 0;
      this.#live = true;
    });
  }

  frame(frame: CliFrame): void {
    if (this.#closed) return;
    if (this.#live && this.#listener) this.#callFrame(this.#listener, frame);
    else this.#kept.push({ kind: 'frame', frame });
  }

  problem(problem: WireProblem): void {
    if (this.#closed) return;
    this.#pass({ kind: 'problem', problem });
  }

  close(close: TransportClose): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#pass({ kind: 'close', close });
  }

  #pass(delivery: Delivery): void {
    if (this.#live && this.#listener) this.#deliver(this.#listener, delivery);
    else this.#kept.push(delivery);
  }

  #deliver(listener: TransportListener, delivery: Delivery): void {
    if (delivery.kind === 'frame') {
      this.#callFrame(listener, delivery.frame);
      return;
    }
    try {
      if (delivery.kind === 'problem') listener.onProblem(delivery.problem);
      else listener.onClose(delivery.close);
    } catch (error) {
      this.#logger.error(`A transport listener failed on a ${delivery.kind}.`, error);
    }
  }

  /** The hot path: a call and nothing else. */
  #callFrame(listener: TransportListener, frame: CliFrame): void {
    try {
      listener.onFrame(frame);
    } catch (error) {
      this.#logger.error('A transport listener failed on a frame.', error);
    }
  }
}
