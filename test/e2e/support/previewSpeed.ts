import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { launchChromium } from '../../support/vscode/browser.mjs';
import { ScriptedModel } from '../../support/model/scriptedModel.ts';
import { say, tool } from '../../support/model/script.ts';
import { Editor } from './editor.ts';
import { claudeEnvironment } from './environment.ts';
import type { Prepared } from './environment.ts';
import { Project } from './project.ts';
import { makeRepository } from './rewindTurns.ts';
import { Workbench } from './workbench.ts';

export interface PreviewSpeedOptions {
  readonly prepared: Prepared;
  readonly files: number;
  readonly rounds: number;
  readonly log: (line: string) => void;
}

/** Milliseconds of one round each: from Enter on the message to the painted diff with its choice. */
export interface PreviewSpeed {
  readonly ours: number[];
  /** VS Code's own multi-file diff over as many pairs of plain files. */
  readonly floor: number[];
  /** What the extension wrote down about where the time went. */
  readonly told: string[];
}

const painted = '.multiDiffEditor .monaco-diff-editor .editor.modified .view-line';

/** A session that wrote many files twice, in a repository; then the preview of a rewind to between the two, again and again. */
export async function previewSpeed({ prepared, files, rounds, log }: PreviewSpeedOptions): Promise<PreviewSpeed> {
  const closers: (() => Promise<void>)[] = [];
  try {
    const project = await Project.create();
    closers.push(() => project.remove());
    await project.allowTools('Write');
    const plain = await plainPairs(project, files);
    await makeRepository(project);
    const model = await new ScriptedModel().start();
    closers.push(() => model.stop());
    const browser = await launchChromium(prepared.chromium);
    closers.push(() => browser.close());
    const machine = {
      'handrail.claude.executable': prepared.claude,
      'handrail.claude.environment': claudeEnvironment(model.url),
    };
    const editor = await Editor.start({ prepared, project, machine });
    closers.push(() => editor.stop());
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    await editor.prepare(context);
    const workbench = new Workbench(await context.newPage(), editor);
    await workbench.open();
    await writeTwice(workbench, model, project, files);
    log(`${files} files are written`);
    const ours: number[] = [];
    const floor: number[] = [];
    for (let round = 0; round < rounds; round++) {
      floor.push(await openPlain(workbench, editor, plain));
      ours.push(await openPreview(workbench));
      log(`round ${round + 1} of ${rounds}: ${ours.at(-1)} ms beside ${floor.at(-1)} ms`);
    }
    return { ours, floor, told: await toldTimes(project.userData) };
  } finally {
    for (const close of closers.reverse()) await close();
  }
}

async function writeTwice(workbench: Workbench, model: ScriptedModel, project: Project, files: number): Promise<void> {
  const writes = (word: string) =>
    Array.from({ length: files }, (_, at) =>
      tool('Write', { file_path: path.join(project.folder, 'many', `${at}.txt`), content: `${word} ${at}\n` }),
    );
  const chat = await workbench.openChat();
  for (const word of ['first', 'second']) {
    model.enqueue(writes(word), say(`Wrote the ${word}.`));
    await chat.prompt(`Write the ${word}.`);
    await expect(chat.answers.last()).toContainText(`Wrote the ${word}.`, { timeout: 180_000 });
    await chat.idle();
  }
}

async function openPreview(workbench: Workbench): Promise<number> {
  const { page } = workbench;
  const row = (text: string) => page.locator('.quick-input-list .monaco-list-row').filter({ hasText: text });
  await workbench.runCommand('handrail.rewindFiles');
  await expect(row('Write the second.')).toBeVisible();
  const took = stopWatch(page, 'Files only');
  await page.keyboard.press('Enter');
  const time = await took;
  await page.keyboard.press('Escape');
  await expect(page.locator('.multiDiffEditor')).toHaveCount(0);
  return time;
}

async function openPlain(
  workbench: Workbench,
  editor: Editor,
  pairs: readonly (readonly [string, string])[],
): Promise<number> {
  const { page } = workbench;
  const took = stopWatch(page);
  await editor.bridge.run(async (api, all) => {
    const uris = all.map(([one, other]) => [api.Uri.file(other), api.Uri.file(one), api.Uri.file(other)]);
    await api.commands.executeCommand('vscode.changes', 'Plain pairs', uris);
  }, pairs);
  const time = await took;
  await workbench.runCommand('workbench.action.closeAllEditors');
  await expect(page.locator('.multiDiffEditor')).toHaveCount(0);
  return time;
}

/** Milliseconds from now to the frame in which the first diff, and the row of a list if one is asked for, are on the screen. */
async function stopWatch(page: Page, rowText?: string): Promise<number> {
  return page.evaluate(
    async ([selector, text]) => {
      const start = performance.now();
      const isThere = (): boolean => {
        if (document.querySelector(selector) === null) return false;
        if (text === undefined) return true;
        const rows = [...document.querySelectorAll('.quick-input-list .monaco-list-row')];
        return rows.some(row => row.textContent.includes(text));
      };
      while (!isThere() && performance.now() - start < 60_000) await new Promise(requestAnimationFrame);
      return isThere() ? Math.round(performance.now() - start) : Infinity;
    },
    [painted, rowText] as const,
  );
}

async function plainPairs(project: Project, files: number): Promise<[string, string][]> {
  const folder = path.join(project.root, 'plain');
  await mkdir(folder);
  const pairs = Array.from({ length: files }, (_, at): [string, string] => [
    path.join(folder, `${at}-old.txt`),
    path.join(folder, `${at}-new.txt`),
  ]);
  for (const [at, [old, fresh]] of pairs.entries()) {
    await writeFile(old, `second ${at}\n`);
    await writeFile(fresh, `first ${at}\n`);
  }
  return pairs;
}

async function toldTimes(userData: string): Promise<string[]> {
  const folder = path.join(userData, 'logs');
  const files = (await readdir(folder, { recursive: true })).filter(name => name.endsWith('Handrail.log'));
  const texts = await Promise.all(files.map(name => readFile(path.join(folder, name), 'utf8')));
  return texts
    .join('\n')
    .split('\n')
    .filter(line => line.includes('Looked at'));
}
