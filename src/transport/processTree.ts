import type { Clock } from '../base/clock.ts';
import { systemClock } from '../base/clock.ts';
import type { ProcessEntry, ProcessIdentity, ProcessTable } from './processTable.ts';
import { delay } from './waiting.ts';

export interface SweepTimes {
  /** What remains after the root left gets this long to follow by itself, */
  readonly settleMs: number;
  /** and this long after SIGTERM before SIGKILL. */
  readonly terminateMs: number;
  /** How long to watch for the end of those that were killed: on a busy machine that takes a moment too. */
  readonly killMs: number;
}

export const defaultSweepTimes: SweepTimes = { settleMs: 200, terminateMs: 1000, killMs: 2000 };

/**
 * A process and all that it started. Orphans change their parent, so descendants are remembered while the root still
 * lives (`collect`), and for a root that died unasked there are its process group and the marker in the environment
 * (`collectOrphans`). A process that made itself a daemon while the root lived is no longer part of the tree, just
 * as it would survive the terminal it was started from.
 *
 * Nothing is ever signalled by number alone: each member is checked against its start time first.
 */
export class ProcessTree {
  readonly #root: ProcessIdentity;
  readonly #table: ProcessTable;
  readonly #marker: string | undefined;
  readonly #clock: Clock;
  readonly #times: SweepTimes;
  readonly #members = new Map<number, number>();

  constructor(
    root: ProcessIdentity,
    table: ProcessTable,
    options: { readonly marker?: string; readonly clock?: Clock; readonly times?: SweepTimes } = {},
  ) {
    this.#root = root;
    this.#table = table;
    this.#marker = options.marker;
    this.#clock = options.clock ?? systemClock;
    this.#times = options.times ?? defaultSweepTimes;
  }

  /** Remembers whoever descends from the root now. Cheap enough to repeat. */
  async collect(): Promise<void> {
    this.#collectFrom(await this.#table.list());
  }

  /** For a root that is gone: what still belongs to its group, or runs under a shell that it had started. */
  async collectOrphans(): Promise<void> {
    const marker = this.#marker;
    const [entries, marked] = await Promise.all([
      this.#table.list(),
      marker === undefined ? new Set<number>() : this.#table.marked(marker),
    ]);
    for (const entry of entries) {
      // The leader of its session must be alive and ours: the shell of a tool that is still running. What such a shell left
      // behind when it ended well (a server put into the background on purpose) is not the root's to take along.
      const leader = entry.sessionId;
      if (marked.has(entry.pid) && leader !== undefined && marked.has(leader)) this.#add(entry);
    }
    this.#collectFrom(entries);
  }

  async isRootAlive(): Promise<boolean> {
    return (await this.#table.list()).some(entry => this.#isRoot(entry));
  }

  /** Signals the root if it is still the same process. */
  async signalRoot(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    if (await this.isRootAlive()) this.#table.signal(this.#root.pid, signal);
  }

  /** Ends every remembered member, gently first. Returns how many had to be signalled. */
  async sweep(): Promise<number> {
    if ((await this.#alive()).length === 0) return 0;
    await delay(this.#clock, this.#times.settleMs);
    const remaining = await this.#signalAlive('SIGTERM');
    if (remaining === 0) return 0;
    // A shell may answer SIGTERM by starting its trap; whoever is new by then is collected with the rest.
    const step = Math.max(1, this.#times.terminateMs / 10);
    for (let waited = 0; waited < this.#times.terminateMs; waited += step) {
      if ((await this.#alive()).length === 0) return remaining;
      await delay(this.#clock, step);
    }
    for (let waited = 0; waited < this.#times.killMs; waited += step) {
      if ((await this.#signalAlive('SIGKILL')) === 0) break;
      await delay(this.#clock, step);
    }
    return remaining;
  }

  async #signalAlive(signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
    const alive = await this.#alive();
    for (const entry of alive) this.#table.signal(entry.pid, signal);
    return alive.length;
  }

  async #alive(): Promise<ProcessEntry[]> {
    const entries = await this.#table.list();
    this.#collectFrom(entries);
    return entries.filter(entry => this.#members.get(entry.pid) === entry.startedAt);
  }

  #isRoot(entry: ProcessEntry): boolean {
    return entry.pid === this.#root.pid && entry.startedAt <= this.#root.startedAtMost;
  }

  #add(entry: ProcessEntry): void {
    if (!this.#isRoot(entry)) this.#members.set(entry.pid, entry.startedAt);
  }

  #collectFrom(entries: readonly ProcessEntry[]): void {
    const byPid = new Map(entries.map(entry => [entry.pid, entry]));
    const children = childrenByParent(entries);
    const holder = byPid.get(this.#root.pid);
    const rootLost = holder !== undefined && !this.#isRoot(holder);
    // The number of a group is not given again while a member lives, but once the root's number has a new owner it proves nothing.
    if (!rootLost) for (const entry of entries) if (entry.groupId === this.#root.pid) this.#add(entry);
    const queue = [this.#root.pid, ...this.#members.keys()];
    const seen = new Set<number>();
    for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
      if (seen.has(pid)) continue;
      seen.add(pid);
      for (const child of children.get(pid) ?? []) {
        if (!this.#isChildOf(child, pid, byPid.get(pid))) continue;
        this.#add(child);
        queue.push(child.pid);
      }
    }
  }

  /**
   * Windows keeps the parent's number in a child whose parent is gone, and may give that number to a stranger: then only
   * children older than the stranger are ours.
   */
  #isChildOf(child: ProcessEntry, pid: number, holder: ProcessEntry | undefined): boolean {
    const startedAt = this.#members.get(pid);
    if (startedAt !== undefined && child.startedAt < startedAt) return false;
    if (holder === undefined) return true;
    const ours = pid === this.#root.pid ? this.#isRoot(holder) : startedAt === holder.startedAt;
    return ours ? child.startedAt >= holder.startedAt : child.startedAt < holder.startedAt;
  }
}

function childrenByParent(entries: readonly ProcessEntry[]): Map<number, ProcessEntry[]> {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of entries) {
    const siblings = children.get(entry.parentPid);
    if (siblings) siblings.push(entry);
    else children.set(entry.parentPid, [entry]);
  }
  return children;
}
