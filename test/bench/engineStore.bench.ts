import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { temporaryFolder } from '../run/lib/processes.mjs';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';
import { ensureAgentSdk } from './support/agentSdk.mjs';
import { round } from './support/alternate.ts';
import { ownProcess } from './support/ownProcess.ts';
import { writeSessions, writeTranscript } from './support/transcriptFiles.ts';

const ROUNDS = 5;
const SESSIONS = 1000;
const run = 'test/bench/support/storeRun.ts';

interface Reading {
  readonly ms: number;
  readonly items: number;
  readonly most?: number;
}

export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  return [...(await lastPage(root)), ...(await listing(root, await ensureAgentSdk(log)))];
}

/** The ways in turn, each in a process of its own; the medians. */
async function inTurn(root: string, ways: readonly (readonly string[])[]): Promise<Reading[]> {
  const readings: Reading[][] = ways.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [index, args] of ways.entries()) {
      // The one line of our own program.
      readings[index]?.push((await ownProcess(root, run, args)) as Reading);
    }
  }
  return readings.map(all => ({
    ms: median(all.map(each => each.ms)),
    items: median(all.map(each => each.items)),
    most: Math.max(...all.map(each => each.most ?? 0)),
  }));
}

async function lastPage(root: string): Promise<Measure[]> {
  const config = temporaryFolder('handrail-bench');
  const id = randomUUID();
  writeTranscript(path.join(config, 'projects', '-project'), id, 100_000_000, '/project');
  const [page, full] = await inTurn(root, [
    ['lastPage', config, id],
    ['fullParse', config, id, '-project'],
  ]);
  if (page === undefined || full === undefined || page.items < 50) throw new Error('the page is not full');
  return [
    {
      measure: 'last page of a 100 MB transcript ms, to a full parse',
      ours: round(page.ms, 2),
      floor: round(full.ms),
      goal: round(full.ms * 0.05, 2),
    },
  ];
}

async function listing(root: string, sdk: string): Promise<Measure[]> {
  const config = temporaryFolder('handrail-bench');
  writeSessions(config, root, SESSIONS, 300_000);
  const [ours, theirs] = await inTurn(root, [
    ['list', config, root],
    ['listWithSdk', config, root, sdk],
  ]);
  if (ours?.items !== SESSIONS || theirs?.items !== SESSIONS)
    throw new Error(`listed ${String(ours?.items)} and ${String(theirs?.items)}`);
  return [
    { measure: 'list 1,000 sessions, most KiB read of one', ours: round(ours.most ?? Infinity), goal: 128 },
    {
      measure: 'list 1,000 sessions ms, to the SDK',
      ours: round(ours.ms),
      peer: round(theirs.ms),
      goal: round(theirs.ms),
    },
  ];
}
