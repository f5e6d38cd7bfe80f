// npm run torture [seed] [part…]: the long form of test/conformance/torture.test.ts. `npm run torture -- 42` repeats the
// run of seed 42, `npm run torture -- 42 histories` only that part of it, `… histories from=150` the rest of a part that
// was cut off.
import path from 'node:path';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { ensureChromium, ensureCli, ensureVscode } from './lib/cache.mjs';
import { enterCleanEnvironment } from './lib/environment.mjs';
import { Fault } from './lib/fault.mjs';
import { importTs } from './lib/runTs.mjs';

const kills = 100;
const sessions = 50;
const proposals = 1000;
const histories = 300;
const sequences = 200;

await program(async ({ log, elapsed }) => {
  await bootstrap(log);
  await ensureCli(undefined, log);
  await ensureVscode(log);
  process.env['HANDRAIL_CHROMIUM'] = await ensureChromium(log);
  const [given, ...words] = process.argv.slice(2);
  const wanted = words.filter(word => !word.startsWith('from='));
  const from = Number(words.find(word => word.startsWith('from='))?.slice('from='.length) ?? 0);
  const seed = Number(given ?? Date.now() % 2 ** 31);
  if (!Number.isInteger(seed)) throw new Fault(`The first word is the seed, a whole number: ${given}`);
  console.log(`seed ${seed}`);
  /** @type {typeof import('../torture/kills.ts')} */
  const { killAgainAndAgain } = await importTs('test/torture/kills.ts');
  /** @type {typeof import('../torture/faults.ts')} */
  const { closedOutput, fullDisk, hungChild, openAndClose } = await importTs('test/torture/faults.ts');
  /** @type {typeof import('../torture/proposalPairs.ts')} */
  const { acceptAgainAndAgain } = await importTs('test/torture/proposalPairs.ts');
  /** @type {typeof import('../torture/rewindHistories.ts')} */
  const { rewindHistories } = await importTs('test/torture/rewindHistories.ts');
  const { run: runEndToEnd } = await import('./layers/e2e.mjs');
  enterCleanEnvironment();
  /** @param {string} line */
  const print = line => console.log(`  ${line}`);
  const playSequences = async () => {
    process.env['HANDRAIL_SEQUENCES'] = `${sequences}:${seed}`;
    const artifacts = path.join(root, 'artifacts');
    const { failures } = await runEndToEnd({ root, log: print, artifacts, args: ['permissionsSequences'] });
    if (failures[0]) throw new Error(`${failures[0].title}\n${failures[0].message}`);
  };
  /** @type {[string, () => Promise<unknown>][]} */
  const all = [
    [`${kills} kills`, () => killAgainAndAgain(kills, seed, print)],
    [`${proposals} accepted proposals`, () => acceptAgainAndAgain(proposals, seed, print)],
    [`${histories} histories rewound`, () => rewindHistories(histories, seed, print, from)],
    ['closed output', closedOutput],
    ['hung child', hungChild],
    [`${sessions} sessions opened and closed`, () => openAndClose(sessions, print)],
    ['full disk', fullDisk],
    [`${sequences} sequences of questions in one window`, playSequences],
  ];
  const parts = all.filter(([name]) => wanted.length === 0 || wanted.some(word => name.includes(word)));
  if (parts.length === 0)
    throw new Fault(`There is no such part: choose from ${all.map(([name]) => name).join(', ')}.`);
  let failed = 0;
  for (const [name, part] of parts) {
    try {
      const outcome = await part();
      console.log(`✓ ${name}${typeof outcome === 'string' ? ` (${outcome})` : ''}, ${elapsed()}`);
    } catch (error) {
      failed += 1;
      console.log(`✗ ${name}: ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  console.log(`${parts.length - failed} passed, ${failed} failed, seed ${seed}`);
  return failed > 0 ? 1 : 0;
});
