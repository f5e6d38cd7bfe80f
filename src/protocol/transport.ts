import type { CliFrame } from './cliFrame.ts';
import type { HostFrame } from './hostFrame.ts';

/**
 * One two-way line of frames to one agent. The child process is the usual one; a socket, another machine or a pair in
 * memory are others. `session` sees only this, `transport` builds it, and the entry file brings the two together.
 */
export interface Transport {
  /** Starts delivery. Called once; frames that arrive before are kept. Calls to the listener never overlap. */
  open(listener: TransportListener): void;
  /**
   * Writes one whole line, in the order of the calls. Resolves when the other end's buffer took it (back-pressure),
   * rejects with a `TransportError` once the line is closed. Validated before it is written: one bad line kills the CLI.
   */
  send(frame: HostFrame): Promise<void>;
  /**
   * Ends the line and whatever is behind it, gently first. Resolves when it is gone. Calling again joins the same stop.
   * The caller has already asked a busy agent to interrupt (that is a matter of the conversation, not of bytes).
   */
  stop(): Promise<TransportClose>;
}

export interface TransportListener {
  onFrame(frame: CliFrame): void;
  /** Something on the line that is no valid frame. The line goes on. */
  onProblem(problem: WireProblem): void;
  /** Exactly once, after the last frame. */
  onClose(close: TransportClose): void;
}

/** A malformed thing from the other end, with the offending text cut to a safe length. */
export interface WireProblem {
  readonly code:
    | 'noise'
    | 'invalidJson'
    | 'notAnObject'
    | 'invalidFrame'
    | 'unknownKind'
    | 'unknownValue'
    | 'truncatedLine'
    | 'lineTooLong';
  readonly message: string;
  readonly excerpt: string;
}

export interface TransportClose {
  /**
   * `stopped`: we asked for it. `exited`: the other end left by itself. `failedToStart`: it never ran.
   * `broken`: the line could not be kept (line above the limit, connection lost for good).
   */
  readonly reason: 'stopped' | 'exited' | 'failedToStart' | 'broken';
  readonly exitCode?: number;
  readonly signal?: string;
  /** The end of what it wrote to stderr, for people. */
  readonly stderrTail: string;
  /** Why, when there is more to say than the code. */
  readonly detail?: string;
}

export class TransportError extends Error {
  override readonly name = 'TransportError';
  readonly code: 'closed' | 'writeFailed' | 'invalidFrame';

  constructor(code: TransportError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
