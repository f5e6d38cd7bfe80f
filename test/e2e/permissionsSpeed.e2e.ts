import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { say, tool } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';
import type { Project } from './support/project.ts';
import { until } from './support/waiting.ts';

/** How often; the first time of each loads the editor itself and is not counted. `npm run bench` asks for more. */
const rounds = Number(process.env['HANDRAIL_DIFF_ROUNDS'] ?? 5);
/**
 * The promise is 150 ms on a machine with nothing else to do. What a busy one takes shows in VS Code's own diff of two plain
 * files, measured by turns in the same window: ours may take this many times as long, and a little more.
 */
const [most, more] = [2, 50];

const lines = Array.from({ length: 10_000 }, (_, at) => `export const value${at} = ${at};`);
const lineOf = (round: number): number => 40 + ((round * 601) % 9_900);
const changed = (round: number): string => `export const value${lineOf(round)} = -1;`;

test('the diff of a file of 10,000 lines is painted soon after the question', async ({
  model,
  project,
  workbench,
  editor,
}, info) => {
  test.setTimeout(60_000 + rounds * 8_000);
  const { page } = workbench;
  const file = path.join(project.folder, 'src', 'long.ts');
  await writeFile(file, `${lines.join('\n')}\n`);
  const chat = await workbench.openChat();
  const painted = await watchPainting(page);

  const plain: number[] = [];
  const asked: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const [before, after] = await plainFiles(project, round);
    const from = await editor.bridge.run(
      (api, left, right) => {
        const now = Date.now();
        void api.commands.executeCommand('vscode.diff', api.Uri.file(left), api.Uri.file(right));
        return now;
      },
      before,
      after,
    );
    plain.push((await painted(round * 2 + 1)) - from);
    await editor.bridge.run(api => api.commands.executeCommand('workbench.action.closeAllEditors'));
    await expect(page.locator('.monaco-diff-editor')).toHaveCount(0);

    const edit = { file_path: file, old_string: `${lines[lineOf(round)] ?? ''}\n`, new_string: `${changed(round)}\n` };
    model.enqueue([tool('Read', { file_path: file, limit: 10 }), tool('Edit', edit)], say('Next.'));
    await chat.prompt(`Edit number ${round}`);
    asked.push(await painted(round * 2 + 2));
    await chat.answer('Edit', 'Allow');
    await expect(page.locator('.monaco-diff-editor')).toHaveCount(0);
    await chat.idle();
  }

  const opened = await openings(project.userData);
  expect(opened).toHaveLength(rounds);
  const ours = opened.map(({ at, read, open }, round) => ({ read, open, painted: (asked[round] ?? Infinity) - at }));
  const counted = ours.slice(1);
  const figures = {
    plain: median(plain.slice(1)),
    read: median(counted.map(({ read }) => read)),
    open: median(counted.map(({ open }) => open)),
    painted: median(counted.map(row => row.painted)),
    rounds: rounds - 1,
  };
  info.annotations.push({ type: 'diff', description: JSON.stringify(figures) });
  expect(figures.painted, JSON.stringify({ figures, plain, ours })).toBeLessThan(figures.plain * most + more);
});

/** Two files of their own for each round: VS Code has seen neither of them. */
async function plainFiles({ root }: Project, round: number): Promise<[string, string]> {
  const names: [string, string] = [path.join(root, `before${round}.ts`), path.join(root, `after${round}.ts`)];
  await writeFile(names[0], `${lines.join('\n')}\n`);
  await writeFile(names[1], `${lines.map((line, at) => (at === lineOf(round) ? changed(round) : line)).join('\n')}\n`);
  return names;
}

/** Notes when a diff with lines comes into view. The function returned waits for the n-th and says when it was. */
async function watchPainting(page: Page): Promise<(count: number) => Promise<number>> {
  await page.evaluate(() => {
    const painted: number[] = [];
    Reflect.set(globalThis, 'handrailPainted', painted);
    let shown = false;
    const look = (): void => {
      const line = document.querySelector('.monaco-diff-editor .editor.modified .view-line');
      if (line !== null && !shown) painted.push(Date.now());
      shown = line !== null;
      requestAnimationFrame(look);
    };
    look();
  });
  return count =>
    until(`diff number ${count}`, async () => {
      const times = await page.evaluate((): unknown => Reflect.get(globalThis, 'handrailPainted'));
      return Array.isArray(times) && times.length >= count ? Number(times[count - 1]) : undefined;
    });
}

interface Opening {
  /** When the question came. */
  readonly at: number;
  readonly read: number;
  readonly open: number;
}

/** What the extension has written into its log about diffs that it opened. */
async function openings(userData: string): Promise<Opening[]> {
  const folder = path.join(userData, 'logs');
  const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('Handrail.log'));
  const texts = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')));
  const line = /^(\S+) (\S+) \[info\] The diff was open (\d+) ms after its question, (\d+) ms/gm;
  return [...texts.join('\n').matchAll(line)].map(([, day, time, open, read]) => ({
    at: Date.parse(`${day ?? ''}T${time ?? ''}`) - Number(open),
    read: Number(read),
    open: Number(open),
  }));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Infinity;
}
