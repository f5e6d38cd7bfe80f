import { RealCliDriver } from '../support/cli/realCliDriver.ts';
import { cliPath } from '../support/cli/realCli.ts';
import { say } from '../support/model/script.ts';
import { Stage } from '../conformance/support/stage.ts';
import type { LiveSession } from '../conformance/support/stage.ts';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';
import { round } from './support/alternate.ts';

const PAIRS = 60;
const WARM_UP = 8;

/**
 * From the prompt to the first words, with our whole engine and with the bare CLI on a pipe. Both processes live side by
 * side and are asked in turn, so that the CLI's own time, which varies far more than ours, cancels out.
 */
export async function measures({ log }: BenchContext): Promise<Measure[]> {
  const stage = await Stage.set();
  stage.model.onRequest(() => say('Hello there, this is the first of a few deltas.'));
  const live = await stage.open();
  const bare = new RealCliDriver({
    executable: await cliPath(),
    cwd: stage.workspace.path,
    environment: stage.environment(),
    extraArguments: ['--permission-mode=default'],
  });
  bare.send({ type: 'control_request', request_id: 'init', request: { subtype: 'initialize' } });
  await bare.waitFor(frame => frame['type'] === 'control_response');
  try {
    const [ours, floor]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS + WARM_UP; pair++) {
      const times = await onePair(live, bare, pair % 2 === 0);
      if (pair < WARM_UP) continue;
      ours.push(times.ours);
      floor.push(times.floor);
    }
    log(`medians of ${PAIRS} pairs`);
    const difference = median(ours.map((ms, pair) => ms - (floor[pair] ?? 0)));
    return [
      {
        measure: 'prompt to first delta ms',
        ours: round(median(ours)),
        floor: round(median(floor)),
        goal: round(median(floor) + 5),
      },
      { measure: 'overhead to first delta ms (paired)', ours: round(difference, 2), goal: 5 },
    ];
  } finally {
    await bare.dispose();
    await stage.dispose();
  }
}

/** Who goes first changes, so that neither always finds the machine warmer. */
async function onePair(
  live: LiveSession,
  bare: RealCliDriver,
  weGoFirst: boolean,
): Promise<{ readonly ours: number; readonly floor: number }> {
  if (weGoFirst) return { ours: await withUs(live), floor: await withoutUs(bare) };
  const floor = await withoutUs(bare);
  return { ours: await withUs(live), floor };
}

async function withUs(live: LiveSession): Promise<number> {
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

async function withoutUs(bare: RealCliDriver): Promise<number> {
  const from = performance.now();
  bare.prompt('hello');
  await bare.waitFor(frame => frame['type'] === 'stream_event' && isFirstDelta(frame));
  const first = performance.now();
  await bare.waitFor(frame => frame['type'] === 'command_lifecycle' && frame['state'] === 'completed');
  return first - from;
}

function isFirstDelta(frame: Readonly<Record<string, unknown>>): boolean {
  const event = frame['event'];
  return typeof event === 'object' && event !== null && 'type' in event && event.type === 'content_block_delta';
}
