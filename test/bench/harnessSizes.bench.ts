import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { temporaryFolder } from '../run/lib/processes.mjs';
import { packageExtension } from '../run/package.mjs';
import type { BenchContext, Measure } from './harness.ts';

const kilobytes = (bytes: number): number => Math.round(bytes / 102.4) / 10;

/** What is read when the extension starts and when the view opens, with the most it may weigh, in kB: plain and zipped. */
const bundles: readonly (readonly [file: string, plain: number, zipped: number])[] = [
  ['dist/extension.js', 400, 120],
  ['dist/guardian.js', 20, 8],
  ['dist/lazy/mcpBridge.js', 500, 130],
  ['dist/view/main.js', 250, 80],
  ['dist/view/main.css', 60, 15],
];

export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  const vsix = path.join(temporaryFolder('handrail-bench'), 'handrail.vsix');
  await packageExtension({ out: vsix, log });
  const sizes = bundles.flatMap(([file, plain, zipped]) => {
    const content = readFileSync(path.join(root, file));
    return [
      { measure: `${file} kB`, ours: kilobytes(content.length), goal: plain },
      { measure: `${file} gzip kB`, ours: kilobytes(gzipSync(content).length), goal: zipped },
    ];
  });
  return [{ measure: 'package kB', ours: kilobytes(statSync(vsix).size), goal: 1500 }, ...sizes];
}
