/** One line of a `.gitignore`. */
interface Rule {
  readonly pattern: RegExp;
  /** Whether the pattern is about the whole path from the file's folder on, or about the name alone. */
  readonly anchored: boolean;
  readonly foldersOnly: boolean;
  readonly takesBack: boolean;
}

/** The rules of one `.gitignore`, for everything below the folder it lies in. */
export class IgnoreRules {
  readonly #rules: readonly Rule[];

  constructor(text: string, ignoreCase = process.platform === 'win32' || process.platform === 'darwin') {
    this.#rules = text
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)
      .flatMap(line => readRule(line, ignoreCase))
      .reverse();
  }

  /** Whether the path is ignored; `undefined` when no rule speaks of it. The last rule that does decides. */
  judge(path: string, isFolder: boolean): boolean | undefined {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const rule = this.#rules.find(
      one => (isFolder || !one.foldersOnly) && one.pattern.test(one.anchored ? path : name),
    );
    return rule && !rule.takesBack;
  }
}

function readRule(line: string, ignoreCase: boolean): Rule[] {
  // A space at the end counts only behind a backslash.
  let pattern = line.replace(/(?<!\\) +$/, '');
  if (pattern === '' || pattern.startsWith('#')) return [];
  const takesBack = pattern.startsWith('!');
  if (takesBack) pattern = pattern.slice(1);
  const foldersOnly = pattern.endsWith('/');
  if (foldersOnly) pattern = pattern.slice(0, -1);
  const anchored = pattern.includes('/');
  if (pattern.startsWith('/')) pattern = pattern.slice(1);
  const source = sourceOf(pattern);
  const expression = source === undefined ? undefined : compiled(source, ignoreCase);
  return expression === undefined ? [] : [{ pattern: expression, anchored, foldersOnly, takesBack }];
}

/** A set like `[z-a]` holds nothing: no name fits it, here as in git. */
function compiled(source: string, ignoreCase: boolean): RegExp | undefined {
  try {
    return new RegExp(`^${source}$`, ignoreCase ? 'is' : 's');
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What a pattern is made of, in the order in which it is tried at each place. */
const pieces = new RegExp(
  [
    String.raw`(?<folders>(?<=^|/)\*\*/+)`,
    String.raw`(?<inside>(?<=/)\*\*$)`,
    String.raw`(?<name>\*+)`,
    String.raw`(?<letter>\?)`,
    String.raw`\[(?<not>[!^]?)(?<set>\]?(?:\\.|[^\]\\])*)\]`,
    String.raw`\\?(?<plain>[^[\\]|(?<=\\).)`,
  ].join('|'),
  'gsy',
);

/** The pattern as a regular expression; `undefined` for one that git takes for nothing. */
function sourceOf(pattern: string): string | undefined {
  let source = '';
  let length = 0;
  for (const { 0: whole, groups = {} } of pattern.matchAll(pieces)) {
    length += whole.length;
    source += sourceOfPiece(groups);
  }
  return length === pattern.length && length > 0 ? source : undefined;
}

function sourceOfPiece(groups: Readonly<Record<string, string | undefined>>): string {
  const { folders, inside, name, letter, set, not, plain = '' } = groups;
  if (folders !== undefined) return '(?:.*/)?';
  if (inside !== undefined) return '.+';
  if (name !== undefined) return '[^/]*';
  if (letter !== undefined) return '[^/]';
  if (set === undefined) return plain.replace(/[$()*+.?[\\\]^{|}/-]/g, '\\$&');
  const letters = set.replace(/\\.|[[\]^]/gs, one => (one.length === 2 ? one : `\\${one}`));
  return `(?!/)[${not === '' ? '' : '^'}${letters}]`;
}
