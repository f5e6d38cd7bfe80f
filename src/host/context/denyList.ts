import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import * as z from 'zod/mini';
import { codeOf } from '../../base/errorCode.ts';
import { IgnoreRules } from '../ignoreRules.ts';

const globList = z.array(z.string());

/** Where VS Code found values of the setting. */
export interface SeenGlobs {
  readonly defaultValue?: unknown;
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** The list that counts: a workspace may deny more than the person does, never less, so nothing of it may begin with `!`. */
export function globsOf({ defaultValue, globalValue, workspaceValue, workspaceFolderValue }: SeenGlobs): string[] {
  const read = (value: unknown): string[] | undefined => globList.safeParse(value).data;
  const own = read(globalValue) ?? read(defaultValue) ?? [];
  const more = [...(read(workspaceValue) ?? []), ...(read(workspaceFolderValue) ?? [])];
  return [...new Set([...own, ...more.filter(glob => !patternsOf(glob).some(takesBack))])];
}

/**
 * The files that nothing is ever attached from, by globs. Read as widely as they can be meant: a name alone counts at every
 * depth, a folder counts for all that is in it, and the case of letters does not matter.
 */
export class DenyList {
  readonly #rules: IgnoreRules;

  constructor(globs: readonly string[]) {
    this.#rules = new IgnoreRules(globs.flatMap(patternsOf).join('\n'), true);
  }

  /**
   * A file on disk, by all its names: from the folder of the workspace on, from the root on, and where a link leads to.
   * `relative` gives the path from the folder of the workspace that a file lies in, or the path itself.
   */
  deniesFile(path: string, relative: (path: string) => string): boolean {
    const names = [path, realOf(path)];
    return [...new Set(names.flatMap(name => [name, relative(name)]))].some(name => this.denies(name));
  }

  /** One name, as it is. */
  denies(path: string): boolean {
    const segments = path.replaceAll('\\', '/').split('/').filter(Boolean);
    return segments.some((_, index) => {
      const isFolder = index < segments.length - 1;
      return this.#rules.judge(segments.slice(0, index + 1).join('/'), isFolder) === true;
    });
  }
}

/** What is not there, or not ours to look at, leads nowhere else. */
function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== undefined) return path;
    throw error;
  }
}

/** The lines of rules that a glob stands for. */
function patternsOf(glob: string): readonly string[] {
  return glob.split(/[\r\n]+/).flatMap(line => withoutBraces(plain(line)));
}

function takesBack(pattern: string): boolean {
  return pattern.trim().startsWith('!');
}

/** Without the folder that is meant anyway, and with the home where it is meant. */
function plain(glob: string): string {
  const slashed = process.platform === 'win32' ? withSlashes(glob.trim()) : glob.trim();
  // In a file of rules that would be a remark.
  const path = slashed.replace(/^(?:\.\/)+/, '/').replace(/^#/, '\\#');
  return path.startsWith('~/') ? withSlashes(homedir()) + path.slice(1) : path;
}

function withSlashes(path: string): string {
  return path.replaceAll('\\', '/');
}

/** `*.{pem,key}` as the patterns it stands for. */
function withoutBraces(glob: string): readonly string[] {
  const [whole, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return inside.split(',').flatMap(one => withoutBraces(before + one + after));
}
