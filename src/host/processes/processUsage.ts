import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';

/** What a process uses now. */
export interface ProcessUsage {
  readonly memoryBytes: number;
  /** Time on a processor since its start. */
  readonly cpuSeconds: number;
}

/** Linux counts processor time in these, whatever the kernel's own clock. */
const ticksPerSecond = 100;

/** The usage of each process that is still there. */
export async function readUsage(
  pids: readonly number[],
  platform: NodeJS.Platform = process.platform,
): Promise<ReadonlyMap<number, ProcessUsage>> {
  if (pids.length === 0) return new Map();
  if (platform === 'linux') return procUsage(pids);
  if (platform === 'win32') {
    const query =
      `Get-Process -Id ${pids.join(',')} -ErrorAction SilentlyContinue | ForEach-Object ` +
      '{ "$($_.Id) $([int64]($_.WorkingSet64/1024)) 0:$([int]$_.CPU)" }';
    return parseUsage(await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', query]));
  }
  return parseUsage(await run('ps', ['-o', 'pid=,rss=,time=', '-p', pids.join(',')]));
}

async function procUsage(pids: readonly number[]): Promise<ReadonlyMap<number, ProcessUsage>> {
  const found = new Map<number, ProcessUsage>();
  await Promise.all(
    pids.map(async pid => {
      const [status, stat] = await Promise.all([readOrNothing(pid, 'status'), readOrNothing(pid, 'stat')]);
      const usage = parseProcUsage(status, stat);
      if (usage) found.set(pid, usage);
    }),
  );
  return found;
}

export function parseProcUsage(status: string, stat: string): ProcessUsage | undefined {
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  // After the command, which may hold anything: state ppid … with user and system time as the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  if (kilobytes === undefined || Number.isNaN(ticks)) return undefined;
  return { memoryBytes: Number(kilobytes) * 1024, cpuSeconds: ticks / ticksPerSecond };
}

/** Lines of `pid kilobytes [[days-]hours:]minutes:seconds`. */
export function parseUsage(text: string): ReadonlyMap<number, ProcessUsage> {
  const found = new Map<number, ProcessUsage>();
  for (const line of text.split('\n')) {
    const [, pid, kilobytes, days, time] = /^\s*(\d+)\s+(\d+)\s+(?:(\d+)-)?([\d:.,]+)\s*$/.exec(line) ?? [];
    if (pid === undefined || time === undefined) continue;
    const seconds = time.split(':').reduce((sum, part) => sum * 60 + Number(part.replace(',', '.')), 0);
    found.set(Number(pid), {
      memoryBytes: Number(kilobytes) * 1024,
      cpuSeconds: Number(days ?? 0) * 86_400 + seconds,
    });
  }
  return found;
}

async function readOrNothing(pid: number, file: 'status' | 'stat'): Promise<string> {
  return readFile(`/proc/${pid}/${file}`, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return '';
    throw error;
  });
}

/** `ps` exits 1 when one of the processes is gone; what it said of the others counts. */
function run(command: string, args: readonly string[]): Promise<string> {
  const options = { env: { ...process.env, LC_ALL: 'C' }, timeout: 5_000, windowsHide: true };
  return new Promise((resolve, reject) => {
    execFile(command, args, options, (error, stdout) => {
      if (error && typeof error.code !== 'number') {
        reject(new Error(`${command} failed: ${error.message}`, { cause: error }));
      } else resolve(stdout);
    });
  });
}
