import { expect, it } from 'vitest';
import { pourGarbage } from '../fuzz/garbagePipe.ts';

const LINES = 100_000;

it('takes 100,000 lines of garbage from bytes to transcript: nothing is thrown and no good line is lost', () => {
  const report = pourGarbage(LINES, 20_261_118);
  expect(report).toMatchObject({ lines: LINES, arrived: report.sent, failures: [] });
  expect(report.sent).toBe(LINES / 16);
  expect(report.problems).toBeGreaterThan(LINES / 10);
  expect(report.frames).toBeGreaterThan(LINES / 10);
  expect(report.longestExcerpt).toBeLessThanOrEqual(400);
});
