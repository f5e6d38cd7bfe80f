import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { bundleTs } from '../../run/lib/runTs.mjs';
import { median } from '../harness.ts';

const execute = promisify(execFile);

export interface Reading {
  readonly ms: number;
  /** The fastest of all rounds: what is left when nothing else wants the processor. */
  readonly bestMs?: number;
  /** Time of the processor the consumer took. */
  readonly cpuMs: number;
  readonly frames: number;
  readonly peakMb: number;
}

/** One run in a process of its own: nobody inherits the heap of another. */
export async function readOnce(root: string, way: string, file: string, sdk = ''): Promise<Reading> {
  const program = await bundleTs('test/bench/support/consumer.ts');
  const producer = path.join(root, 'test/bench/support/producer.mjs');
  const { stdout } = await execute(process.execPath, [program, way, producer, sdk], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', HANDRAIL_BENCH_FILE: file },
    timeout: 120_000,
  });
  // Our own program's one line.
  return JSON.parse(stdout) as Reading;
}

/**
 * The ways in turn, round after round, so that whatever else the machine does hits all of them alike; the median of each.
 * Every way must have seen the same number of frames.
 */
export async function alternate<Way extends string>(
  ways: readonly Way[],
  rounds: number,
  once: (way: Way) => Promise<Reading>,
): Promise<Record<Way, Required<Reading>>> {
  const readings = new Map<Way, Reading[]>(ways.map(way => [way, []]));
  for (let round = 0; round < rounds; round++) {
    for (const way of ways) readings.get(way)?.push(await once(way));
  }
  const entries = ways.map(way => {
    const all = readings.get(way) ?? [];
    const of = (key: 'ms' | 'cpuMs' | 'frames' | 'peakMb') => median(all.map(reading => reading[key]));
    const bestMs = Math.min(...all.map(reading => reading.ms));
    return [way, { ms: of('ms'), bestMs, cpuMs: of('cpuMs'), frames: of('frames'), peakMb: of('peakMb') }] as const;
  });
  // Built from the list of ways, so every way is a key.
  return Object.fromEntries(entries) as Record<Way, Required<Reading>>;
}

export const round = (value: number, digits = 1): number => Number(value.toFixed(digits));
