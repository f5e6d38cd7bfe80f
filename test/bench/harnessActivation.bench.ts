import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { ensureChromium } from '../run/lib/chromium.mjs';
import { run, temporaryFolder } from '../run/lib/processes.mjs';
import { ensureVscode } from '../run/lib/vscode.mjs';
import { vscePackage } from '../run/lib/vsce.mjs';
import { packageExtension } from '../run/package.mjs';
import { installExtension, QUIET, writeSettings } from '../support/vscode/server.mjs';
import type { BenchContext, Measure } from './harness.ts';
import { median } from './harness.ts';

const ROUNDS = 5;
const resultSchema = z.object({ ours: z.number(), floor: z.number() });

/** Runs in the extension host: loads and activates both, by turns the one or the other first. */
const suite = `
const vscode = require('vscode');
const { writeFileSync } = require('node:fs');
exports.run = async () => {
  const names = [['ours', 'handrail-vscode.handrail'], ['floor', 'handrail-test.empty']];
  if (process.env.HANDRAIL_BENCH_REVERSE) names.reverse();
  const result = {};
  for (const [name, id] of names) {
    const extension = vscode.extensions.getExtension(id);
    if (!extension || extension.isActive) throw new Error(id + ' is not there or already active');
    const from = performance.now();
    await extension.activate();
    result[name] = performance.now() - from;
  }
  writeFileSync(process.env.HANDRAIL_BENCH_OUT, JSON.stringify(result));
};`;

function writeExtension(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name,
    publisher: 'handrail-test',
    version: '0.0.1',
    license: 'MIT',
    engines: { vscode: '^1.106.0' },
  };
  const more = { main: './main.js', activationEvents: [], extensionKind: ['workspace'] };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...manifest, ...more }));
  writeFileSync(path.join(folder, 'main.js'), 'exports.activate = () => undefined;\n');
  return folder;
}

/** From the call to the end of `activate()`, code loading included, beside an extension that does nothing. */
export async function measures({ root, log }: BenchContext): Promise<Measure[]> {
  const { vscode, node } = await ensureVscode(log);
  const chromium = await ensureChromium(log);
  const temp = temporaryFolder('hrb');
  const extensionsDir = path.join(temp, 'extensions');
  const { PATH, SystemRoot } = process.env;
  const env = { PATH, SystemRoot, HOME: temp };
  const vsix = [
    await packageExtension({ out: path.join(temp, 'handrail.vsix'), log }),
    await vscePackage(writeExtension(path.join(temp, 'empty'), 'empty'), path.join(temp, 'empty.vsix')),
  ];
  await installExtension({ vscode, node, userDataDir: path.join(temp, 'install'), extensionsDir, env, vsix });
  const driver = writeExtension(path.join(temp, 'driver'), 'driver');
  const tests = path.join(temp, 'suite.cjs');
  writeFileSync(tests, suite);
  const rounds: z.infer<typeof resultSchema>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const userData = path.join(temp, `user-${round}`);
    await writeSettings(userData, { user: QUIET });
    const out = path.join(temp, `result-${round}.json`);
    const switches = [`--extensionTestsPath=${tests}`, `--extensionDevelopmentPath=${driver}`];
    const folders = ['--user-data-dir', userData, '--extensions-dir', extensionsDir, '--disable-workspace-trust'];
    const result = await run(
      process.execPath,
      [path.join(root, 'test/support/vscode/code.mjs'), driver, ...switches, ...folders],
      {
        what: 'The activation bench',
        timeoutMs: 90_000,
        env: {
          ...env,
          HANDRAIL_HOST: JSON.stringify({ vscode, node, chromium, timeout: 60_000 }),
          HANDRAIL_BENCH_OUT: out,
          ...(round % 2 === 1 && { HANDRAIL_BENCH_REVERSE: '1' }),
        },
      },
    );
    if (result.code !== 0) throw new Error(`The extension host could not measure:\n${result.stdout}\n${result.stderr}`);
    rounds.push(resultSchema.parse(JSON.parse(readFileSync(out, 'utf8'))));
    log(`round ${round + 1} of ${ROUNDS}`);
  }
  const tenth = (value: number): number => Math.round(value * 10) / 10;
  return [
    {
      measure: 'activation ms',
      ours: tenth(median(rounds.map(({ ours }) => ours))),
      floor: tenth(median(rounds.map(({ floor }) => floor))),
      goal: 100,
    },
  ];
}
