import type { ChildProcess } from 'node:child_process';
import { execFile } from 'node:child_process';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { ProcessTable } from './processTable.ts';
import { systemProcessTable } from './processTable.ts';
import type { SweepTimes } from './processTree.ts';
import { ProcessTree } from './processTree.ts';
import type { StopTree } from './stopLadder.ts';

export interface ChildTreeOptions {
  readonly marker: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly times: SweepTimes;
  readonly platform: NodeJS.Platform;
  readonly processes?: ProcessTable;
}

/** Ends a process and its descendants on Windows. */
export type KillWindowsTree = (pid: number) => Promise<boolean>;

const taskkill: KillWindowsTree = pid =>
  new Promise(resolve => {
    const options = { timeout: 5000, windowsHide: true };
    execFile('taskkill.exe', ['/PID', String(pid), '/T', '/F'], options, error => resolve(error === null));
  });

/**
 * What belongs to one child of ours. POSIX and Windows part here: where there are signals, descendants are noted while the
 * child lives and swept when it is gone; Windows ends a whole tree in one call, and listing processes there is slow, so
 * it is done only after a crash.
 */
export class ChildTree implements StopTree {
  readonly #child: ChildProcess;
  readonly #options: ChildTreeOptions;
  readonly #killWindowsTree: KillWindowsTree;
  readonly #tree: Promise<ProcessTree>;

  constructor(
    child: ChildProcess,
    pid: number,
    options: ChildTreeOptions,
    killWindowsTree: KillWindowsTree = taskkill,
  ) {
    this.#child = child;
    this.#options = options;
    this.#killWindowsTree = killWindowsTree;
    this.#tree = this.#identify(pid);
  }

  async collect(): Promise<void> {
    if (!this.#onWindows) await (await this.#tree).collect();
  }

  async sweep(): Promise<number> {
    return this.#onWindows ? 0 : (await this.#tree).sweep();
  }

  async signal(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const { pid } = this.#child;
    if (this.#onWindows && pid !== undefined && (await this.#killWindowsTree(pid))) return;
    this.#child.kill(signal);
  }

  /** The child is gone and nobody has asked it to go. */
  async sweepOrphans(orderly: boolean): Promise<void> {
    // One that left in order has seen to its own children.
    if (this.#onWindows && orderly) return;
    try {
      const tree = await this.#tree;
      await tree.collectOrphans();
      const swept = await tree.sweep();
      if (swept > 0) this.#options.logger.info(`The agent left ${swept} processes behind; they were ended.`);
    } catch (error) {
      this.#options.logger.warn('What the agent left behind could not be listed.', error);
    }
  }

  get #onWindows(): boolean {
    return this.#options.platform === 'win32';
  }

  async #identify(pid: number): Promise<ProcessTree> {
    const { marker, clock, times, logger, platform, processes = systemProcessTable(platform) } = this.#options;
    const identity = await processes.identify(pid).catch((error: unknown) => {
      logger.warn('The start time of the agent process is not known.', error);
      return undefined;
    });
    return new ProcessTree(identity ?? { pid, startedAtMost: -1 }, processes, { marker, clock, times });
  }
}
