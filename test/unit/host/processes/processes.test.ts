import { describe, expect, it } from 'vitest';
import { Emitter } from '../../../../src/base/emitter.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { diagnosis } from '../../../../src/host/processes/diagnosis.ts';
import type { DiagnosisFacts } from '../../../../src/host/processes/diagnosis.ts';
import { IdleStopper } from '../../../../src/host/processes/idleStopper.ts';
import { ProcessLedger } from '../../../../src/host/processes/processLedger.ts';
import { durationText, processRow } from '../../../../src/host/processes/processRow.ts';
import { parseProcUsage, parseUsage, readUsage } from '../../../../src/host/processes/processUsage.ts';
import type { Connection } from '../../../../src/host/sessions/spareProcess.ts';
import { SpareProcess } from '../../../../src/host/sessions/spareProcess.ts';
import { AgentSession } from '../../../../src/session/agentSession.ts';
import { Transcript } from '../../../../src/session/transcript/transcript.ts';
import { memoryLine } from '../../../support/memoryTransport.ts';
import { ManualClock, requestOf, success } from '../../session/sessionKit.ts';
import { fill } from '../chat/fill.ts';

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

describe('the ledger', () => {
  it('knows a process from its start to its end, and since when it does what it does', async () => {
    const clock = new ManualClock();
    const ledger = new ProcessLedger(clock);
    const { host, peer } = memoryLine();
    const session = new AgentSession({ transport: host, transcript: new Transcript({ clock }), cwd: '/p', clock });
    ledger.add({ pid: 12, session, cwd: '/p', version: '1.2.3' });
    const started = clock.now();
    expect(ledger.all).toMatchObject([{ pid: 12, state: 'starting', startedAt: started }]);
    void session.start();
    clock.advance(50);
    peer.say(success(requestOf(peer, 'initialize').request_id, { commands: [], models: [] }));
    await settle();
    expect(ledger.all).toMatchObject([{ state: 'idle', stateSince: started + 50, version: '1.2.3' }]);
    peer.close({ reason: 'exited', exitCode: 0 });
    await settle();
    expect(ledger.all).toEqual([]);
  });
});

describe('idle agents', () => {
  function stage(minutes: number) {
    const clock = new ManualClock();
    const changes = new Emitter<undefined>();
    const rested: string[] = [];
    const sleeper = (name: string) => ({
      isIdle: false,
      rest() {
        rested.push(name);
        this.isIdle = false;
        return Promise.resolve();
      },
    });
    const [a, b] = [sleeper('a'), sleeper('b')];
    let limit = minutes;
    const stopper = new IdleStopper({
      sleepers: () => [a, b],
      onDidChange: changes.event,
      timeoutMinutes: () => limit,
      logger: silentLogger,
      clock,
    });
    stopper.start();
    const setLimit = (value: number): void => {
      limit = value;
      changes.fire(undefined);
    };
    return { clock, changes, rested, a, b, setLimit };
  }

  it('are put to rest after the time, each on its own', () => {
    const { clock, changes, rested, a, b } = stage(10);
    a.isIdle = true;
    changes.fire(undefined);
    clock.advance(5 * 60_000);
    b.isIdle = true;
    changes.fire(undefined);
    clock.advance(5 * 60_000);
    expect(rested).toEqual(['a']);
    clock.advance(5 * 60_000);
    expect(rested).toEqual(['a', 'b']);
  });

  it('begin anew when somebody talks to them', () => {
    const { clock, changes, rested, a } = stage(10);
    a.isIdle = true;
    changes.fire(undefined);
    clock.advance(9 * 60_000);
    a.isIdle = false;
    changes.fire(undefined);
    a.isIdle = true;
    changes.fire(undefined);
    clock.advance(9 * 60_000);
    expect(rested).toEqual([]);
  });

  it('are left alone with a time of 0', () => {
    const { clock, rested, a, setLimit } = stage(10);
    a.isIdle = true;
    setLimit(0);
    clock.advance(1_000 * 60_000);
    expect(rested).toEqual([]);
    setLimit(1);
    expect(rested).toEqual(['a']);
  });
});

describe('the spare process', () => {
  function stage() {
    const clock = new ManualClock();
    const dead = new Set<number>();
    const stopped: number[] = [];
    let pid = 100;
    const spare = new SpareProcess({ clock, logger: silentLogger, isAlive: one => !dead.has(one) });
    const connect = (): Connection => {
      pid += 1;
      const own = pid;
      const { host, peer } = memoryLine();
      peer.onStop = () => {
        stopped.push(own);
        peer.close({ reason: 'stopped' });
      };
      return { transport: host, pid: own };
    };
    return { clock, dead, stopped, spare, connect };
  }

  it('is taken once, and only by a session that would start in the same way', () => {
    const { spare, connect, stopped } = stage();
    spare.prepare('a', connect);
    spare.prepare('a', connect);
    expect(spare.pid).toBe(101);
    expect(spare.take('a')?.pid).toBe(101);
    expect(spare.take('a')).toBeUndefined();
    spare.prepare('a', connect);
    expect(spare.take('b')).toBeUndefined();
    expect(stopped).toEqual([102]);
  });

  it('is never two: another way of starting ends the one before', () => {
    const { spare, connect, stopped } = stage();
    spare.prepare('a', connect);
    spare.prepare('b', connect);
    expect([spare.pid, stopped]).toEqual([102, [101]]);
  });

  it('is not given out when it has died, and ends when nobody wants it', () => {
    const { spare, connect, dead, clock, stopped } = stage();
    spare.prepare('a', connect);
    dead.add(101);
    expect(spare.take('a')).toBeUndefined();
    spare.prepare('a', connect);
    clock.advance(10 * 60_000);
    expect(spare.pid).toBeUndefined();
    expect(stopped).toEqual([101, 102]);
  });
});

describe('what a process uses', () => {
  it('is read from what the system says', () => {
    const stat = '7 (a b) c) S 1 7 7 0 -1 4194304 1 0 0 0 150 50 0 0 20 0 11 0 100 1 1';
    expect(parseProcUsage('Name:\tx\nVmRSS:\t   2048 kB\n', stat)).toEqual({ memoryBytes: 2_097_152, cpuSeconds: 2 });
    expect(parseProcUsage('', '')).toBeUndefined();
    expect(parseUsage('  7 1024 1:02.50\n 8 10 2-03:00:01\nnonsense\n')).toEqual(
      new Map([
        [7, { memoryBytes: 1_048_576, cpuSeconds: 62.5 }],
        [8, { memoryBytes: 10_240, cpuSeconds: 183_601 }],
      ]),
    );
  });

  it('is known of a process that runs and not of one that does not', async () => {
    const usage = await readUsage([process.pid, 2 ** 22 + 1]);
    expect(usage.get(process.pid)?.memoryBytes).toBeGreaterThan(1_000_000);
    expect(usage.size).toBe(1);
  });

  it('is a row with pid, version, state, memory and load', () => {
    const usage = { memoryBytes: 200 * 1024 * 1024, cpuSeconds: 4 };
    const facts = {
      pid: 7,
      title: 'T',
      version: '2.1.3',
      cwd: '/p',
      startedAt: 0,
      state: 'idle',
      stateSince: 60_000,
    } as const;
    const before = { usage: { memoryBytes: 0, cpuSeconds: 3 }, at: 118_000 };
    expect(processRow({ ...facts, usage, before }, 120_000, fill)).toEqual({
      label: 'T',
      description: 'pid 7 · 2.1.3 · idle for 1 min',
      detail: '200.0 MB · CPU 50 % · CPU time 4.0 s · started 2 min ago · /p',
    });
    expect(durationText(3_720_000)).toBe('1 h 2 min');
  });
});

describe('the diagnosis', () => {
  const well: DiagnosisFacts = {
    versions: { handrail: '1', vscode: '1.106', node: '22' },
    platform: 'linux x64',
    search: {
      found: { path: '/bin/claude', source: 'path', version: '2.1.3' },
      tried: [{ path: '/bin/claude', source: 'path', outcome: 'ok' }],
    },
    loggedIn: true,
    processes: 1,
    git: 'git version 2',
    configFolder: { path: '/home/.claude', there: true, sessions: 4 },
    folders: ['/p'],
    settings: { 'handrail.claude.environment': '["ANTHROPIC_API_KEY"]' },
    logPath: '/logs',
  };

  it('says that all is well, where everything is, and offers nothing', () => {
    const { markdown, fix } = diagnosis(well, fill);
    expect(fix).toBeUndefined();
    expect(markdown).toContain('Everything that was looked at works.');
    for (const part of ['/bin/claude', '2.1.3', '4 sessions', '/logs', 'signed in']) expect(markdown).toContain(part);
  });

  it('names every place where the program was looked for, and offers the settings', () => {
    const tried = [{ path: '/a/claude`', source: 'setting', outcome: 'notFound', detail: 'x\ny' }] as const;
    const { markdown, fix } = diagnosis({ ...well, search: { tried } }, fill);
    expect(fix).toBe('openSettings');
    expect(markdown).toContain('- **The claude program was not found.');
    expect(markdown).toContain('- `/a/claude ` (setting): notFound – `x y`');
  });

  it('offers to sign in', () => {
    expect(diagnosis({ ...well, loggedIn: false }, fill).fix).toBe('signIn');
  });
});
