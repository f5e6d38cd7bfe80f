import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import type { Disposable } from '../base/disposable.ts';
import { toDisposable } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import type { GuardianOrder } from './guardedProcesses.ts';
import type { StopTimes } from './stopLadder.ts';

export interface GuardedChild {
  readonly pid: number;
  /** The value of the tree marker in its environment. */
  readonly marker?: string;
}

/** Sees to it that a child does not outlive the host, even a host that is killed. */
export interface ProcessGuard {
  /** From now until disposed the child and its tree end with the host. */
  watch(child: GuardedChild): Disposable;
}

export const noGuard: ProcessGuard = { watch: () => toDisposable(() => undefined) };

export interface GuardianProcessOptions {
  /** The built guardian program (`dist/guardian.js`). */
  readonly script: string;
  /** A Node, or VS Code's own binary, which becomes one through the variable set below. */
  readonly execPath?: string;
  readonly spawn?: typeof spawn;
  readonly logger?: Logger;
  /** The steps of the guardian's ladder, where not the usual ones. */
  readonly times?: Pick<StopTimes, 'endInputMs' | 'terminateMs'>;
}

/** A guardian that keeps dying is not started for ever. */
const maxStarts = 4;

/**
 * One guardian process per host, started with the first child and ended by the end of its pipe: when the host disposes
 * this, exits or dies. It is told who is to be guarded, so that it never ends anything that was not registered.
 */
export class GuardianProcess implements ProcessGuard, Disposable {
  readonly #options: GuardianProcessOptions;
  readonly #logger: Logger;
  readonly #watched = new Map<number, GuardedChild>();
  #process: ChildProcess | undefined;
  #starts = 0;
  #disposed = false;

  constructor(options: GuardianProcessOptions) {
    this.#options = options;
    this.#logger = options.logger ?? silentLogger;
  }

  /** For diagnosis; undefined while none is needed. */
  get pid(): number | undefined {
    return this.#process?.pid;
  }

  watch(child: GuardedChild): Disposable {
    this.#watched.set(child.pid, child);
    if (this.#process) this.#order({ add: child.pid, marker: child.marker });
    else this.#start();
    return toDisposable(() => {
      // The same pid may have been registered anew for another child meanwhile.
      if (this.#watched.get(child.pid) !== child) return;
      this.#watched.delete(child.pid);
      this.#order({ remove: child.pid });
    });
  }

  /** Ends the guardian. What is still registered is ended by it: a disposed guard leaves nothing behind. */
  dispose(): void {
    this.#disposed = true;
    this.#process?.stdin?.end();
    this.#process = undefined;
  }

  #start(): void {
    if (this.#disposed || this.#starts >= maxStarts) return;
    this.#starts += 1;
    const { script, execPath = process.execPath, spawn: start = spawn, times } = this.#options;
    const args = times ? [script, String(times.endInputMs), String(times.terminateMs)] : [script];
    // Detached: a group of its own, so that what is sent to the host's group does not reach it.
    const child = start(execPath, args, {
      detached: true,
      windowsHide: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: guardianEnvironment(process.env),
    });
    this.#process = child;
    child.on('error', error => this.#lost(child, error.message));
    child.on('exit', (code, signal) => this.#lost(child, `exit ${signal ?? code ?? 'unknown'}`));
    child.stdin.on('error', error => this.#lost(child, error.message));
    // It must not keep a host alive that is otherwise done.
    child.unref();
    if (child.stdin instanceof Socket) child.stdin.unref();
    for (const watched of this.#watched.values()) this.#order({ add: watched.pid, marker: watched.marker });
  }

  #lost(child: ChildProcess, why: string): void {
    if (this.#process !== child) return;
    this.#process = undefined;
    this.#logger.warn(`The process guardian ended (${why}).`);
    if (this.#watched.size > 0) this.#start();
  }

  #order(order: GuardianOrder): void {
    this.#process?.stdin?.write(`${JSON.stringify(order)}\n`);
  }
}

/** Only what a Node program and `ps` or PowerShell need; above all no NODE_OPTIONS of a debugged host. */
function guardianEnvironment(base: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const wanted = new Set(['PATH', 'SYSTEMROOT', 'WINDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH']);
  const kept = Object.entries(base).filter(([key]) => wanted.has(key.toUpperCase()));
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}
