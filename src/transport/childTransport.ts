import type { ChildProcessWithoutNullStreams, SpawnOptionsWithoutStdio } from 'node:child_process';
import { spawn as spawnProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import { Deferred } from '../base/deferred.ts';
import type { Disposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { lastingLogger, silentLogger } from '../base/logger.ts';
import type { HostFrame } from '../protocol/hostFrame.ts';
import { encodeHostFrame } from '../protocol/hostFrame.ts';
import type { Transport, TransportClose, TransportListener } from '../protocol/transport.ts';
import { TransportError } from '../protocol/transport.ts';
import { ChildTree } from './childTree.ts';
import { FrameReader } from './frameReader.ts';
import { LineWriter } from './lineWriter.ts';
import { ListenerGate } from './listenerGate.ts';
import type { ProcessGuard } from './processGuard.ts';
import { noGuard } from './processGuard.ts';
import type { ProcessTable } from './processTable.ts';
import { treeMarkerVariable } from './processTable.ts';
import type { SweepTimes } from './processTree.ts';
import { defaultSweepTimes } from './processTree.ts';
import { describeStartFailure } from './startFailure.ts';
import { StderrTail } from './stderrTail.ts';
import type { StopTimes } from './stopLadder.ts';
import { defaultStopTimes, runStopLadder } from './stopLadder.ts';
import { settledWithin } from './waiting.ts';

export type SpawnChild = (
  command: string,
  args: readonly string[],
  options: SpawnOptionsWithoutStdio,
) => ChildProcessWithoutNullStreams;

export interface ChildTimes {
  readonly stop: StopTimes;
  readonly sweep: SweepTimes;
  /** After the exit, stdout counts as drained when it was silent for this long (a grandchild may hold it open) … */
  readonly drainQuietMs: number;
  /** … and in any case after this long. */
  readonly drainMaxMs: number;
  /** A child that closed stdin or stdout has this long to leave by itself; then it is of no use any more and is stopped. */
  readonly halfOpenMs: number;
}

export const defaultChildTimes: ChildTimes = {
  stop: defaultStopTimes,
  sweep: defaultSweepTimes,
  drainQuietMs: 500,
  drainMaxMs: 5000,
  halfOpenMs: 2000,
};

export interface ChildTransportOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment of the child (see `cliEnvironment`); nothing is added but the tree marker. */
  readonly env: Readonly<Record<string, string>>;
  readonly guard?: ProcessGuard;
  readonly logger?: Logger;
  readonly maxLineBytes?: number;
  readonly stderrTailBytes?: number;
  readonly spawn?: SpawnChild;
  readonly clock?: Clock;
  readonly times?: ChildTimes;
  readonly processes?: ProcessTable;
  readonly platform?: NodeJS.Platform;
  readonly newId?: () => string;
}

/** Starts the CLI and returns the line to it. A child that cannot be started is a transport that closes with `failedToStart`. */
export function startChildTransport(options: ChildTransportOptions): ChildTransport {
  const { spawn = spawnProcess, platform = process.platform, newId = randomUUID } = options;
  const marker = newId();
  const spawnOptions: SpawnOptionsWithoutStdio = {
    cwd: options.cwd,
    env: { ...options.env, [treeMarkerVariable]: marker },
    // On POSIX a group of its own, so that its children can be told from ours even when it is gone. On Windows that would open a console.
    detached: platform !== 'win32',
    windowsHide: true,
    shell: false,
  };
  try {
    return new ChildTransport(spawn(options.command, options.args, spawnOptions), marker, options);
  } catch (error) {
    // Some faults (a NUL in an argument) are thrown, not emitted.
    return new ChildTransport(undefined, marker, options, error);
  }
}

/** The NDJSON line to one CLI process. Made by `startChildTransport`. */
export class ChildTransport implements Transport {
  readonly #child: ChildProcessWithoutNullStreams | undefined;
  readonly #options: ChildTransportOptions;
  readonly #clock: Clock;
  readonly #times: ChildTimes;
  readonly #logger: Logger;
  readonly #gate: ListenerGate;
  readonly #writer: LineWriter | undefined;
  readonly #stderr: StderrTail;
  readonly #exited = new Deferred<void>();
  readonly #outputEnded = new Deferred<void>();
  readonly #closed = new Deferred<TransportClose>();
  readonly #tree: ChildTree | undefined;
  #guarded: Disposable | undefined;
  #stopping: Promise<void> | undefined;
  /** What is said at the close if it was not the child's own doing. */
  #cause: Pick<TransportClose, 'reason' | 'detail'> | undefined;
  #exit: Pick<TransportClose, 'exitCode' | 'signal'> = {};
  #outputCount = 0;

  constructor(
    child: ChildProcessWithoutNullStreams | undefined,
    marker: string,
    options: ChildTransportOptions,
    startError?: unknown,
  ) {
    this.#child = child;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#times = options.times ?? defaultChildTimes;
    this.#logger = lastingLogger(options.logger ?? silentLogger);
    this.#gate = new ListenerGate(this.#logger);
    this.#stderr = new StderrTail(options.stderrTailBytes);
    this.#writer = child && new LineWriter(child.stdin);
    if (child) this.#attach(child);
    if (child?.pid === undefined) {
      // The 'error' event that follows says why; without a child nothing follows.
      if (!child) this.#failToStart(startError);
      return;
    }
    this.#guarded = (options.guard ?? noGuard).watch({ pid: child.pid, marker });
    const { platform = process.platform, processes } = options;
    this.#tree = new ChildTree(child, child.pid, {
      marker,
      platform,
      clock: this.#clock,
      logger: this.#logger,
      times: this.#times.sweep,
      ...(processes === undefined ? {} : { processes }),
    });
  }

  /** For diagnosis; undefined if it could not be started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  open(listener: TransportListener): void {
    this.#gate.open(listener);
    this.#child?.stdout.resume();
  }

  async send(frame: HostFrame): Promise<void> {
    let line: string;
    try {
      line = encodeHostFrame(frame);
    } catch (error) {
      if (error instanceof TransportError) throw error;
      throw new TransportError('invalidFrame', 'The frame is not valid and was not sent.', { cause: error });
    }
    if (!this.#writer) throw new TransportError('closed', 'The agent is not running.');
    await this.#writer.write(line);
  }

  stop(): Promise<TransportClose> {
    // One that has left by itself and is only being drained was not stopped by us.
    if (!this.#exited.isSettled) {
      this.#cause ??= { reason: 'stopped' };
      this.#startStop();
    }
    return this.#closed.promise;
  }

  #attach(child: ChildProcessWithoutNullStreams): void {
    const { maxLineBytes } = this.#options;
    const reader = new FrameReader(
      { onFrame: frame => this.#gate.frame(frame), onProblem: problem => this.#gate.problem(problem) },
      maxLineBytes,
    );
    child.stdout.on('data', (chunk: Buffer) => {
      this.#outputCount += 1;
      if (!reader.push(chunk)) this.#break('A line from the agent was longer than allowed.');
    });
    child.stdout.on('end', () => {
      reader.end();
      this.#outputEnded.resolve();
      void this.#halfOpen('The agent closed its output.');
    });
    child.stdout.on('error', error => this.#break(`The output of the agent could not be read: ${error.message}`));
    // Back-pressure until somebody listens: the pipe holds what comes, not our memory.
    child.stdout.pause();
    child.stderr.on('data', (chunk: Buffer) => this.#stderr.push(chunk));
    child.stderr.on('error', error => this.#logger.debug('The error output of the agent could not be read.', error));
    child.on('error', error => {
      if (child.pid === undefined) this.#failToStart(error);
      else this.#logger.warn('The agent process reported an error.', error);
    });
    child.on('exit', (code, signal) => {
      this.#exit = { ...(code === null ? {} : { exitCode: code }), ...(signal === null ? {} : { signal }) };
      this.#exited.resolve();
      void this.#finish();
    });
    void this.#writer?.broken.then(error => this.#halfOpen(`The agent closed its input: ${error.message}`));
  }

  /** One direction is gone while the process lives on. */
  async #halfOpen(detail: string): Promise<void> {
    if (this.#child?.pid === undefined) return;
    if (!(await settledWithin(this.#exited.promise, this.#times.halfOpenMs, this.#clock))) this.#break(detail);
  }

  #break(detail: string): void {
    if (this.#exited.isSettled) return;
    this.#cause ??= { reason: 'broken', detail };
    this.#startStop();
  }

  #startStop(): void {
    const child = this.#child;
    const tree = this.#tree;
    if (!child || !tree || this.#exited.isSettled) return;
    // A child that is blocked on a full pipe cannot see the end of its input.
    child.stdout.resume();
    this.#stopping ??= runStopLadder(
      {
        exited: this.#exited.promise,
        endInput: () => this.#writer?.end('The agent is being stopped.'),
        signal: signal => tree.signal(signal),
      },
      tree,
      { clock: this.#clock, times: this.#times.stop, logger: this.#logger },
    ).then(step => {
      if (step === 'survived') this.#report('It did not end, not even after SIGKILL.');
    });
  }

  /** The process is gone: take its orphans along, drain what it wrote, then say so. */
  async #finish(): Promise<void> {
    this.#writer?.close(new TransportError('closed', 'The agent process has ended.'));
    await Promise.all([this.#stopping ?? this.#tree?.sweepOrphans(this.#exit.exitCode === 0), this.#drain()]);
    // Not before: if the host is killed during the sweep, the guardian finishes it.
    this.#guarded?.dispose();
    this.#report();
  }

  async #drain(): Promise<void> {
    const deadline = this.#clock.now() + this.#times.drainMaxMs;
    for (let seen = -1; seen !== this.#outputCount && this.#clock.now() < deadline;) {
      seen = this.#outputCount;
      if (await settledWithin(this.#outputEnded.promise, this.#times.drainQuietMs, this.#clock)) return;
      // If the loop was blocked all that time, the timer speaks before the pipe had its turn: let it.
      await turn();
      await turn();
    }
  }

  #failToStart(error: unknown): void {
    const { command, cwd } = this.#options;
    this.#writer?.close(new TransportError('closed', 'The agent could not be started.'));
    this.#exited.resolve();
    this.#cause = { reason: 'failedToStart', detail: describeStartFailure(error, command, cwd) };
    this.#report();
  }

  #report(detail?: string): void {
    if (this.#closed.isSettled) return;
    this.#child?.stdout.destroy();
    this.#child?.stderr.destroy();
    const cause = this.#cause ?? { reason: 'exited' };
    const close: TransportClose = {
      ...cause,
      ...this.#exit,
      stderrTail: this.#stderr.text(),
      ...(detail === undefined ? {} : { detail }),
    };
    this.#gate.close(close);
    this.#closed.resolve(close);
  }
}
