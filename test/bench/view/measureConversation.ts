import { z } from 'zod';
import type { BenchContext, Measure } from '../harness.ts';
import { median } from '../harness.ts';
import { round } from '../support/alternate.ts';
import type { BenchBrowser, View } from './benchPage.ts';
import { conversationOf } from './conversation.ts';

const ROUNDS = 5;
const few = conversationOf(100);
const many = conversationOf(10_000);
const scrollSchema = z.object({ frames: z.number(), worst: z.number(), maxRows: z.number() });

/** From the view's question for its conversation to the first paint of it, few and many by turns. */
export async function measureOpening(browser: BenchBrowser, { log }: BenchContext): Promise<Measure[]> {
  const openings = async (view: View, rounds: number) => {
    const times: { few: number[]; many: number[]; host: number[] } = { few: [], many: [], host: [] };
    for (let count = 0; count < rounds; count++) {
      log(`${view}, round ${count + 1} of ${rounds}`);
      for (const [name, items] of [['few', few] as const, ['many', many] as const]) {
        const page = await browser.open(view, items);
        times[name].push(await page.probe('openMs()', z.number()));
        if (name === 'many') times.host.push(browser.host.greetMs);
        await page.close();
      }
    }
    return { few: median(times.few), many: median(times.many), host: median(times.host) };
  };
  const ours = await openings('ours', ROUNDS);
  const below = await openings('keepsBelow', 3);
  const naive = await openings('naive', 1);
  return [
    {
      measure: 'view, open 10,000 messages, ms (floor: 100 messages; peer: keeps everything below)',
      ours: round(ours.many),
      floor: round(ours.few),
      peer: round(below.many),
      goal: round(ours.few * 1.5),
    },
    {
      measure: 'view, open 10,000 messages, ms (peer: draws all)',
      ours: round(ours.many),
      peer: round(naive.many),
      goal: round(naive.many / 5),
    },
    { measure: 'view, host’s part of the first paint, ms', ours: round(ours.host), goal: 20 },
  ];
}

interface Scrolled {
  readonly worstFrame: number;
  /** The same when nothing moves. */
  readonly worstRest: number;
  readonly worstTask: number;
  readonly rows: number;
  readonly bytes: number;
}

/** To the beginning and back to the end of 10,000 messages, 2,000 pixels a frame. */
export async function measureScrolling(browser: BenchBrowser, { log }: BenchContext): Promise<Measure[]> {
  const scroll = async (view: View, step: number, items = many): Promise<Scrolled> => {
    const page = await browser.open(view, items);
    const seen: z.infer<typeof scrollSchema>[] = [];
    const { durations } = await page.tasksDuring(async () => {
      seen.push(await page.probe(`scroll(${step})`, scrollSchema));
    });
    const bytes = await page.heap();
    const worstRest = await page.probe(`rest(${Math.min(600, seen[0]?.frames ?? 0)})`, z.number());
    await page.close();
    const { worst = NaN, maxRows = NaN } = seen[0] ?? {};
    return { worstFrame: worst, worstRest, worstTask: durations[0] ?? NaN, rows: maxRows, bytes };
  };
  const small = await scroll('ours', 2000, few);
  const ours: Scrolled[] = [];
  for (let count = 0; count < 3; count++) {
    log(`scrolling, round ${count + 1} of 3`);
    ours.push(await scroll('ours', 2000));
  }
  log('scrolling, everything below kept');
  // In bigger steps: it would take minutes.
  const below = await scroll('keepsBelow', 20_000);
  const smallBelow = await scroll('keepsBelow', 2000, few);
  const rest = Math.min(...ours.map(one => one.worstRest));
  const perMessage = (bytes: number, less: number): number => (bytes - less) / (many.length - few.length);
  return [
    { measure: 'view, rows in the page', ours: Math.max(...ours.map(one => one.rows)), peer: below.rows, goal: 80 },
    {
      measure: 'view, longest task while scrolling, ms of processor time',
      ours: round(median(ours.map(one => one.worstTask))),
      peer: round(below.worstTask),
      goal: 50,
    },
    {
      measure: 'view, longest frame while scrolling, ms (best of 3; floor: nothing moves)',
      ours: round(Math.min(...ours.map(one => one.worstFrame))),
      floor: round(rest),
      peer: round(below.worstFrame),
      // On a machine that drops frames by itself, no more than two frames longer than it does.
      goal: round(Math.max(50, rest + 33.4)),
    },
    {
      measure: 'view, heap a message, bytes',
      ours: Math.round(perMessage(median(ours.map(one => one.bytes)), small.bytes)),
      peer: Math.round(perMessage(below.bytes, smallBelow.bytes)),
      goal: 2048,
    },
  ];
}
