import type { SessionStarter } from '../../src/host/sessions/sessionStarter.ts';
import { Stage } from '../conformance/support/stage.ts';
import { startNew, starterOn } from '../conformance/support/starters.ts';
import { say } from '../support/model/script.ts';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';
import { round } from './support/alternate.ts';

const PAIRS = 12;
/** A person reads an answer before they begin another conversation; the spare is long up by then. */
const READING_MS = 1_000;

/** From “new session” to the first words of its first answer: with a spare process that waits, and without one, in turn. */
export async function measures({ log }: BenchContext): Promise<Measure[]> {
  const stage = await Stage.set();
  stage.model.onRequest(() => say('Hello there, this is the first of a few deltas.'));
  const withSpare = await starterOn(stage);
  try {
    // From the second conversation on there is a spare.
    for (let warmUp = 0; warmUp < 2; warmUp++) await firstWords(withSpare, stage.workspace.path);
    const [spare, none]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS; pair++) {
      await new Promise(resolve => setTimeout(resolve, READING_MS));
      if (withSpare.sparePid === undefined) throw new Error('There is no spare.');
      const one = async (): Promise<number> => spare.push(await firstWords(withSpare, stage.workspace.path));
      const other = async (): Promise<number> =>
        none.push(await firstWords(await starterOn(stage), stage.workspace.path));
      await (pair % 2 === 0 ? one().then(other) : other().then(one));
    }
    log(`${PAIRS} pairs of new sessions`);
    const [ours, peer] = [median(spare), median(none)];
    return [
      {
        measure: 'new session to first delta ms (peer: no spare)',
        ours: round(ours),
        peer: round(peer),
        goal: round(peer * 0.6),
      },
    ];
  } finally {
    withSpare.dispose();
    await stage.dispose();
  }
}

/** Milliseconds to the first words; returns when the session is gone again. */
async function firstWords(starter: SessionStarter, cwd: string): Promise<number> {
  const from = performance.now();
  const session = await startNew(starter, cwd);
  let first = 0;
  session.onDidReceiveFrame(frame => {
    if (first === 0 && frame.type === 'stream_event' && frame.event.type === 'content_block_delta') {
      first = performance.now();
    }
  });
  await session.prompt('Hello').done;
  await session.stop();
  if (first === 0) throw new Error('Nothing was said.');
  return first - from;
}
