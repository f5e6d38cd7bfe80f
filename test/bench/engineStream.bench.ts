import path from 'node:path';
import { temporaryFolder } from '../run/lib/processes.mjs';
import type { BenchContext, Measure } from './harness.ts';
import { ensureAgentSdk } from './support/agentSdk.mjs';
import { alternate, readOnce, round } from './support/alternate.ts';
import { writeEvents, writeLargeLines } from './support/wireFiles.ts';

const EVENTS = 200_000;
const ROUNDS = 7;
const MEGABYTE = 1_000_000;

export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  const folder = temporaryFolder('handrail-bench');
  const sdk = await ensureAgentSdk(log);
  return [...(await events(root, path.join(folder, 'events'), sdk)), ...(await largeLines(root, folder))];
}

async function events(root: string, file: string, sdk: string): Promise<Measure[]> {
  writeEvents(file, EVENTS);
  const ways = ['floor', 'ours', 'session', 'agentSdk'] as const;
  const { floor, ours, session, agentSdk } = await alternate(ways, ROUNDS, way => readOnce(root, way, file, sdk));
  if (ours.frames !== floor.frames || session.frames !== floor.frames) throw new Error('frames were lost');
  const goal = round(Math.min(floor.ms * 1.3, agentSdk.ms));
  return [
    // The floor decides; the ratio to it and the peer are both in the table of docs/performance.md.
    {
      measure: '200,000 events ms, to the floor',
      ours: round(ours.ms),
      floor: round(floor.ms),
      goal: round(floor.ms * 1.3),
    },
    { measure: '200,000 events ms, to the SDK', ours: round(ours.ms), peer: round(agentSdk.ms), goal },
    {
      measure: '200,000 events into a transcript ms, to the SDK',
      ours: round(session.ms),
      peer: round(agentSdk.ms),
      goal: round(agentSdk.ms),
    },
  ];
}

async function largeLines(root: string, folder: string): Promise<Measure[]> {
  const [one, hundred] = [path.join(folder, 'one'), path.join(folder, 'hundred')];
  writeLargeLines(one, 100 * MEGABYTE, 1);
  writeLargeLines(hundred, MEGABYTE, 100);
  const ways = ['floor', 'ours'] as const;
  const large = await alternate(ways, ROUNDS, way => readOnce(root, way, one));
  const many = await alternate(ways, ROUNDS, way => readOnce(root, way, hundred));
  const growth = (way: 'ours' | 'floor') => large[way].ms / many[way].ms;
  return [
    {
      measure: 'a line of 100 MB ms',
      ours: round(large.ours.ms),
      floor: round(large.floor.ms),
      goal: round(large.floor.ms * 1.2),
    },
    {
      measure: 'a line of 100 MB peak MB',
      ours: round(large.ours.peakMb),
      floor: round(large.floor.peakMb),
      goal: round(large.floor.peakMb * 1.5),
    },
    // The same bytes as lines of 1 MB: a cost that grows with the line would show beside the floor's own growth.
    {
      measure: 'cost of a byte, 100 MB line to 1 MB lines, times',
      ours: round(growth('ours'), 2),
      floor: round(growth('floor'), 2),
      goal: round(growth('floor') * 1.2, 2),
    },
  ];
}
