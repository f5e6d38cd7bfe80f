import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFile, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@playwright/test';
import { z } from 'zod';
import { say, tool } from '../../support/model/script.ts';
import type { ScriptedModel } from '../../support/model/scriptedModel.ts';
import type { Chat } from './chat.ts';
import { allowedEnvironment } from './environment.ts';
import type { Project } from './project.ts';
import type { Workbench } from './workbench.ts';

export const edited = 'return `Good day, ${name}!`;';

export function greetOf(project: Project): string {
  return path.join(project.folder, 'src', 'greet.ts');
}

/** An edit; then a new file, and one that the shell makes. */
export async function twoTurns(model: ScriptedModel, project: Project, workbench: Workbench): Promise<Chat> {
  const file_path = greetOf(project);
  model.enqueue(
    [tool('Read', { file_path })],
    [tool('Edit', { file_path, old_string: 'return `Hello, ${name}!`;', new_string: edited })],
    say('Polite now.'),
    [tool('Write', { file_path: path.join(project.folder, 'NOTES.md'), content: '# Notes\n' })],
    [tool('Bash', { command: 'echo shell > by-shell.txt', description: 'make a file' })],
    say('Noted.'),
  );
  const chat = await workbench.openChat();
  await chat.prompt('Be polite.');
  await expect(chat.answers.last()).toContainText('Polite now.');
  await chat.idle();
  await chat.prompt('Write notes.');
  await expect(chat.answers.last()).toContainText('Noted.');
  await chat.idle();
  return chat;
}

/** Edits, makes and deletes, by tools and by the shell; with the state of the folder before each turn. */
export async function threeTurns(model: ScriptedModel, project: Project, workbench: Workbench) {
  const at = (name: string): string => path.join(project.folder, name);
  const shell = (command: string) => tool('Bash', { command, description: 'change files' });
  const turns = [
    [
      [tool('Read', { file_path: greetOf(project) })],
      [tool('Edit', { file_path: greetOf(project), old_string: 'Hello', new_string: 'Good day' })],
      [tool('Write', { file_path: at('docs/new.md'), content: 'new\r\n' })],
      [shell('echo shell >> README.md')],
    ],
    [
      [shell('echo made > made.txt && rm src/main.ts')],
      [tool('Read', { file_path: at('README.md') })],
      [tool('Edit', { file_path: at('README.md'), old_string: 'Says', new_string: 'Said' })],
    ],
    [[shell('rm docs/new.md && chmod +x made.txt')], [tool('Write', { file_path: at('last.txt'), content: 'last' })]],
  ];
  const chat = await workbench.openChat();
  const trees: Tree[] = [];
  for (const [index, steps] of turns.entries()) {
    trees.push(await treeOf(project.folder));
    model.enqueue(...steps, say(`Done ${index + 1}.`));
    await chat.prompt(`Turn ${index + 1}.`);
    await expect(chat.answers.last()).toContainText(`Done ${index + 1}.`);
    await chat.idle();
  }
  return { chat, trees };
}

export type Tree = ReadonlyMap<string, string>;

/** Path to mode and hash of every file, without git's own unless it is asked for. */
export async function treeOf(folder: string): Promise<Tree> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const tree = new Map<string, string>();
  for (const entry of entries.filter(one => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name);
    const name = path.relative(folder, file);
    if (name.startsWith('.git' + path.sep)) continue;
    const runs = ((await stat(file)).mode & 0o100) === 0 ? 'plain' : 'runs';
    tree.set(
      name,
      `${runs} ${createHash('sha256')
        .update(await readFile(file))
        .digest('hex')}`,
    );
  }
  return tree;
}

export function differences(one: Tree, other: Tree): string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter(name => one.get(name) !== other.get(name)).sort();
}

/** A repository with a commit, a stash, something staged and something not. */
export async function makeRepository(project: Project): Promise<void> {
  const { folder, home } = project;
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.invalid'];
  const env = allowedEnvironment(home);
  const git = (...args: string[]) => promisify(execFile)('git', [...who, ...args], { cwd: folder, env });
  const readme = path.join(folder, 'README.md');
  await git('init', '-q', '-b', 'main');
  await git('add', '-A');
  await git('commit', '-q', '-m', 'first');
  await appendFile(readme, 'stashed\n');
  await git('stash');
  await appendFile(readme, 'staged\n');
  await git('add', 'README.md');
  await appendFile(readme, 'not staged\n');
}

/** Takes the end of the newest rewind back, as if the window had died before it. */
export async function cutOffNewest(project: Project): Promise<void> {
  const names = await readdir(project.userData, { recursive: true });
  const files = names.filter(name => name.endsWith('record.json')).map(name => path.join(project.userData, name));
  const records = await Promise.all(
    files.map(async file => ({
      file,
      record: z.looseObject({ at: z.number() }).parse(JSON.parse(await readFile(file, 'utf8'))),
    })),
  );
  const newest = records.sort((a, b) => b.record.at - a.record.at)[0];
  if (newest === undefined) throw new Error('There is no record.');
  await writeFile(newest.file, JSON.stringify({ ...newest.record, done: false }));
}
