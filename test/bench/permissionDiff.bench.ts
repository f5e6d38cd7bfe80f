import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { run } from '../run/layers/e2e.mjs';
import type { BenchContext, Measure } from './harness.ts';

const figuresSchema = z.object({ plain: z.number(), read: z.number(), painted: z.number() });

/**
 * From the question of the program to the painted diff of a file of 10,000 lines, in a real VS Code: medians of
 * `test/e2e/permissionsSpeed.e2e.ts`. The floor is VS Code's own diff of two plain files, by turns in the same window.
 */
export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  process.env['HANDRAIL_DIFF_ROUNDS'] = '16';
  const artifacts = path.join(root, 'artifacts');
  const { failures } = await run({ root, log, artifacts, args: ['permissionsSpeed', '--retries', '0'] });
  const figures = readFigures(path.join(artifacts, 'e2e-results.json'));
  if (figures === undefined) throw new Error(failures[0]?.message ?? 'The diffs were not measured.');
  const { plain, read, painted } = figures;
  const goal = Math.max(150, Math.round(plain * 1.5));
  return [
    { measure: 'question to file read and diff made ms', ours: read, goal: 20 },
    { measure: 'question to diff painted ms', ours: painted, floor: plain, goal },
  ];
}

/** The annotation of the test, wherever it is in Playwright's report. */
function readFigures(report: string): z.infer<typeof figuresSchema> | undefined {
  let found: string | undefined;
  JSON.parse(readFileSync(report, 'utf8'), (_, value: unknown) => {
    const annotation = z.object({ type: z.literal('diff'), description: z.string() }).safeParse(value);
    if (annotation.success) found = annotation.data.description;
    return value;
  });
  return found === undefined ? undefined : figuresSchema.parse(JSON.parse(found));
}
