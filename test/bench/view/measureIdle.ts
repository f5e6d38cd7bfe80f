import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { Measure } from '../harness.ts';
import { round } from '../support/alternate.ts';
import type { BenchBrowser } from './benchPage.ts';
import { conversationOf } from './conversation.ts';

const SECONDS = 4;
const countedSchema = z.object({ framesAsked: z.number(), timersStarted: z.number() });

/** Nothing happens: nobody may ask for a frame or a timer, and the processor has nothing to do. */
export async function measureIdle(browser: BenchBrowser): Promise<Measure[]> {
  const page = await browser.open('ours', conversationOf(1000));
  // What opening left behind: the announcement, the saved scroll place.
  await pause(1500);
  await page.probe('watchTimers()', z.undefined());
  const before = await page.busySeconds();
  await pause(SECONDS * 1000);
  const busy = (await page.busySeconds()) - before;
  const counted = await page.probe('counted()', countedSchema);
  await page.close();
  return [
    {
      measure: `view, frames and timers asked for in ${SECONDS} idle seconds`,
      ours: counted.framesAsked + counted.timersStarted,
      goal: 0,
    },
    // What the question itself costs, rather than nothing at all.
    { measure: 'view, processor time of an idle second, ms', ours: round((busy * 1000) / SECONDS, 2), goal: 1 },
  ];
}
