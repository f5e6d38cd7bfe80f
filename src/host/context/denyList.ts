import { IgnoreRules } from '../ignoreRules.ts';

/**
 * The files that nothing is ever attached from, by globs. Read as widely as they can be meant: a name alone counts at every
 * depth, a folder counts for all that is in it, and the case of letters does not matter.
 */
export class DenyList {
  readonly #rules: IgnoreRules;

  constructor(globs: readonly string[]) {
    this.#rules = new IgnoreRules(globs.flatMap(glob => withoutBraces(glob.trim())).join('\n'), true);
  }

  /** `path`: relative to the folder of the workspace where it lies in one, else absolute. */
  denies(path: string): boolean {
    const segments = path.replaceAll('\\', '/').split('/').filter(Boolean);
    return segments.some((_, index) => {
      const isFolder = index < segments.length - 1;
      return this.#rules.judge(segments.slice(0, index + 1).join('/'), isFolder) === true;
    });
  }
}

/** `*.{pem,key}` as the patterns it stands for. */
function withoutBraces(glob: string): readonly string[] {
  const [whole, before = '', inside = '', after = ''] = /^(.*?)\{([^{}]*)\}(.*)$/.exec(glob) ?? [];
  if (whole === undefined) return [glob];
  return inside.split(',').flatMap(one => withoutBraces(before + one + after));
}
