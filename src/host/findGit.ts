import { statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Where git may be, as absolute paths. Started by its bare name in a folder, Windows would run a `git.exe` of that folder:
 * somebody else's program, in a repository that one only wanted to read.
 */
export function gitPlaces(env: Environment, platform: NodeJS.Platform): readonly string[] {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const variable = (name: string): string | undefined =>
    windows ? Object.entries(env).find(([key]) => key.toUpperCase() === name.toUpperCase())?.[1] : env[name];
  const onPath = (variable('PATH') ?? '').split(path.delimiter).map(folder => folder.replace(/^"(.*)"$/, '$1'));
  const installed = ['ProgramFiles', 'ProgramW6432', 'LocalAppData'].flatMap(name => {
    const root = windows ? variable(name) : undefined;
    if (root === undefined) return [];
    return [path.join(root, ...(name === 'LocalAppData' ? ['Programs'] : []), 'Git', 'cmd')];
  });
  return (
    [...onPath, ...installed]
      // A relative entry would lead into the folder again.
      .filter(folder => path.isAbsolute(folder))
      .map(folder => path.join(folder, windows ? 'git.exe' : 'git'))
  );
}

let found: string | undefined;

/** The absolute path of git; `undefined` when there is none, which is looked at again the next time. */
export function findGit(): string | undefined {
  found ??= gitPlaces(process.env, process.platform).find(place =>
    statSync(place, { throwIfNoEntry: false })?.isFile(),
  );
  return found;
}
