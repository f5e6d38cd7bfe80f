import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** A process of somebody else that works on a session. */
export interface SessionHolder {
  readonly pid: number;
}

export interface RunningCommand {
  readonly pid: number;
  /** The arguments, the program first. */
  readonly args: readonly string[];
}

/**
 * The process that has a session open, as far as command lines tell: the CLI takes any number of processes on one session
 * without a word, and what one of them adds is lost to the other. Sessions begun in a window of ours are known by their claims
 * (`SessionClaims`). One that was begun in a terminal and not resumed by its id there is not known: its file grows, but a file
 * that grew a moment ago is no proof that somebody still works on it.
 */
export function holderAmong(
  commands: readonly RunningCommand[],
  sessionId: string,
  ours: ReadonlySet<number>,
): SessionHolder | undefined {
  const found = commands.find(({ pid, args }) => !ours.has(pid) && namesSession(args, sessionId));
  return found && { pid: found.pid };
}

/** Those that run the same program as this process does: its number may have gone to somebody else. */
export function sameProgram(commands: readonly RunningCommand[], pid: number): ReadonlySet<number> {
  const own = commands.find(command => command.pid === pid);
  const same = own === undefined ? commands : commands.filter(command => programOf(command) === programOf(own));
  return new Set(same.map(command => command.pid));
}

/** Up to the first blank: a process that has set its own title has all of its arguments in the first one. */
function programOf({ args: [program = ''] }: RunningCommand): string | undefined {
  return program.split(' ')[0];
}

const sessionFlags = ['--resume', '-r', '--session-id'];

function namesSession(args: readonly string[], sessionId: string): boolean {
  // A fork only reads the session that it names.
  if (args.includes('--fork-session')) return false;
  return args.some(
    (argument, index) =>
      sessionFlags.some(flag => argument === `${flag}=${sessionId}`) ||
      (sessionFlags.includes(argument) && args[index + 1] === sessionId),
  );
}

/** Everything that runs, with its arguments, as far as we may see it. */
export async function runningCommands(
  platform: NodeJS.Platform = process.platform,
): Promise<readonly RunningCommand[]> {
  if (platform === 'linux') return procCommands();
  if (platform === 'win32') {
    const query = 'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.CommandLine)" }';
    return parseCommands(await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]));
  }
  return parseCommands(await run('ps', ['-A', '-ww', '-o', 'pid=,args=']));
}

/** Lines of `pid arguments`; ids and flags hold no blanks, so cutting at blanks is good enough to find them. */
export function parseCommands(text: string): readonly RunningCommand[] {
  return text.split('\n').flatMap(line => {
    const found = /^\s*(\d+)\s+(\S.*?)\s*$/.exec(line);
    return found?.[2] === undefined ? [] : [{ pid: Number(found[1]), args: found[2].split(/\s+/) }];
  });
}

async function procCommands(): Promise<readonly RunningCommand[]> {
  const pids = (await readdir('/proc')).map(Number).filter(pid => pid > 1);
  const found = await Promise.all(
    pids.map(async pid => {
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch((error: unknown) => {
        // It ended between the listing and the reading.
        if (error instanceof Error && 'code' in error) return '';
        throw error;
      });
      return { pid, args: text.split('\0') };
    }),
  );
  return found.filter(({ args }) => args[0] !== '');
}

function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, args, { timeout: 5_000, maxBuffer: 16 * 1024 * 1024, windowsHide: true }, (error, stdout) => {
      if (error) reject(new Error(`${command} failed: ${error.message}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
