import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isRestorable } from '../../src/host/rewind/rewindPreview.ts';
import type { RandomBelow } from '../fuzz/randomNumbers.ts';
import { pick, randomNumbers } from '../fuzz/randomNumbers.ts';
import type { Turn } from '../support/model/script.ts';
import { tool } from '../support/model/script.ts';
import type { Tree } from './rewindRig.ts';
import { difference, foretoldFiles, gitState, RewindRig } from './rewindRig.ts';

const names = ['a.txt', 'b.txt', 'c d.txt', 'sub/e.txt', 'sub/deep/f.txt', 'ümlaut.txt'];
const historiesInOneSession = 5;

/**
 * Random turns by tools, shell and hand, with the real CLI; then back to every point and forth again. Every tree is
 * compared by hash: what the rewind leaves different must be exactly what it said it would.
 */
export async function rewindHistories(
  count: number,
  seed: number,
  print: (line: string) => void,
  from = 0,
): Promise<number> {
  const seeds = randomNumbers(seed);
  let rewinds = 0;
  for (let done = 0; done < count; done += historiesInOneSession) {
    // Each session with numbers of its own: a run that was cut off can go on where it was.
    const random = randomNumbers(seeds(2 ** 32));
    if (done + historiesInOneSession <= from) continue;
    const git = random(3) > 0;
    const files = Object.fromEntries(names.slice(0, 2 + random(3)).map((name, at) => [name, content(random, at)]));
    const rig = await RewindRig.set(files, { git });
    try {
      for (let one = done; one < Math.min(count, done + historiesInOneSession); one++) {
        rewinds += await playHistory(rig, random, git);
        print(`history ${one + 1} of ${count}: ${git ? 'git' : 'no git'}, ${rewinds} rewinds so far`);
      }
      if (rig.stage.model.problems.length > 0) throw new Error(rig.stage.model.problems.join('\n'));
    } finally {
      await rig.dispose();
    }
  }
  return rewinds;
}

interface Point {
  readonly prompt: string;
  readonly tree: Tree;
}

async function playHistory(rig: RewindRig, random: RandomBelow, git: boolean): Promise<number> {
  const before = git ? await gitState(rig.folder) : '';
  const points: Point[] = [];
  for (let turn = 0; turn < 3; turn++) {
    if (random(3) === 0) await byHand(rig, random);
    const tree = await rig.tree();
    const steps = Array.from({ length: 1 + random(3) }, () => someStep(rig, random)).flat();
    points.push({ prompt: await rig.turn(`turn ${turn}`, steps), tree });
  }
  if (random(3) === 0) await byHand(rig, random);
  for (const point of points) await thereAndBack(rig, point, random);
  if (git && (await gitState(rig.folder)) !== before) throw new Error('The repository was touched.');
  return points.length;
}

async function thereAndBack(rig: RewindRig, point: Point, random: RandomBelow): Promise<void> {
  const present = await rig.tree();
  const preview = await rig.look(point.prompt);
  if (preview.compared !== 'exact') throw new Error(`The folder was compared ${preview.compared}.`);
  const restore = random(2) === 0 ? preview.leftovers.filter(isRestorable) : [];
  const done = await rig.rewinder.rewind(preview, rig.live.session, {
    restore,
    keep: new Set(),
    promptText: '',
  });
  if (done.differing.length > 0) throw new Error(`Not as foretold: ${done.differing.join(', ')}`);
  const taken = new Set(restore.map(leftover => leftover.path));
  const foretold = foretoldFiles(preview).filter(path => !taken.has(path));
  same('after the rewind', difference(point.tree, await rig.tree()), foretold);
  await rig.rewinder.undo(done.record);
  same('after undoing it', difference(present, await rig.tree()), []);
}

function same(when: string, found: readonly string[], expected: readonly string[]): void {
  if (JSON.stringify(found) === JSON.stringify(expected)) return;
  throw new Error(`${when}: ${JSON.stringify(found)} differ, ${JSON.stringify(expected)} were foretold`);
}

function someStep(rig: RewindRig, random: RandomBelow): Turn[] {
  const name = pick(names, random);
  const file_path = rig.stage.path(name);
  switch (random(5)) {
    case 0:
    case 1:
      return [tool('Read', { file_path }), tool('Write', { file_path, content: content(random, 9) })];
    case 2:
      return [
        tool('Read', { file_path }),
        tool('Edit', { file_path, old_string: 'line 1', new_string: `edit ${random(1000)}` }),
      ];
    default:
      return [tool('Bash', { command: someCommand(name, random), description: 'change files' })];
  }
}

function someCommand(name: string, random: RandomBelow): string {
  const path = `'${name}'`;
  const other = `'${pick(names, random)}'`;
  switch (random(8)) {
    case 0:
      return `rm -f ${path}`;
    case 1:
      return `mkdir -p "$(dirname ${path})" && echo shell ${random(1000)} >> ${path}`;
    case 2:
      return `mkdir -p made && printf 'made %s\\r\\n' ${random(1000)} > made/${random(3)}.txt`;
    case 3:
      return `mkdir -p "$(dirname ${path})" && touch ${path} && chmod ${pick(['+x', '-x'], random)} ${path}`;
    case 4:
      return `mkdir -p "$(dirname ${other})" && if [ -f ${path} ]; then mv ${path} ${other} || true; fi`;
    case 5:
      return `rm -f ${path} && mkdir -p "$(dirname ${path})" && ln -s "$PWD"/${other} ${path}`;
    case 6:
      return `mkdir -p "$(dirname ${path})" && printf '\\377\\376a\\000\\r\\000\\n\\000' > ${path}`;
    default:
      return `mkdir -p "$(dirname ${path})" && printf 'line 1\\nline 2\\n' > ${path}`;
  }
}

async function byHand(rig: RewindRig, random: RandomBelow): Promise<void> {
  const path = join(rig.folder, pick(names, random));
  // Not through a link, which may lead nowhere.
  await rm(path, { force: true });
  if (random(3) === 0) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content(random, 5));
}

function content(random: RandomBelow, mark: number): string {
  const end = random(4) === 0 ? '\r\n' : '\n';
  return Array.from({ length: 1 + random(5) }, (_, at) => `line ${at + 1}, ${mark}, ${random(100)}${end}`).join('');
}
