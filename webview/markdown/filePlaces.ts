/** A file named in a text, perhaps with a line and a column. */
export interface Place {
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
}

export interface FoundPlace extends Place {
  readonly start: number;
  readonly end: number;
}

const segment = String.raw`[\w@.+$~()[\]-]+`;
const head = String.raw`(?:[A-Za-z]:[\\/]|~[\\/]|[\\/](?![\\/])|\.{1,2}[\\/])?(?:${segment}[\\/])*`;
const bareNames =
  'Makefile|Dockerfile|Containerfile|Gemfile|Rakefile|Justfile|Procfile|Vagrantfile|Jenkinsfile|LICENSE|README';
const fileName = String.raw`(?:[\w@+$~-][\w@.+$~()[\]-]*\.[A-Za-z]\w{0,9}|\.[a-z][\w-]{1,20}(?:\.\w{1,10})?|${bareNames})`;
const lines = String.raw`(?::(?<line>\d{1,7})(?::(?<column>\d{1,5})|[-–]\d{1,7})?|#L(?<hash>\d{1,7})(?:C(?<hashColumn>\d{1,5}))?(?:-L?\d{1,7}(?:C\d{1,5})?)?|\((?<paren>\d{1,7})(?:,\s?(?<parenColumn>\d{1,5}))?\))`;

const inProse = new RegExp(
  String.raw`(?<![\w@/\\.:~$+-])(?![([])(?<path>${head}${fileName})${lines}(?![\w/\\]|[.:-]\d)`,
  'g',
);
const wholeWithLine = new RegExp(
  String.raw`^(?<path>(?:[A-Za-z]:[\\/]|~[\\/]|[\\/](?![\\/]))?[^:*?"<>|#\n\t]{1,400})${lines}$`,
);
const wholePath = new RegExp(
  String.raw`^(?:[A-Za-z]:[\\/]|~[\\/]|[\\/](?![\\/])|\.{1,2}[\\/])?(?:[\w@.+$~()[\] -]+[\\/])+${fileName}$`,
);
const endsLikeFile = new RegExp(
  String.raw`(?:^|[\\/])[^\\/]*\.[A-Za-z]\w{0,9}$|(?:^|[\\/])(?:${bareNames})$|(?:^|[\\/])\.[a-z][\w.-]{1,20}$`,
);

/** `example.com:8080` is a host with a port, not a file with a line. */
const domains = new Set(
  'com org net io dev app ai co edu gov info local internal test cloud xyz me localhost'.split(' '),
);

/**
 * Where a text names a line of a file: `src/a.ts:12`, `a.ts:12:3`, `C:\a.ts:1`, `a.ts#L10`, `a.ts(3,4)`. Rather misses one than
 * makes a link of a time, a port or a key.
 */
export function findPlaces(text: string): FoundPlace[] {
  if (!/:\d|#L\d|\(\d/.test(text)) return [];
  const found: FoundPlace[] = [];
  for (const match of text.matchAll(inProse)) {
    const place = placeFrom(match);
    if (place) found.push({ ...place, start: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** The file that a piece of inline code names as a whole. It may hold spaces, and needs no line when it has a folder. */
export function placeOf(code: string): Place | undefined {
  const text = code.trim();
  if (text.length > 420 || /^[\\/]{2}/.test(text) || text.includes('://')) return undefined;
  const match = wholeWithLine.exec(text);
  if (match) {
    const place = placeFrom(match);
    return place && endsLikeFile.test(place.path) ? place : undefined;
  }
  return wholePath.test(text) && !isHost(text) ? { path: text } : undefined;
}

function placeFrom(match: RegExpMatchArray): Place | undefined {
  const groups: Partial<Record<string, string>> = match.groups ?? {};
  const path = groups['path'];
  const line = Number(groups['line'] ?? groups['hash'] ?? groups['paren']);
  if (path === undefined || !(line > 0) || isHost(path)) return undefined;
  const column = Number(groups['column'] ?? groups['hashColumn'] ?? groups['parenColumn']);
  return column > 0 ? { path, line, column } : { path, line };
}

function isHost(path: string): boolean {
  const [host = ''] = path.split(/[\\/]/);
  return domains.has((/\.([A-Za-z]+)$/.exec(host)?.[1] ?? '').toLowerCase());
}
