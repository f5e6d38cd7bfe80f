import path from 'node:path';
import { temporaryFolder } from '../run/lib/processes.mjs';
import type { BenchContext, Measure } from './harness.ts';
import { ensureAgentSdk } from './support/agentSdk.mjs';
import type { Reading } from './support/alternate.ts';
import { alternate, readOnce, round } from './support/alternate.ts';
import { writeEvents, writeLargeLines } from './support/wireFiles.ts';

const EVENTS = 200_000;
const ROUNDS = 7;
/** More for the ones that are compared most closely. */
const EVENT_ROUNDS = 15;
const MEGABYTE = 1_000_000;

export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  const folder = temporaryFolder('handrail-bench');
  const sdk = await ensureAgentSdk(log);
  return [...(await events(root, path.join(folder, 'events'), sdk)), ...(await largeLines(root, folder))];
}

async function events(root: string, file: string, sdk: string): Promise<Measure[]> {
  writeEvents(file, EVENTS);
  // Wall time by the fastest round and processor time by the median: both say what the code costs, not what else runs.
  const ways = ['floor', 'ours', 'session', 'agentSdk'] as const;
  const { floor, ours, session, agentSdk } = await alternate(ways, EVENT_ROUNDS, way => readOnce(root, way, file, sdk));
  if (ours.frames !== floor.frames || session.frames !== floor.frames) throw new Error('frames were lost');
  const row = (measure: string, of: 'bestMs' | 'cpuMs', way: Required<Reading>, beside: 'floor' | 'peer'): Measure => {
    const other = beside === 'floor' ? floor : agentSdk;
    const most = beside === 'floor' ? other[of] * 1.3 : other[of];
    return { measure, ours: round(way[of]), [beside]: round(other[of]), goal: round(most) };
  };
  return [
    row('200,000 events, fastest ms, to the floor', 'bestMs', ours, 'floor'),
    row('200,000 events, processor ms, to the floor', 'cpuMs', ours, 'floor'),
    row('200,000 events, fastest ms, to the SDK', 'bestMs', ours, 'peer'),
    row('200,000 events, processor ms, to the SDK', 'cpuMs', ours, 'peer'),
    row('200,000 events into a transcript, processor ms, to the SDK', 'cpuMs', session, 'peer'),
  ];
}

async function largeLines(root: string, folder: string): Promise<Measure[]> {
  const [one, hundred] = [path.join(folder, 'one'), path.join(folder, 'hundred')];
  writeLargeLines(one, 100 * MEGABYTE, 1);
  writeLargeLines(hundred, MEGABYTE, 100);
  const ways = ['floor', 'ours'] as const;
  const large = await alternate(ways, ROUNDS, way => readOnce(root, way, one));
  const many = await alternate(ways, ROUNDS, way => readOnce(root, way, hundred));
  const growth = (way: 'ours' | 'floor') => large[way].cpuMs / many[way].cpuMs;
  return [
    {
      measure: 'a line of 100 MB, processor ms',
      ours: round(large.ours.cpuMs),
      floor: round(large.floor.cpuMs),
      goal: round(large.floor.cpuMs * 1.2),
    },
    {
      measure: 'a line of 100 MB peak MB',
      ours: round(large.ours.peakMb),
      floor: round(large.floor.peakMb),
      goal: round(large.floor.peakMb * 1.5),
    },
    // The same bytes as lines of 1 MB: a cost that grows with the line would show beside the floor's own growth.
    {
      measure: 'processor time of a byte, 100 MB line to 1 MB lines, times',
      ours: round(growth('ours'), 2),
      floor: round(growth('floor'), 2),
      goal: round(growth('floor') * 1.2, 2),
    },
  ];
}
