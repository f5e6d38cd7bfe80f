import type { CDPSession } from 'playwright-core';
import { z } from 'zod';

/** The tasks of the page's main thread, in milliseconds of processor time, longest first. */
export interface Tasks {
  readonly durations: readonly number[];
}

const eventSchema = z.looseObject({
  name: z.string(),
  ph: z.string(),
  pid: z.number(),
  tid: z.number(),
  dur: z.optional(z.number()),
  tdur: z.optional(z.number()),
  args: z.optional(z.looseObject({ name: z.optional(z.unknown()) })),
});

type TraceEvent = z.infer<typeof eventSchema>;

/** Records what Chromium's threads do meanwhile. */
export async function readTrace(session: CDPSession, work: () => Promise<void>): Promise<Tasks> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: unknown[] }): void => {
    for (const one of value) events.push(eventSchema.parse(one));
  };
  session.on('Tracing.dataCollected', collect);
  const complete = new Promise<void>(resolve => session.once('Tracing.tracingComplete', () => resolve()));
  await session.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline', '__metadata'], excludedCategories: ['*'] },
    transferMode: 'ReportEvents',
  });
  await work();
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  return { durations: mainThreadTasks(events) };
}

function mainThreadTasks(events: readonly TraceEvent[]): number[] {
  const mains = new Set(
    events
      .filter(event => event.name === 'thread_name' && event.args?.name === 'CrRendererMain')
      .map(event => `${event.pid} ${event.tid}`),
  );
  return events
    .filter(event => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(`${event.pid} ${event.tid}`))
    .map(event => (event.tdur ?? event.dur ?? 0) / 1000)
    .sort((one, other) => other - one);
}
