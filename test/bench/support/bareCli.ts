import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cliArguments } from '../../../src/transport/flags.ts';

interface Row {
  readonly type: string;
  readonly state?: string;
  readonly event?: { readonly type: string };
}

/**
 * The CLI on a plain pipe: started as we start it and told what we tell it, word for word, with nothing between the pipe
 * and JSON.parse. What differs from our engine is the engine.
 */
export class BareCli {
  readonly #child: ChildProcessWithoutNullStreams;
  #rest = '';
  #onRow: (row: Row) => void = () => undefined;

  constructor(executable: string, cwd: string, env: Readonly<Record<string, string>>) {
    this.#child = spawn(executable, cliArguments(), { cwd, env, detached: process.platform !== 'win32' });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (this.#rest + text).split('\n');
      this.#rest = lines.pop() ?? '';
      // The CLI's own lines, of which only three fields are looked at.
      for (const line of lines) this.#onRow(JSON.parse(line) as Row);
    });
    this.#child.stderr.resume();
  }

  async initialize(): Promise<void> {
    const answered = this.#until(row => row.type === 'control_response');
    this.#write({ type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } });
    await answered;
  }

  /** Milliseconds from the prompt to the first delta; returns when the turn is over. */
  async turn(text: string): Promise<number> {
    let first = 0;
    const over = this.#until(row => {
      if (first === 0 && row.event?.type === 'content_block_delta') first = performance.now();
      return row.type === 'command_lifecycle' && row.state === 'completed';
    });
    const from = performance.now();
    const message = { role: 'user', content: [{ type: 'text', text }] };
    const beside = { parent_tool_use_id: null, session_id: '', uuid: randomUUID(), origin: { kind: 'human' } };
    this.#write({ type: 'user', message, ...beside });
    await over;
    return first - from;
  }

  async end(): Promise<void> {
    const gone = new Promise(resolve => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    await gone;
  }

  #write(frame: object): void {
    this.#child.stdin.write(`${JSON.stringify(frame)}\n`);
  }

  #until(fits: (row: Row) => boolean): Promise<void> {
    return new Promise(resolve => {
      this.#onRow = row => {
        if (fits(row)) resolve();
      };
    });
  }
}
