// npm run fuzz: millions of lines of garbage through the whole pipe. `npm run fuzz -- 100000 7` sets lines and seed.
import { bootstrap, program } from './lib/bootstrap.mjs';
import { importTs } from './lib/runTs.mjs';

await program(async ({ log, elapsed }) => {
  await bootstrap(log);
  const lines = Number(process.argv[2] ?? 5_000_000);
  const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31);
  console.log(`${lines} lines, seed ${seed}`);
  /** @type {{pourGarbage: (lines: number, seed: number, onProgress?: (done: number) => void) => import('../fuzz/garbagePipe.ts').GarbageReport}} */
  const { pourGarbage } = await importTs('test/fuzz/garbagePipe.ts');
  const report = pourGarbage(lines, seed, done => {
    if (done % 500_000 === 0) console.log(`  ${done} lines, ${elapsed()}`);
  });
  console.log(JSON.stringify({ seed, ...report, failures: report.failures.slice(0, 5) }));
  const ok = report.arrived === report.sent && report.failures.length === 0 && report.longestExcerpt <= 400;
  console.log(`${ok ? '✓' : '✗'} in ${elapsed()}`);
  return ok ? 0 : 1;
});
