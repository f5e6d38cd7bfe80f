import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleTs } from '../../run/lib/runTs.mjs';

const execute = promisify(execFile);

/** Runs a measuring program by itself and gives the one JSON line it prints. */
export async function ownProcess(root: string, entry: string, args: readonly string[] = []): Promise<unknown> {
  const program = await bundleTs(entry);
  const { stdout } = await execute(process.execPath, [program, ...args], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' },
    timeout: 300_000,
  });
  return JSON.parse(stdout) as unknown;
}
