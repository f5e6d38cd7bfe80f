import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from './waiting.ts';

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

const execute = promisify(execFile);

/** All processes of the machine. */
async function processTable(): Promise<ProcessRow[]> {
  const text = process.platform === 'win32' ? await windowsTable() : await unixTable();
  return text.split('\n').flatMap(line => {
    const [, pid, parent, command] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(line) ?? [];
    if (pid === undefined || parent === undefined || command === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), command }];
  });
}

async function unixTable(): Promise<string> {
  // `stat` first and cut off again: an ended process that nobody has asked about is not alive.
  const { stdout } = await execute('ps', ['-A', '-ww', '-o', 'stat=,pid=,ppid=,args='], { maxBuffer: 1 << 26 });
  return stdout
    .split('\n')
    .filter(line => !/^\s*Z/.test(line))
    .map(line => line.replace(/^\s*\S+/, ''))
    .join('\n');
}

async function windowsTable(): Promise<string> {
  const list =
    'Get-CimInstance Win32_Process | ForEach-Object { "$($_.ProcessId) $($_.ParentProcessId) $($_.CommandLine)" }';
  const { stdout } = await execute('powershell', ['-NoProfile', '-Command', list], { maxBuffer: 1 << 26 });
  return stdout;
}

/** The processes below one server, so that "no child is alive" is a fact and not a hope. */
export class ProcessTree {
  readonly #root: number;
  readonly #claude: string;

  constructor(root: number, claude: string) {
    this.#root = root;
    this.#claude = claude;
  }

  /** Everything that the server started and what these started, and so on. */
  async all(): Promise<ProcessRow[]> {
    return this.below(this.#root);
  }

  /** What one process started and what these started, and so on. */
  async below(pid: number): Promise<ProcessRow[]> {
    const table = await processTable();
    const found: ProcessRow[] = [];
    const parents = [pid];
    for (let parent = parents.pop(); parent !== undefined; parent = parents.pop()) {
      const children = table.filter(row => row.parent === parent);
      found.push(...children);
      parents.push(...children.map(({ pid }) => pid));
    }
    return found;
  }

  /** The command line programs among them. */
  async claude(): Promise<ProcessRow[]> {
    return (await this.all()).filter(({ command }) => command.startsWith(this.#claude));
  }

  /** Waits until exactly one command line program runs. */
  async theClaude(): Promise<number> {
    return until('one command line program', async () => {
      const rows = await this.claude();
      return rows.length === 1 ? rows[0]?.pid : undefined;
    });
  }
}

/** Those of the given processes that still run. They are known by pid and command, because they may have lost their parent. */
export async function stillAlive(rows: readonly ProcessRow[]): Promise<ProcessRow[]> {
  const table = await processTable();
  return rows.filter(({ pid, command }) => table.some(row => row.pid === pid && row.command === command));
}

/** Waits until all of them have ended; the fault names those that have not. */
export async function allEnded(rows: readonly ProcessRow[], timeout = 20_000): Promise<void> {
  let alive = rows;
  const ended = async (): Promise<true | undefined> => {
    alive = await stillAlive(rows);
    return alive.length === 0 ? true : undefined;
  };
  const names = (): string => alive.map(({ pid, command }) => `${pid} (${command.slice(0, 80)})`).join(', ');
  await until(() => `the end of ${names()}`, ended, timeout);
}
