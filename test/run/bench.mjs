// npm run bench [name…]: one JSON line per measure on stdout, a table on stderr. Files are found by glob: test/bench/*.bench.ts
import fs from 'node:fs';
import path from 'node:path';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { Fault } from './lib/fault.mjs';
import { importTs } from './lib/runTs.mjs';

/** @typedef {import('../bench/harness.ts').Measure} Measure */
/** @typedef {{measure: string, ours: number, floor: number | null, peer: number | null, ratio: number | null, goal: number, ok: boolean}} Line */

/** @param {Measure} measure @returns {Line} the ratio is to the peer if there is one, else to the floor */
function lineOf({ measure, ours, floor, peer, goal }) {
  const beside = peer ?? floor;
  const ratio = beside === undefined || beside === 0 ? null : Math.round((ours / beside) * 100) / 100;
  return { measure, ours, floor: floor ?? null, peer: peer ?? null, ratio, goal, ok: ours <= goal };
}

/** @param {readonly Line[]} lines @returns {string} */
function table(lines) {
  const head = ['measure', 'ours', 'floor', 'peer', 'ratio', 'goal', 'ok'];
  const rows = lines.map(line =>
    [line.measure, line.ours, line.floor, line.peer, line.ratio, line.goal, line.ok ? 'yes' : 'NO'].map(cell =>
      String(cell ?? '–'),
    ),
  );
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map(row => row[column]?.length ?? 0)));
  return [head, ...rows]
    .map(row =>
      row
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

await program(async ({ log, step }) => {
  await bootstrap(log);
  const wanted = process.argv.slice(2);
  const folder = path.join(root, 'test', 'bench');
  const names = fs.readdirSync(folder).filter(name => name.endsWith('.bench.ts'));
  const chosen = names.filter(name => wanted.length === 0 || wanted.some(word => name.includes(word))).sort();
  if (chosen.length === 0) throw new Fault(`There is no such bench: choose from ${names.join(', ')}.`);
  /** @type {Line[]} */
  const lines = [];
  for (const name of chosen) {
    /** @type {import('../bench/harness.ts').Bench} */
    const bench = await importTs(`test/bench/${name}`);
    const measures = await step(name, note => bench.measures({ root, log: note }));
    if (measures.length === 0) throw new Fault(`${name} measured nothing.`);
    for (const line of measures.map(lineOf)) {
      lines.push(line);
      console.log(JSON.stringify(line));
    }
  }
  log(`\n${table(lines)}`);
  return lines.every(({ ok }) => ok) ? 0 : 1;
});
