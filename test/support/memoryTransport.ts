import { Deferred } from '../../src/base/deferred.ts';
import type { CliFrame } from '../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../src/protocol/decodeFrame.ts';
import type { HostFrame } from '../../src/protocol/hostFrame.ts';
import { encodeHostFrame } from '../../src/protocol/hostFrame.ts';
import type { Transport, TransportClose, TransportListener } from '../../src/protocol/transport.ts';
import { TransportError } from '../../src/protocol/transport.ts';

/** The CLI's end of a line in memory: what a test says in its place, and what it heard. */
export interface MemoryPeer {
  /** Every frame the host wrote, as the CLI would read it. */
  readonly heard: readonly HostFrame[];
  /** Called for each frame the host writes, after it is in `heard`. */
  onHeard: (frame: HostFrame) => void;
  /** Says one record; it is encoded and decoded as on a real line. */
  say(record: object): void;
  /** Ends the line from this end, or as the answer to a stop. */
  close(close?: Partial<TransportClose>): void;
  /** What the host's `stop` does; by default the line closes at once as `stopped`. */
  onStop: () => void;
  /** From now on the host's writes are refused with this. */
  refuseWrites(error: TransportError): void;
}

export interface MemoryLine {
  readonly host: Transport;
  readonly peer: MemoryPeer;
}

/** A linked pair. Delivery is immediate; a frame said while another is being delivered waits for it to end. */
export function memoryLine(): MemoryLine {
  const transport = new MemoryTransport();
  return { host: transport, peer: transport.peer };
}

class MemoryTransport implements Transport {
  readonly #heard: HostFrame[] = [];
  readonly #waiting: ((listener: TransportListener) => void)[] = [];
  readonly #ended = new Deferred<TransportClose>();
  #listener: TransportListener | undefined;
  #delivering = false;
  #refusal: TransportError | undefined;

  readonly peer: MemoryPeer = {
    heard: this.#heard,
    onHeard: () => undefined,
    onStop: () => this.#close({ reason: 'stopped', exitCode: 0 }),
    say: record => this.#say(record),
    close: close => this.#close(close ?? {}),
    refuseWrites: error => {
      this.#refusal = error;
    },
  };

  open(listener: TransportListener): void {
    if (this.#listener !== undefined) throw new Error('opened twice');
    this.#listener = listener;
    this.#deliver();
  }

  async send(frame: HostFrame): Promise<void> {
    if (this.#ended.isSettled) throw new TransportError('closed', 'the line is closed');
    if (this.#refusal !== undefined) throw this.#refusal;
    const written = this.#encoded(frame);
    this.#heard.push(written);
    this.peer.onHeard(written);
    await Promise.resolve();
  }

  stop(): Promise<TransportClose> {
    if (!this.#ended.isSettled) this.peer.onStop();
    return this.#ended.promise;
  }

  #encoded(frame: HostFrame): HostFrame {
    try {
      const copy: HostFrame = structuredClone(frame);
      encodeHostFrame(copy);
      return copy;
    } catch (cause) {
      throw new TransportError('invalidFrame', cause instanceof Error ? cause.message : 'not a frame', { cause });
    }
  }

  #say(record: object): void {
    if (this.#ended.isSettled) throw new Error('said after the end of the line');
    const line = JSON.stringify(record);
    const frame: CliFrame | undefined = decodeFrame(line, problem => {
      this.#queue(listener => listener.onProblem(problem));
    });
    if (frame !== undefined) this.#queue(listener => listener.onFrame(frame));
  }

  #close(close: Partial<TransportClose>): void {
    const whole: TransportClose = { reason: 'exited', stderrTail: '', ...close };
    if (this.#ended.resolve(whole)) this.#queue(listener => listener.onClose(whole));
  }

  #queue(deliver: (listener: TransportListener) => void): void {
    this.#waiting.push(deliver);
    this.#deliver();
  }

  #deliver(): void {
    if (this.#delivering || this.#listener === undefined) return;
    this.#delivering = true;
    try {
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) next(this.#listener);
    } finally {
      this.#delivering = false;
    }
  }
}
