import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TransportListener } from '../../src/protocol/transport.ts';
import { AgentSession } from '../../src/session/agentSession.ts';
import { Transcript } from '../../src/session/transcript/transcript.ts';
import { FrameReader } from '../../src/transport/frameReader.ts';
import type { RandomBelow } from './randomNumbers.ts';
import { pick, randomNumbers } from './randomNumbers.ts';

const fixture = join(import.meta.dirname, '../fixtures/protocol/frames.ndjson');
const shards = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ':',
  ',',
  'null',
  '1e999',
  '\\u0000',
  '"type"',
  '__proto__',
  '\u2028',
  '😀',
  '\ud800',
  '\r',
  '\0',
];
const others = ['null', '7', '"x"', '[]', '{}', '[7]', '{"type":"x"}', 'true', '1e400', '""'];

/** Lines that were good once: cut, doubled, sown with rubbish, or with a value of another form somewhere. */
export function spoiltLine(samples: readonly string[], random: RandomBelow): string {
  const line = pick(samples, random);
  const at = random(line.length);
  const to = Math.min(line.length, at + 1 + random(12));
  switch (random(8)) {
    case 0:
      return line.slice(0, at);
    case 1:
      return line.slice(0, at) + line.slice(to);
    case 2:
      return line.slice(0, at) + pick(shards, random) + line.slice(at);
    case 3:
      return Array.from({ length: random(20) }, () => pick(shards, random)).join('');
    case 4:
      return line.slice(0, to) + line.slice(at);
    case 5:
      return line;
    default:
      return twisted(line, random);
  }
}

/** Stays JSON, and so gets past the parser to the schemas and the reducer. */
function twisted(line: string, random: RandomBelow): string {
  const values = [...line.matchAll(/:("[^"\\]*"|\d+|true|false|null|\[\]|\{\})/g)];
  const hit = values[random(Math.max(values.length, 1))];
  if (hit === undefined) return line;
  return `${line.slice(0, hit.index)}:${pick(others, random)}${line.slice(hit.index + hit[0].length)}`;
}

export interface GarbageReport {
  readonly lines: number;
  readonly frames: number;
  readonly problems: number;
  readonly longestExcerpt: number;
  /** Good lines that were put behind the garbage, and how many of them came through. */
  readonly sent: number;
  readonly arrived: number;
  /** What the session's own listeners or the log reported as failures of ours. */
  readonly failures: readonly string[];
}

/** A session is thrown away after so many lines: a conversation of millions of rows is another test. */
const sessionLines = 20_000;
const goodEvery = 16;

/**
 * Sends garbage the whole way: bytes in chunks of any size, splitter, decoder, session, transcript. After every few lines
 * comes a good one, which has to arrive. Throws whatever the pipe throws.
 */
export function pourGarbage(
  lines: number,
  seed: number,
  onProgress: (done: number) => void = () => undefined,
): GarbageReport {
  const random = randomNumbers(seed);
  const samples = readFileSync(fixture, 'utf8').trimEnd().split('\n');
  const report = { lines: 0, frames: 0, problems: 0, longestExcerpt: 0, sent: 0, arrived: 0, failures: [] as string[] };
  while (report.lines < lines) {
    const count = Math.min(sessionLines, lines - report.lines);
    pourInto(new Pipe(report), count, samples, random);
    onProgress(report.lines);
  }
  return report;
}

type Counts = { -readonly [Key in keyof GarbageReport]: Key extends 'failures' ? string[] : GarbageReport[Key] };

function pourInto(pipe: Pipe, count: number, samples: readonly string[], random: RandomBelow): void {
  let batch: string[] = [];
  for (let index = 0; index < count; index++) {
    batch.push(spoiltLine(samples, random).replaceAll('\n', ' '));
    if (index % goodEvery === goodEvery - 1) batch.push(pipe.goodLine());
    if (batch.length < 256 && index < count - 1) continue;
    pipe.push(Buffer.from(`${batch.join('\n')}\n`), random);
    batch = [];
  }
  pipe.count(count);
}

class Pipe {
  readonly #report: Counts;
  readonly #reader: FrameReader;
  readonly #expected = new Set<string>();
  #good = 0;
  #listener: TransportListener | undefined;

  constructor(report: Counts) {
    this.#report = report;
    const fail = (message: string): void => void report.failures.push(message.slice(0, 300));
    const quiet = (): void => undefined;
    const logger = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: fail };
    const session = new AgentSession({
      transport: {
        open: listener => {
          this.#listener = listener;
        },
        send: () => Promise.resolve(),
        stop: () => new Promise(() => undefined),
      },
      transcript: new Transcript({ logger }),
      cwd: '/project',
      logger,
      clock: { now: () => 0, after: () => ({ dispose: quiet }) },
    });
    // Nobody answers initialize here; the line is fed all the same.
    session.start().catch((error: unknown) => fail(String(error)));
    this.#reader = new FrameReader({
      onFrame: frame => {
        report.frames += 1;
        this.#listener?.onFrame(frame);
        if (frame.type === 'prompt_suggestion' && this.#expected.delete(frame.suggestion)) report.arrived += 1;
      },
      onProblem: problem => {
        report.problems += 1;
        report.longestExcerpt = Math.max(report.longestExcerpt, problem.excerpt.length);
        this.#listener?.onProblem(problem);
      },
    });
  }

  goodLine(): string {
    const suggestion = `good ${this.#good++}`;
    this.#expected.add(suggestion);
    this.#report.sent += 1;
    return JSON.stringify({ type: 'prompt_suggestion', suggestion, uuid: suggestion, session_id: 's1' });
  }

  /** In chunks that end anywhere, also inside characters. */
  push(bytes: Buffer, random: RandomBelow): void {
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + 1 + random(8192));
      this.#reader.push(bytes.subarray(from, to));
      from = to;
    }
  }

  count(lines: number): void {
    this.#report.lines += lines;
  }
}
