import { spawn } from 'node:child_process';
import { Deferred } from '../../../src/base/deferred.ts';
import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import { AgentSession } from '../../../src/session/agentSession.ts';
import { routeOf } from '../../../src/session/frameRoute.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import { startChildTransport } from '../../../src/transport/childTransport.ts';

/**
 * Reads one prepared file from a producer and prints how long it took and how much memory at most. A program of its own,
 * so that no run inherits the heap of another: `consumer <way> <producer> <sdk>`.
 */
const [way = '', producer = '', sdk = ''] = process.argv.slice(2);
const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  HANDRAIL_BENCH_FILE: process.env['HANDRAIL_BENCH_FILE'] ?? '',
};

interface Reading {
  readonly ms: number;
  /** Of this process alone: what a busy machine does not change much. */
  readonly cpuMs: number;
  readonly frames: number;
}

/** Runs from the prompt to the result; the producer is up and has answered before. */
class StopWatch {
  readonly #from = performance.now();
  readonly #cpu = process.cpuUsage();

  read(frames: number): Reading {
    const { user, system } = process.cpuUsage(this.#cpu);
    return { ms: performance.now() - this.#from, cpuMs: (user + system) / 1000, frames };
  }
}

/** The least a host can do: read, split, parse. */
function floor(): Promise<Reading> {
  const child = spawn(process.execPath, [producer], { env, stdio: ['pipe', 'pipe', 'inherit'] });
  let watch: StopWatch | undefined;
  let frames = 0;
  let pieces: Buffer[] = [];
  /** Nothing but the text is held afterwards: the floor is no straw man for memory either. */
  const joined = (): string => {
    const whole = Buffer.concat(pieces);
    pieces = [];
    return whole.toString('utf8');
  };
  return new Promise(resolve => {
    const take = (line: string): void => {
      const frame = JSON.parse(line) as { type: string };
      if (watch === undefined) {
        watch = new StopWatch();
        child.stdin.write('{"type":"user"}\n');
        return;
      }
      frames += 1;
      if (frame.type !== 'result') return;
      resolve(watch.read(frames));
      child.stdin.end();
    };
    child.stdout.on('data', (chunk: Buffer) => {
      const last = chunk.lastIndexOf(10);
      if (last === -1) {
        pieces.push(chunk);
        return;
      }
      pieces.push(chunk.subarray(0, last));
      const text = joined();
      if (last + 1 < chunk.length) pieces.push(chunk.subarray(last + 1));
      for (const line of text.includes('\n') ? text.split('\n') : [text]) take(line);
    });
    child.stdin.write('{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n');
  });
}

function transport() {
  return startChildTransport({ command: process.execPath, args: [producer], cwd: process.cwd(), env });
}

/** Transport, decoding with validation, and dispatch by kind. */
function ours(): Promise<Reading> {
  const line = transport();
  const counts = { control: 0, internal: 0, conversation: 0 };
  let watch: StopWatch | undefined;
  return new Promise((resolve, reject) => {
    line.open({
      onFrame: (frame: CliFrame) => {
        counts[routeOf(frame)] += 1;
        if (frame.type === 'control_response') {
          watch = new StopWatch();
          const message = { role: 'user' as const, content: [{ type: 'text' as const, text: 'go' }] };
          line.send({ type: 'user', message, parent_tool_use_id: null, session_id: '' }).catch(reject);
        }
        if (frame.type !== 'result' || watch === undefined) return;
        resolve(watch.read(counts.conversation));
        void line.stop();
      },
      onProblem: problem => reject(new Error(problem.message)),
      onClose: () => undefined,
    });
    line.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } }).catch(reject);
  });
}

/** All of it: also the session and its transcript. */
async function session(): Promise<Reading> {
  const agent = new AgentSession({ transport: transport(), transcript: new Transcript(), cwd: process.cwd() });
  await agent.start();
  let frames = 0;
  const watch = new StopWatch();
  const reading = new Promise<Reading>(resolve => {
    agent.onDidReceiveFrame(frame => {
      frames += 1;
      if (frame.type === 'result') resolve(watch.read(frames));
    });
  });
  agent.prompt('go');
  const result = await reading;
  await agent.stop();
  return result;
}

interface AgentSdk {
  readonly query: (options: object) => AsyncIterable<{ type: string }> & { initializationResult?(): Promise<unknown> };
}

/** The official SDK, pointed at the same producer. */
async function agentSdk(): Promise<Reading> {
  // Fetched for the bench, not installed: its types are not here.
  const { query } = (await import(sdk)) as AgentSdk;
  const go = new Deferred<undefined>();
  async function* prompts() {
    await go.promise;
    yield { type: 'user', message: { role: 'user', content: 'go' }, parent_tool_use_id: null, session_id: '' };
  }
  const options = {
    pathToClaudeCodeExecutable: producer,
    executable: process.execPath,
    includePartialMessages: true,
    env,
  };
  const conversation = query({ prompt: prompts(), options });
  await conversation.initializationResult?.();
  const watch = new StopWatch();
  go.resolve(undefined);
  let frames = 0;
  for await (const message of conversation) {
    frames += 1;
    if (message.type === 'result') break;
  }
  return watch.read(frames);
}

const ways: Readonly<Record<string, () => Promise<Reading>>> = { floor, ours, session, agentSdk };
const run = ways[way];
if (run === undefined) throw new Error(`There is no way ${way}.`);
const reading = await run();
console.log(JSON.stringify({ ...reading, peakMb: process.resourceUsage().maxRSS / 1024 }));
process.exit(0);
