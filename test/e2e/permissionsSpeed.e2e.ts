import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { say, tool } from '../support/model/script.ts';
import { expect, test } from './support/fixtures.ts';

/** The promise is 150 ms; on a busy machine with two cores the test leaves room and prints what it measured. */
const LIMIT_MS = 1_000;

test('the diff of a file of 10,000 lines is painted soon after the question', async ({
  model,
  project,
  workbench,
}, info) => {
  const file = path.join(project.folder, 'src', 'long.ts');
  const lines = Array.from({ length: 10_000 }, (_, at) => `export const value${at} = ${at};`);
  await writeFile(file, `${lines.join('\n')}\n`);
  const edits = [40, 5_000, 9_000].map(at => ({
    old: `${lines[at] ?? ''}\n`,
    fresh: `export const value${at} = -1;\n`,
  }));
  model.enqueue(
    ...edits.flatMap(({ old, fresh }) => [
      tool('Read', { file_path: file, limit: 10 }),
      tool('Edit', { file_path: file, old_string: old, new_string: fresh }),
      say('Next.'),
    ]),
  );
  const { page } = workbench;
  const chat = await workbench.openChat();
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
  for (const [round] of edits.entries()) {
    await chat.prompt(`Edit number ${round + 1}`);
    await expect(chat.permission('Edit')).toBeVisible();
    await expect(page.locator('.monaco-diff-editor .editor.modified .view-line').first()).toBeVisible();
    await chat.answer('Edit', 'Allow');
    await expect(page.locator('.monaco-diff-editor')).toHaveCount(0);
    await chat.idle();
  }

  const painted = await page.evaluate((): number[] => {
    const times: unknown = Reflect.get(globalThis, 'handrailPainted');
    return Array.isArray(times) ? times.map(Number) : [];
  });
  const opened = await openings(project.userData);
  expect(painted).toHaveLength(edits.length);
  expect(opened).toHaveLength(edits.length);
  const rows = opened.map(({ asked, read, open }, at) => ({ read, open, painted: (painted[at] ?? Infinity) - asked }));
  info.annotations.push({ type: 'milliseconds after the question', description: JSON.stringify(rows) });
  // The first one also loads the diff editor itself.
  for (const row of rows.slice(1)) expect(row.painted, JSON.stringify(rows)).toBeLessThan(LIMIT_MS);
});

interface Opening {
  /** When the question came. */
  readonly asked: number;
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
    asked: Date.parse(`${day ?? ''}T${time ?? ''}`) - Number(open),
    read: Number(read),
    open: Number(open),
  }));
}
