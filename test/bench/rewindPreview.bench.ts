import path from 'node:path';
import { prepare } from '../run/layers/e2e.mjs';
import { removeFolder } from '../run/lib/processes.mjs';
import { importTs } from '../run/lib/runTs.mjs';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';

const ROUNDS = 5;
const FILES = 500;

interface Speed {
  readonly ours: number[];
  readonly floor: number[];
  readonly told: string[];
}

/** What the browser's side offers; its own types need a browser's, which this program does not have. */
interface PreviewSpeedModule {
  readonly previewSpeed: (options: object) => Promise<Speed>;
}

/** The preview of a rewind in a real window with the real CLI, beside VS Code's own diff over as many plain files. */
export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  const prepared = await prepare({ root, log, artifacts: path.join(root, 'artifacts', 'bench') });
  try {
    // A module that is built on the fly has no types of its own.
    const { previewSpeed } = (await importTs('test/e2e/support/previewSpeed.ts')) as PreviewSpeedModule;
    const { ours, floor, told } = await previewSpeed({ prepared, files: FILES, rounds: ROUNDS, log });
    for (const line of told) log(line);
    return [{ measure: `preview of ${FILES} files, ms`, ours: median(ours), floor: median(floor), goal: 2_000 }];
  } finally {
    removeFolder(path.dirname(prepared.extensions));
  }
}
