import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ProcessEntry, ProcessTable } from '../../../src/transport/processTable.ts';
import { parseProcStat, parsePs, parseWindowsList, systemProcessTable } from '../../../src/transport/processTable.ts';
import { ProcessTree } from '../../../src/transport/processTree.ts';

/** A small operating system: who runs, who dies of what. */
class FakeSystem implements ProcessTable {
  readonly running = new Map<number, ProcessEntry>();
  readonly signals: string[] = [];
  readonly stubborn = new Set<number>();
  readonly markedPids = new Set<number>();

  add(...entries: ProcessEntry[]): this {
    for (const entry of entries) this.running.set(entry.pid, entry);
    return this;
  }

  /** Dies, and its children are given to process 1. */
  die(pid: number): void {
    this.running.delete(pid);
    for (const [other, entry] of this.running)
      if (entry.parentPid === pid) this.running.set(other, { ...entry, parentPid: 1 });
  }

  list = () => Promise.resolve([...this.running.values()]);
  identify = (pid: number) => {
    const entry = this.running.get(pid);
    return Promise.resolve(entry && { pid, startedAtMost: entry.startedAt });
  };
  marked = () => Promise.resolve(this.markedPids);
  signal = (pid: number, signal: 'SIGTERM' | 'SIGKILL') => {
    this.signals.push(`${signal} ${pid}`);
    if (signal === 'SIGKILL' || !this.stubborn.has(pid)) this.die(pid);
    return true;
  };
}

const entry = (pid: number, parentPid: number, startedAt: number, rest: Partial<ProcessEntry> = {}): ProcessEntry => ({
  pid,
  parentPid,
  startedAt,
  ...rest,
});
const times = { settleMs: 1, terminateMs: 10, killMs: 50 };
const root = { pid: 100, startedAtMost: 10 };

describe('a process tree', () => {
  it('ends the descendants that were noted before their parent died, and nobody else', async () => {
    const system = new FakeSystem().add(
      entry(1, 0, 0),
      entry(100, 1, 10),
      entry(101, 100, 11),
      entry(102, 101, 12),
      entry(200, 1, 11),
    );
    const tree = new ProcessTree(root, system, { times });
    await tree.collect();
    system.die(100);
    expect(await tree.sweep()).toBe(2);
    expect(system.signals).toEqual(['SIGTERM 101', 'SIGTERM 102']);
    expect([...system.running.keys()]).toEqual([1, 200]);
  });

  it('kills what does not go when asked', async () => {
    const system = new FakeSystem().add(entry(100, 1, 10), entry(101, 100, 11));
    system.stubborn.add(101);
    const tree = new ProcessTree(root, system, { times });
    await tree.collect();
    system.die(100);
    await tree.sweep();
    expect(system.signals).toEqual(['SIGTERM 101', 'SIGKILL 101']);
  });

  it('never signals a stranger who got the number of a member', async () => {
    const system = new FakeSystem().add(entry(100, 1, 10), entry(101, 100, 11));
    const tree = new ProcessTree(root, system, { times });
    await tree.collect();
    system.die(100);
    system.die(101);
    system.add(entry(100, 1, 50), entry(101, 1, 51), entry(103, 100, 52), entry(104, 101, 52));
    expect(await tree.sweep()).toBe(0);
    expect(system.signals).toEqual([]);
    expect(await tree.isRootAlive()).toBe(false);
    await tree.signalRoot('SIGKILL');
    expect(system.signals).toEqual([]);
  });

  it('takes the older children, not those of a stranger, where dead parents keep their number', async () => {
    const system = new FakeSystem().add(entry(101, 100, 11), entry(100, 1, 50), entry(103, 100, 52));
    const tree = new ProcessTree(root, system, { times });
    await tree.sweep();
    expect(system.signals).toEqual(['SIGTERM 101']);
  });

  it('finds the group of a root that died unasked', async () => {
    const system = new FakeSystem().add(entry(101, 1, 11, { groupId: 100 }), entry(200, 1, 12, { groupId: 200 }));
    const tree = new ProcessTree(root, system, { times });
    await tree.collectOrphans();
    await tree.sweep();
    expect(system.signals).toEqual(['SIGTERM 101']);
  });

  it('finds a running shell in a session of its own by the marker, with all that it started', async () => {
    const shell = entry(101, 1, 11, { groupId: 101, sessionId: 101 });
    const inShell = entry(102, 101, 12, { groupId: 101, sessionId: 101 });
    const leftBehind = entry(103, 1, 12, { groupId: 90, sessionId: 90 });
    const system = new FakeSystem().add(shell, inShell, leftBehind);
    for (const pid of [101, 102, 103]) system.markedPids.add(pid);
    const tree = new ProcessTree(root, system, { times, marker: 'm' });
    await tree.collectOrphans();
    await tree.sweep();
    expect(system.signals.toSorted()).toEqual(['SIGTERM 101', 'SIGTERM 102']);
  });

  it('signals only descendants, whatever the table looks like', async () => {
    const pid = fc.integer({ min: 2, max: 12 });
    const table = fc.uniqueArray(fc.tuple(pid, fc.integer({ min: 1, max: 12 }), fc.nat(20)), {
      selector: ([id]) => id,
    });
    await fc.assert(
      fc.asyncProperty(table, async rows => {
        const system = new FakeSystem().add(...rows.map(([id, parent, start]) => entry(id, parent, start)));
        const rootEntry = system.running.get(5);
        fc.pre(rootEntry !== undefined);
        const before = new Map(system.running);
        const tree = new ProcessTree({ pid: 5, startedAtMost: rootEntry.startedAt }, system, {
          times: { settleMs: 0, terminateMs: 1, killMs: 2 },
        });
        await tree.sweep();
        for (const signal of system.signals) {
          const path: number[] = [];
          let at = Number(signal.split(' ')[1]);
          while (at !== 5 && !path.includes(at)) {
            path.push(at);
            at = before.get(at)?.parentPid ?? 0;
          }
          expect(at).toBe(5);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('the process table', () => {
  it('finds this very process with its parent and start', async () => {
    const table = systemProcessTable();
    const own = (await table.list()).find(one => one.pid === process.pid);
    expect(own?.parentPid).toBe(process.ppid);
    expect(await table.identify(process.pid)).toEqual({ pid: process.pid, startedAtMost: own?.startedAt });
    expect(await table.identify(2 ** 22 + 1)).toBeUndefined();
  });

  it('reads a command name with brackets and spaces', () => {
    const fields = ['S', '1', '7', '8', ...Array.from({ length: 15 }, () => '0'), '4711', '0'];
    expect(parseProcStat(`42 (a) b (c) ${fields.join(' ')}`)).toEqual({
      pid: 42,
      parentPid: 1,
      groupId: 7,
      sessionId: 8,
      startedAt: 4711,
    });
    expect(parseProcStat(`42 (x) ${['Z', ...fields.slice(1)].join(' ')}`)).toBeUndefined();
    expect(parseProcStat('')).toBeUndefined();
  });

  it('reads what ps and PowerShell print, and skips what it cannot read', () => {
    const ps =
      '  501     1   501 Ss   Tue Nov 18 08:30:12 2025\n  502   501   501 Z    Tue Nov 18 08:30:13 2025\nrubbish\n';
    expect(parsePs(ps)).toEqual([
      { pid: 501, parentPid: 1, groupId: 501, startedAt: Date.parse('Tue Nov 18 08:30:12 2025') },
    ]);
    expect(parseWindowsList('4 0 1700000000000\r\n\r\nno\r\n88 4 1700000000001\r\n')).toEqual([
      { pid: 4, parentPid: 0, startedAt: 1_700_000_000_000 },
      { pid: 88, parentPid: 4, startedAt: 1_700_000_000_001 },
    ]);
  });

  it('lists the same process through ps, as macOS does', async () => {
    const table = systemProcessTable('darwin');
    const own = (await table.list()).find(one => one.pid === process.pid);
    expect(own?.parentPid).toBe(process.ppid);
    expect((await table.identify(process.pid))?.startedAtMost).toBe(own?.startedAt);
    expect(await table.identify(2 ** 22 + 1)).toBeUndefined();
  });
});
