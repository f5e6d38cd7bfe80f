/** A path a person can pick, with forward slashes, relative to the session's folder. */
export interface FilePath {
  readonly path: string;
  readonly folder: boolean;
}

/** The files and every folder above them, folders once. */
export function withFolders(files: readonly string[]): readonly FilePath[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...[...folders].map(path => ({ path, folder: true })), ...files.map(path => ({ path, folder: false }))];
}

/**
 * The best matches first. A path matches when it holds the letters of the query in their order; letters next to each
 * other, at the start of a word and in the last segment weigh more, long paths less. One pass, no sorting of the misses.
 */
export function bestPaths(query: string, paths: readonly FilePath[], limit: number): readonly FilePath[] {
  const wanted = query.toLowerCase().replaceAll('\\', '/');
  const ranked: { readonly entry: FilePath; readonly score: number }[] = [];
  for (const entry of paths) {
    const score = wanted === '' ? emptyScore(entry) : scorePath(wanted, entry.path);
    if (score > 0) ranked.push({ entry, score });
  }
  ranked.sort((a, b) => b.score - a.score || (a.entry.path < b.entry.path ? -1 : 1));
  return ranked.slice(0, limit).map(({ entry }) => entry);
}

/** Nothing typed yet: the top of the tree first. */
function emptyScore(entry: FilePath): number {
  return 1 / (1 + entry.path.split('/').length);
}

/** 0 for no match. */
export function scorePath(query: string, path: string): number {
  const lower = path.toLowerCase();
  const nameStart = lower.lastIndexOf('/') + 1;
  const inName = lower.indexOf(query, nameStart);
  if (inName >= 0) {
    const atStart = inName === nameStart ? 400 : isBoundary(path, inName) ? 200 : 0;
    return 2_000 + atStart - (lower.length - nameStart - query.length) - nameStart / 10;
  }
  const anywhere = lower.indexOf(query);
  if (anywhere >= 0) return 1_000 + (isBoundary(path, anywhere) ? 100 : 0) - lower.length / 10;
  return subsequenceScore(query, path, lower, nameStart);
}

function subsequenceScore(query: string, path: string, lower: string, nameStart: number): number {
  let score = 0;
  let last = -2;
  let from = 0;
  for (const letter of query) {
    const at = lower.indexOf(letter, from);
    if (at < 0) return 0;
    score += at === last + 1 ? 8 : isBoundary(path, at) ? 6 : 1;
    if (at >= nameStart) score += 1;
    last = at;
    from = at + 1;
  }
  return Math.max(0.001, 500 + score - lower.length / 10);
}

function isBoundary(path: string, index: number): boolean {
  if (index === 0) return true;
  const before = path.charAt(index - 1);
  if ('/._- '.includes(before)) return true;
  const here = path.charAt(index);
  return here !== here.toLowerCase() && before === before.toLowerCase();
}
