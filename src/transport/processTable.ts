import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

/** One running process. `startedAt` grows with time in a unit of the platform's own; it is only ever compared. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parentPid: number;
  readonly startedAt: number;
  /** Process group and session; Windows has neither, `ps` reports no usable session. */
  readonly groupId?: number;
  readonly sessionId?: number;
}

/**
 * A process and not merely a number: pids are given again. One that has this pid but started later than
 * `startedAtMost` is somebody else's.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAtMost: number;
}

/** What the operating system knows about processes, as far as ending a tree needs it. */
export interface ProcessTable {
  /** Everything that runs now (no zombies). */
  list(): Promise<ProcessEntry[]>;
  /** Who has this pid now; undefined if nobody. To be asked while the process is known to be ours. */
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  /** The processes whose environment holds the marker, where the platform tells; otherwise none. */
  marked(marker: string): Promise<ReadonlySet<number>>;
  /** False if it no longer exists or may not be signalled. */
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean;
}

/** Put into a child's environment with a value of its own, it is inherited by all that the child starts. */
export const treeMarkerVariable = 'HANDRAIL_PROCESS_TREE';

export function systemProcessTable(platform: NodeJS.Platform = process.platform): ProcessTable {
  if (platform === 'linux') return procTable();
  return platform === 'win32' ? windowsTable() : psTable();
}

function signalProcess(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ESRCH' || error.code === 'EPERM')) return false;
    throw error;
  }
}

function procTable(): ProcessTable {
  const entryOf = async (pid: number): Promise<ProcessEntry | undefined> =>
    parseProcStat(await readOrNothing(`/proc/${pid}/stat`));
  const pids = async (): Promise<number[]> => (await readdir('/proc')).map(Number).filter(pid => pid > 0);
  return {
    async list() {
      const entries = await Promise.all((await pids()).map(entryOf));
      return entries.filter(entry => entry !== undefined);
    },
    async identify(pid) {
      const entry = await entryOf(pid);
      return entry && { pid, startedAtMost: entry.startedAt };
    },
    async marked(marker) {
      const wanted = `${treeMarkerVariable}=${marker}`;
      const found = await Promise.all(
        (await pids()).map(async pid => {
          const environment = await readOrNothing(`/proc/${pid}/environ`);
          return environment.split('\0').includes(wanted) ? pid : undefined;
        }),
      );
      return new Set(found.filter(pid => pid !== undefined));
    },
    signal: signalProcess,
  };
}

/** A process may end, or belong to another user, between the listing and the reading: then there is nothing to read. */
async function readOrNothing(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  });
}

/** `pid (command) state ppid pgrp session …`; the command may hold anything, also brackets, so count from its last one. */
export function parseProcStat(text: string): ProcessEntry | undefined {
  const pid = Number.parseInt(text, 10);
  const [state, parentPid, groupId, sessionId, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const startedAt = Number(rest[15]);
  if (!Number.isInteger(pid) || !Number.isInteger(startedAt) || state === 'Z' || state === 'X') return undefined;
  return { pid, parentPid: Number(parentPid), groupId: Number(groupId), sessionId: Number(sessionId), startedAt };
}

function psTable(): ProcessTable {
  const columns = 'pid=,ppid=,pgid=,state=,lstart=';
  return {
    list: async () => parsePs(await run('ps', ['-A', '-o', columns])),
    async identify(pid) {
      const entry = parsePs(await run('ps', ['-o', columns, '-p', String(pid)])).find(one => one.pid === pid);
      return entry && { pid, startedAtMost: entry.startedAt };
    },
    marked: () => Promise.resolve(new Set<number>()),
    signal: signalProcess,
  };
}

export function parsePs(text: string): ProcessEntry[] {
  return text.split('\n').flatMap(line => {
    const found = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S.*\S)\s*$/.exec(line);
    const startedAt = Date.parse(found?.[5] ?? '');
    if (!found || Number.isNaN(startedAt) || found[4]?.startsWith('Z')) return [];
    return [{ pid: Number(found[1]), parentPid: Number(found[2]), groupId: Number(found[3]), startedAt }];
  });
}

function windowsTable(): ProcessTable {
  const query =
    'Get-CimInstance Win32_Process | Where-Object CreationDate | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) ' +
    '$(([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds())" }';
  return {
    list: async () =>
      parseWindowsList(await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query])),
    // Asking costs a second of PowerShell. That it started before now says as much: whoever gets the number next starts later.
    identify: pid => Promise.resolve({ pid, startedAtMost: Date.now() }),
    marked: () => Promise.resolve(new Set<number>()),
    signal: signalProcess,
  };
}

export function parseWindowsList(text: string): ProcessEntry[] {
  return text.split('\n').flatMap(line => {
    const found = /^(\d+) (\d+) (\d+)\s*$/.exec(line);
    return found ? [{ pid: Number(found[1]), parentPid: Number(found[2]), startedAt: Number(found[3]) }] : [];
  });
}

/** `ps -p` of a process that is gone exits 1 with nothing to say: an empty list, not a failure. */
function run(command: string, args: readonly string[]): Promise<string> {
  const options = {
    env: { ...process.env, LC_ALL: 'C' },
    timeout: 5000,
    maxBuffer: 16 * 1024 * 1024,
    windowsHide: true,
  };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout) => {
      if (error && typeof error.code !== 'number')
        reject(new Error(`${command} failed: ${error.message}`, { cause: error }));
      else resolve(stdout);
    });
  });
}
