import { execFile } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { posix, win32 } from 'node:path';

export type ExecutableSource = 'setting' | 'environment' | 'path' | 'wellKnown';
export type TriedOutcome = 'ok' | 'notFound' | 'notExecutable' | 'isDirectory' | 'refusedScript' | 'probeFailed';

export interface TriedExecutable {
  readonly path: string;
  readonly source: ExecutableSource;
  readonly outcome: TriedOutcome;
  /** For people who look closer: the probe's complaint, or what the path was taken from. */
  readonly detail?: string;
}

export interface FoundExecutable {
  readonly path: string;
  readonly source: ExecutableSource;
  /** As the program says of itself; absent if it did not say within the limit. Advisory. */
  readonly version?: string;
}

export interface ExecutableSearch {
  readonly found?: FoundExecutable;
  /** Everything that was looked at, in order, so that a person can see why it was not found. */
  readonly tried: readonly TriedExecutable[];
}

/** What a path is, as far as starting it goes. */
export type PathKind = 'executable' | 'notExecutable' | 'directory' | 'missing';
export type VersionProbe = (path: string, limitMs: number) => Promise<{ version?: string; problem?: string }>;

export interface FindOptions {
  /** `handrail.claude.executable`; empty means: search. */
  readonly setting?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
  readonly inspect?: (path: string, platform: NodeJS.Platform) => PathKind;
  readonly probe?: VersionProbe;
  readonly probeLimitMs?: number;
}

interface Candidate {
  readonly path: string;
  readonly source: ExecutableSource;
  readonly detail?: string;
}

/**
 * Finds the CLI: the setting, `CLAUDE_BIN`, the PATH, well-known places. What a person named is used or refused, never
 * passed over in silence for another: with a setting or `CLAUDE_BIN` that does not work, the search ends there.
 * The version probe is advisory: a program that does not answer in time is still used.
 */
export async function findExecutable(options: FindOptions = {}): Promise<ExecutableSearch> {
  const { probe = askVersion, probeLimitMs = 2000, inspect = inspectPath, platform = process.platform } = options;
  const tried: TriedExecutable[] = [];
  for (const candidate of candidates(options)) {
    const { path, source, detail } = candidate;
    const outcome = judge(path, platform, inspect);
    if (outcome !== 'ok') {
      tried.push({ path, source, outcome, ...(detail === undefined ? {} : { detail }) });
      continue;
    }
    const { version, problem } = await probe(path, probeLimitMs);
    tried.push({
      path,
      source,
      outcome: problem === undefined ? 'ok' : 'probeFailed',
      ...(problem === undefined ? {} : { detail: problem }),
    });
    return { found: { path, source, ...(version === undefined ? {} : { version }) }, tried };
  }
  return { tried };
}

function judge(path: string, platform: NodeJS.Platform, inspect: NonNullable<FindOptions['inspect']>): TriedOutcome {
  const kind = inspect(path, platform);
  if (kind === 'missing') return 'notFound';
  if (kind === 'directory') return 'isDirectory';
  // Through cmd.exe the arguments of a batch file can become commands.
  if (platform === 'win32' && !/\.(exe|com)$/i.test(path)) return 'refusedScript';
  return kind === 'executable' ? 'ok' : 'notExecutable';
}

function candidates(options: FindOptions): Candidate[] {
  const { env = process.env, platform = process.platform, home = homedir() } = options;
  const path = platform === 'win32' ? win32 : posix;
  const variable = (name: string): string | undefined =>
    platform === 'win32' ? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1] : env[name];
  const named = (value: string, source: ExecutableSource): Candidate[] => {
    const given = expandHome(value.trim(), home, platform);
    // A bare name is a name on the PATH; anything with a separator is a place.
    if (!given.includes('/') && !(platform === 'win32' && given.includes('\\'))) {
      return onPath(given, source, variable('PATH'), platform);
    }
    return [{ path: path.resolve(home, given), source }];
  };
  const setting = options.setting?.trim() ?? '';
  if (setting.length > 0) return named(setting, 'setting');
  const fromEnvironment = variable('CLAUDE_BIN')?.trim() ?? '';
  if (fromEnvironment.length > 0) return named(fromEnvironment, 'environment');
  const places: Candidate[] = [
    ...onPath('claude', 'path', variable('PATH'), platform),
    ...wellKnown(home, platform).map(place => ({ path: place, source: 'wellKnown' as const })),
  ];
  const seen = new Set<string>();
  return places.filter(place => !seen.has(place.path) && seen.add(place.path).size > 0);
}

/** On Windows every `.exe` of the PATH comes before any shim, wherever the shim stands; shims are listed as refused. */
function onPath(
  name: string,
  source: ExecutableSource,
  pathList: string | undefined,
  platform: NodeJS.Platform,
): Candidate[] {
  const path = platform === 'win32' ? win32 : posix;
  const folders = (pathList ?? '')
    .split(path.delimiter)
    .map(folder => folder.replace(/^"(.*)"$/, '$1'))
    // A relative entry would make the workspace's own files run.
    .filter(folder => path.isAbsolute(folder));
  if (folders.length === 0) return [{ path: name, source, detail: 'PATH names no folder' }];
  const inEach = (file: string): Candidate[] => folders.map(folder => ({ path: path.join(folder, file), source }));
  if (platform !== 'win32') return inEach(name);
  return /\.[a-z]+$/i.test(name) ? inEach(name) : ['.exe', '.cmd', '.bat'].flatMap(ending => inEach(name + ending));
}

function wellKnown(home: string, platform: NodeJS.Platform): string[] {
  if (platform === 'win32') return [win32.join(home, '.local', 'bin', 'claude.exe')];
  const own = ['.local/bin', '.claude/local', '.npm-global/bin', 'node_modules/.bin', '.yarn/bin', '.bun/bin'];
  return [
    ...own.map(folder => posix.join(home, folder, 'claude')),
    '/usr/local/bin/claude',
    ...(platform === 'darwin' ? ['/opt/homebrew/bin/claude'] : []),
  ];
}

function expandHome(value: string, home: string, platform: NodeJS.Platform): string {
  if (value !== '~' && !/^~[\\/]/.test(value)) return value;
  return (platform === 'win32' ? win32 : posix).join(home, value.slice(1));
}

function inspectPath(path: string, platform: NodeJS.Platform): PathKind {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return 'directory';
    if (!stat.isFile()) return 'notExecutable';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return error.code === 'EACCES' ? 'notExecutable' : 'missing';
    throw error;
  }
  if (platform === 'win32') return 'executable';
  try {
    accessSync(path, constants.X_OK);
    return 'executable';
  } catch (error) {
    if (error instanceof Error && 'code' in error) return 'notExecutable';
    throw error;
  }
}

/** `claude -v` prints `X.Y.Z (Claude Code)`. */
export const askVersion: VersionProbe = (path, limitMs) =>
  new Promise(resolve => {
    const options = { timeout: limitMs, killSignal: 'SIGKILL' as const, windowsHide: true, maxBuffer: 64 * 1024 };
    const child = execFile(path, ['-v'], options, (error, stdout) => {
      const version = /\d+\.\d+\.\d+[\w.+-]*/.exec(stdout)?.[0];
      if (version !== undefined) resolve({ version });
      else if (error) resolve({ problem: error.killed === true ? `no answer within ${limitMs} ms` : error.message });
      else resolve({ problem: 'the answer holds no version' });
    });
    child.stdin?.end();
  });
