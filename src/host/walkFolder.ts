import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf } from '../base/errorCode.ts';
import { IgnoreRules } from './ignoreRules.ts';

/** The stores of version control, and what package managers install: nobody means these, rules or not. */
const neverMeant: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', 'node_modules']);
const atOnce = 16;

type ReadText = (path: string) => Promise<string>;
const readUtf8: ReadText = path => readFile(path, 'utf8');

interface Level {
  /** The folder of the rules: '' or a path that ends with a slash. */
  readonly base: string;
  readonly rules: IgnoreRules;
}

interface Found {
  readonly files: string[];
  readonly folders: (readonly [path: string, levels: readonly Level[]])[];
}

/**
 * The files below a folder that is in no repository, relative and with forward slashes, without what its `.gitignore` files
 * leave out. Links are listed and not followed. Stops when it has as many as allowed.
 */
export async function walkFolder(
  folder: string,
  most: number,
  readText: ReadText = readUtf8,
): Promise<readonly string[]> {
  const files: string[] = [];
  let open: Found['folders'] = [['', []]];
  while (open.length > 0 && files.length < most) {
    const found = await Promise.all(
      open.slice(0, atOnce).map(([path, levels]) => look(folder, path, levels, readText)),
    );
    open = open.slice(atOnce);
    for (const one of found) {
      // One by one: a folder can hold more than fits into the arguments of a call.
      for (const file of one.files) files.push(file);
      for (const inner of one.folders) open.push(inner);
    }
  }
  return files.slice(0, most);
}

async function look(root: string, path: string, above: readonly Level[], readText: ReadText): Promise<Found> {
  const found: Found = { files: [], folders: [] };
  let entries;
  try {
    entries = await readdir(join(root, path), { withFileTypes: true });
  } catch (error) {
    // Gone, or not ours to read: then there is nothing in it to pick.
    if (path !== '' && codeOf(error) !== undefined) return found;
    throw error;
  }
  const rules = entries.some(entry => entry.isFile() && entry.name === '.gitignore')
    ? await readRules(join(root, path, '.gitignore'), readText)
    : undefined;
  const levels = rules === undefined ? above : [{ base: path, rules }, ...above];
  for (const entry of entries) {
    const isFolder = entry.isDirectory();
    const name = path + entry.name;
    if (neverMeant.has(entry.name) || isIgnored(name, isFolder, levels)) continue;
    if (isFolder) found.folders.push([`${name}/`, levels]);
    else found.files.push(name);
  }
  return found;
}

/** Rules that cannot be read leave nothing out. */
async function readRules(path: string, readText: ReadText): Promise<IgnoreRules | undefined> {
  try {
    return new IgnoreRules(await readText(path));
  } catch (error) {
    if (codeOf(error) !== undefined) return undefined;
    throw error;
  }
}

/** The rules nearest to the path that speak of it decide. A folder that is left out is not looked into. */
function isIgnored(path: string, isFolder: boolean, levels: readonly Level[]): boolean {
  for (const { base, rules } of levels) {
    const ignored = rules.judge(path.slice(base.length), isFolder);
    if (ignored !== undefined) return ignored;
  }
  return false;
}
