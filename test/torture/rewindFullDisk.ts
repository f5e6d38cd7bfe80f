import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool } from '../support/model/script.ts';
import { difference, RewindRig } from './rewindRig.ts';

const execute = promisify(execFile);
const long = 'long\n'.repeat(40_000);
const choice = { restore: [], keep: new Set<string>(), promptText: '' } as const;

/**
 * A rewind in a folder that is a tiny file system of its own (Linux, root) and full: refused without a change, and carried
 * out once there is room. Where no such disk can be made, it says so.
 */
export async function rewindOnFullDisk(): Promise<'no disk of our own' | 'refused, then carried out'> {
  const rig = await RewindRig.set({}, { git: false });
  const mounted = await execute('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', rig.folder]).then(
    () => true,
    () => false,
  );
  try {
    if (!mounted) return 'no disk of our own';
    const file_path = rig.stage.path('long.txt');
    await writeFile(file_path, long);
    const prompt = await rig.turn('shorten', [
      tool('Read', { file_path, limit: 10 }),
      tool('Write', { file_path, content: 'short\n' }),
    ]);
    const filler = join(rig.folder, 'filler');
    const { bavail, bsize } = await statfs(rig.folder);
    await writeFile(filler, Buffer.alloc((bavail - 2) * bsize));
    const full = await rig.tree();
    const attempt = rig.rewinder.rewind(await rig.look(prompt), rig.live.session, choice);
    await assert.rejects(attempt, { code: 'noSpace' });
    assert.deepEqual(difference(full, await rig.tree()), []);
    await rm(filler);
    await rig.rewinder.rewind(await rig.look(prompt), rig.live.session, choice);
    assert.equal(await readFile(file_path, 'utf8'), long);
    return 'refused, then carried out';
  } finally {
    await rig.live.end();
    if (mounted) await execute('umount', [rig.folder]);
    await rig.dispose();
  }
}
