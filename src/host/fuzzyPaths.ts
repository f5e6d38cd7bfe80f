/** A path a person can pick, with forward slashes, relative to the session's folder. */
export interface FilePath {
  readonly path: string;
  readonly folder: boolean;
}

/** A path as it is searched: what every key stroke would have to work out again. */
export interface IndexedPath extends FilePath {
  readonly lower: string;
  /** Where the last segment begins. */
  readonly nameStart: number;
  readonly depth: number;
}

/** The files and every folder above them, folders once. */
export function withFolders(files: readonly string[]): readonly IndexedPath[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let end = file.lastIndexOf('/'); end > 0; end = file.lastIndexOf('/', end - 1)) {
      const folder = file.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...Array.from(folders, path => indexed(path, true)), ...files.map(path => indexed(path, false))];
}

function indexed(path: string, folder: boolean): IndexedPath {
  const lower = path.toLowerCase();
  return { path, folder, lower, nameStart: lower.lastIndexOf('/') + 1, depth: path.split('/').length };
}

/**
 * The best matches first. A path matches when it holds the letters of the query in their order; letters next to each
 * other, at the start of a word and in the last segment weigh more, long paths less. One pass; only the best are sorted.
 */
export function bestPaths(query: string, paths: readonly IndexedPath[], limit: number): readonly FilePath[] {
  const wanted = query.toLowerCase().replaceAll('\\', '/');
  const best = new Best(limit);
  for (const entry of paths) {
    // Nothing typed yet: the top of the tree first.
    const score = wanted === '' ? 1 / (1 + entry.depth) : scorePath(wanted, entry);
    if (score > 0) best.offer(entry, score);
  }
  return best.entries.map(({ path, folder }) => ({ path, folder }));
}

/** The highest scores of many, highest first; of equal ones the path that comes first in the alphabet. */
class Best {
  readonly #limit: number;
  readonly #ranked: { readonly entry: IndexedPath; readonly score: number }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  get entries(): readonly IndexedPath[] {
    return this.#ranked.map(({ entry }) => entry);
  }

  offer(entry: IndexedPath, score: number): void {
    const ranked = this.#ranked;
    let place = ranked.length;
    while (place > 0) {
      const above = ranked[place - 1];
      if (above === undefined || above.score > score) break;
      if (above.score === score && above.entry.path < entry.path) break;
      place -= 1;
    }
    if (place === this.#limit) return;
    ranked.splice(place, 0, { entry, score });
    if (ranked.length > this.#limit) ranked.pop();
  }
}

/** 0 for no match. */
function scorePath(query: string, { path, lower, nameStart }: IndexedPath): number {
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
