import { cliPath } from '../support/cli/realCli.ts';
import { say } from '../support/model/script.ts';
import { Stage } from '../conformance/support/stage.ts';
import type { LiveSession } from '../conformance/support/stage.ts';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';
import { round } from './support/alternate.ts';
import { BareCli } from './support/bareCli.ts';

const GROUPS = 7;
const PAIRS = 24;
const WARM_UP = 4;
const REST_MS = 30;

interface Pair {
  readonly ours: number;
  readonly floor: number;
}

/**
 * From the prompt to the first words, with our whole engine and with the bare CLI on a pipe. Both live side by side and
 * are asked in turn, so that the CLI's own time, which varies far more than ours, cancels out; and since one process of
 * the CLI is luckier than another, several pairs of them are tried.
 */
export async function measures({ log }: BenchContext): Promise<Measure[]> {
  const pairs: Pair[] = [];
  for (let group = 0; group < GROUPS; group++) {
    pairs.push(...(await onePairOfProcesses(group % 2 === 0)));
    log(`${pairs.length} pairs of prompts`);
  }
  const difference = median(pairs.map(({ ours, floor }) => ours - floor));
  const floor = median(pairs.map(pair => pair.floor));
  return [
    {
      measure: 'prompt to first delta ms, bare CLI + overhead (paired)',
      ours: round(floor + difference),
      floor: round(floor),
      goal: round(floor + 5),
    },
    { measure: 'overhead to first delta ms (paired)', ours: round(difference, 2), goal: 5 },
  ];
}

async function onePairOfProcesses(weStartFirst: boolean): Promise<Pair[]> {
  const stage = await Stage.set();
  stage.model.onRequest(() => say('Hello there, this is the first of a few deltas.'));
  const executable = await cliPath();
  const startBare = async () => {
    const bare = new BareCli(executable, stage.workspace.path, stage.environment());
    await bare.initialize();
    return bare;
  };
  const early = weStartFirst ? await stage.open() : undefined;
  const bare = await startBare();
  const live = early ?? (await stage.open());
  try {
    const pairs: Pair[] = [];
    for (let pair = 0; pair < PAIRS + WARM_UP; pair++) {
      const times = await onePair(live, bare, pair % 2 === 0);
      if (pair >= WARM_UP) pairs.push(times);
    }
    return pairs;
  } finally {
    await bare.end();
    await stage.dispose();
  }
}

/** Who goes first changes, so that neither always finds the machine warmer. */
async function onePair(live: LiveSession, bare: BareCli, weGoFirst: boolean): Promise<Pair> {
  if (weGoFirst) return { ours: await withUs(live), floor: await withoutUs(bare) };
  const floor = await withoutUs(bare);
  return { ours: await withUs(live), floor };
}

/** What the CLI still does after a turn (saving, for one) must not fall into the time of the other. */
const rest = () => new Promise(resolve => setTimeout(resolve, REST_MS));

async function withUs(live: LiveSession): Promise<number> {
  await rest();
  const from = performance.now();
  let first = 0;
  const listener = live.session.transcript.onDidChange(change => {
    if (first === 0 && change.type === 'added' && change.item.kind === 'text') first = performance.now();
  });
  await live.turn('hello');
  listener.dispose();
  await live.idle();
  return first - from;
}

async function withoutUs(bare: BareCli): Promise<number> {
  await rest();
  return bare.turn('hello');
}
