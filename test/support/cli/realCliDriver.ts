import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import { Deferred } from '../../../src/base/deferred.ts';

/** A line of the CLI, as it is: these tests look at the raw protocol and share no code with the extension. */
export type RawFrame = Readonly<Record<string, unknown>>;

export interface PermissionAsk {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly frame: RawFrame;
}

/** The answer to a permission question: the body of the control response. */
export type PermissionAnswer = Readonly<Record<string, unknown>>;

export interface RealCliOptions {
  readonly executable: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly extraArguments?: readonly string[];
  /** Answers each permission question; without it everything is allowed as asked. */
  readonly onAsk?: (ask: PermissionAsk) => PermissionAnswer;
}

const baseArguments = [
  '--output-format=stream-json',
  '--input-format=stream-json',
  '--verbose',
  '--permission-prompt-tool=stdio',
  '--include-partial-messages',
  '--replay-user-messages',
];

/** Drives a real CLI over plain NDJSON. Every wait is bounded; `dispose` leaves no process behind. */
export class RealCliDriver {
  readonly frames: RawFrame[] = [];
  readonly asks: PermissionAsk[] = [];
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #onAsk: (ask: PermissionAsk) => PermissionAnswer;
  readonly #exited = new Deferred<number | null>();
  readonly #watchers = new Set<() => void>();
  #rest = '';
  #stderr = '';
  #seen = 0;

  constructor(options: RealCliOptions) {
    this.#onAsk = options.onAsk ?? (ask => ({ behavior: 'allow', updatedInput: ask.input }));
    this.#child = spawn(options.executable, [...baseArguments, ...(options.extraArguments ?? [])], {
      cwd: options.cwd,
      env: options.environment,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-4_000);
    });
    // Writing to a CLI that has just ended is no error of the test; its exit says all.
    this.#child.stdin.on('error', () => this.#wake());
    this.#child.once('error', error => {
      this.#stderr += error.message;
      this.#exited.resolve(null);
      this.#wake();
    });
    this.#child.once('close', code => {
      this.#exited.resolve(code);
      this.#wake();
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  send(frame: RawFrame): void {
    this.#child.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  prompt(text: string): string {
    const uuid = randomUUID();
    this.send({ type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, uuid });
    return uuid;
  }

  /** Sends a prompt and waits for its result frame. */
  async turn(text: string, timeoutMs = 30_000): Promise<RawFrame> {
    this.#seen = this.frames.length;
    this.prompt(text);
    return this.waitFor(frame => frame['type'] === 'result', timeoutMs);
  }

  /** The first frame from now on (or since the last `turn` began) that fits; rejects when the CLI ends or time is up. */
  async waitFor(fits: (frame: RawFrame) => boolean, timeoutMs = 30_000): Promise<RawFrame> {
    const found = new Deferred<RawFrame>();
    const look = () => {
      while (this.#seen < this.frames.length) {
        const frame = this.frames[this.#seen];
        this.#seen += 1;
        if (frame && fits(frame)) {
          found.resolve(frame);
          return;
        }
      }
      if (this.#exited.isSettled) found.reject(new Error(`The CLI ended. ${this.#stderr}`));
    };
    const timer = setTimeout(() => {
      const tail = this.frames.slice(-5).map(frame => JSON.stringify(frame).slice(0, 300));
      found.reject(
        new Error(`Nothing fitting within ${timeoutMs} ms. Last frames:\n${tail.join('\n')}\n${this.#stderr}`),
      );
    }, timeoutMs);
    this.#watchers.add(look);
    look();
    try {
      return await found.promise;
    } finally {
      clearTimeout(timer);
      this.#watchers.delete(look);
    }
  }

  /** Closes stdin and waits for the end; kills after the time is up. */
  async dispose(graceMs = 5_000): Promise<number | null> {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), graceMs);
    try {
      return await this.#exited.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const frame: unknown = JSON.parse(line);
      if (!isFields(frame)) continue;
      this.frames.push(frame);
      this.#answerAsk(frame);
    }
    this.#wake();
  }

  #answerAsk(frame: RawFrame): void {
    const request = frame['request'];
    if (frame['type'] !== 'control_request' || !isFields(request) || request['subtype'] !== 'can_use_tool') return;
    const input = isFields(request['input']) ? request['input'] : {};
    const ask = { tool: String(request['tool_name']), input, frame };
    this.asks.push(ask);
    const response = this.#onAsk(ask);
    this.send({
      type: 'control_response',
      response: { subtype: 'success', request_id: frame['request_id'], response },
    });
  }

  #wake(): void {
    for (const look of [...this.#watchers]) look();
  }
}

function isFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
