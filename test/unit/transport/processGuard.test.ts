import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { GuardedProcesses, parseGuardianOrder } from '../../../src/transport/guardedProcesses.ts';
import { GuardianProcess } from '../../../src/transport/processGuard.ts';
import { systemProcessTable } from '../../../src/transport/processTable.ts';
import { allowListedEnvironment, fakeCli } from '../../support/cli/fakeCli.ts';
import { endProcess, isAlive, until, untilGone } from '../../support/processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'handrail-guard-'));
const script = join(folder, 'guardian.cjs');
const hostScript = join(folder, 'host.cjs');
const started: number[] = [];
const env = allowListedEnvironment(folder);

/** Built as in the package, so that what is tested is what is shipped. */
beforeAll(async () => {
  const common = { bundle: true, platform: 'node' as const, format: 'cjs' as const, target: 'node20' };
  await build({ ...common, entryPoints: ['src/transport/guardian.ts'], outfile: script, minify: true });
  writeFileSync(
    join(folder, 'host.ts'),
    `import { startChildTransport } from ${JSON.stringify(join(process.cwd(), 'src/transport/childTransport.ts'))};
     import { GuardianProcess } from ${JSON.stringify(join(process.cwd(), 'src/transport/processGuard.ts'))};
     const guard = new GuardianProcess({ script: process.argv[2], times: { endInputMs: 300, terminateMs: 300 } });
     for (const cli of JSON.parse(process.argv[3])) {
       const transport = startChildTransport({ ...cli, guard });
       transport.open({
         onFrame: frame => console.log(JSON.stringify({ shell: frame.raw?.pid, cli: transport.pid, guardian: guard.pid })),
         onProblem() {},
         onClose() {},
       });
     }
     setInterval(() => {}, 60000);`,
  );
  await build({
    ...common,
    entryPoints: [join(folder, 'host.ts')],
    outfile: hostScript,
    alias: { zod: join(process.cwd(), 'node_modules/zod') },
    nodePaths: [join(process.cwd(), 'node_modules')],
  });
});

afterEach(() => {
  for (const pid of started.splice(0)) endProcess(pid);
});

function startSleeper(): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60000)'], { env, stdio: 'ignore' });
  child.unref();
  const pid = Number(child.pid);
  started.push(pid);
  return pid;
}

describe('the guard of a host that is killed', () => {
  it('ends the agents, their shells and at last the guardian', async () => {
    const command = 'trap "" TERM; sleep 300 & wait; sleep 300';
    const stubborn = { ignoreStdinEnd: true, ignoreSigterm: true };
    const agents = [
      fakeCli({ steps: [{ do: 'shell', command }] }, { home: folder }),
      fakeCli({ steps: [{ do: 'shell', command, detached: true }], ...stubborn }, { home: folder }),
    ];
    const host = spawn(process.execPath, [hostScript, script, JSON.stringify(agents)], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    host.stdout.on('data', (text: Buffer) => (output += text.toString()));
    await until(
      'both agents run with their shells',
      () => output.trimEnd().split('\n').length === 2 && output.endsWith('\n'),
    );
    const pids = [...output.matchAll(/\d+/g)].map(Number);
    started.push(...pids, Number(host.pid));
    expect(pids).toHaveLength(6);
    expect(pids.every(isAlive)).toBe(true);
    host.kill('SIGKILL');
    for (const pid of new Set(pids)) await untilGone(pid);
  });

  it('ends what is registered when its pipe ends, and not what was taken out again', async () => {
    const [kept, released] = [startSleeper(), startSleeper()];
    const guard = new GuardianProcess({ script, times: { endInputMs: 50, terminateMs: 100 } });
    guard.watch({ pid: kept });
    guard.watch({ pid: released }).dispose();
    const guardian = Number(guard.pid);
    started.push(guardian);
    guard.dispose();
    await untilGone(kept);
    await untilGone(guardian);
    expect(isAlive(released)).toBe(true);
  });

  it('is left by the guardian itself, also where Node would never come to the end of its own exit', async () => {
    // Stands for nodejs/node#54918: whoever leaves by `process.exit`, or by having nothing left to do, stays for ever.
    const stuck = join(folder, 'stuck.cjs');
    writeFileSync(
      stuck,
      `process.on('exit', () => { for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0); });`,
    );
    const guardian = spawn(process.execPath, ['--require', stuck, script], {
      env,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    started.push(Number(guardian.pid));
    guardian.stdin.end();
    await untilGone(Number(guardian.pid), 8_000);
  });

  it('is started with the first child only, once, and leaves at once when nobody is registered', async () => {
    const guard = new GuardianProcess({ script });
    expect(guard.pid).toBeUndefined();
    const first = guard.watch({ pid: startSleeper() });
    const guardian = Number(guard.pid);
    started.push(guardian);
    guard.watch({ pid: startSleeper() }).dispose();
    expect(guard.pid).toBe(guardian);
    first.dispose();
    guard.dispose();
    await untilGone(guardian, 4000);
    expect(
      started
        .slice(1)
        .filter(pid => pid !== guardian)
        .every(isAlive),
    ).toBe(true);
  });

  it('starts another guardian when one is killed, and tells it of everybody', async () => {
    const child = startSleeper();
    const guard = new GuardianProcess({ script, times: { endInputMs: 50, terminateMs: 100 } });
    guard.watch({ pid: child });
    const first = Number(guard.pid);
    process.kill(first, 'SIGKILL');
    await until('there is another guardian', () => guard.pid !== undefined && guard.pid !== first);
    started.push(Number(guard.pid));
    guard.dispose();
    await untilGone(child);
  });

  it('gives up on a guardian that cannot run, without an end', async () => {
    const guard = new GuardianProcess({ script, execPath: join(folder, 'no-such-node') });
    guard.watch({ pid: startSleeper() });
    await until('it has given up', () => guard.pid === undefined);
    guard.dispose();
  });
});

describe('the book of the guardian', () => {
  it('reads orders and nothing else', () => {
    expect(parseGuardianOrder('{"add":12,"marker":"m"}')).toEqual({ add: 12, marker: 'm' });
    expect(parseGuardianOrder('{"remove":12}')).toEqual({ remove: 12 });
    for (const line of [
      '',
      '{',
      'null',
      '7',
      '{"add":1}',
      '{"add":"12"}',
      '{"add":-5}',
      '{"remove":0}',
      '{"add":1.5}',
    ]) {
      expect(parseGuardianOrder(line)).toBeUndefined();
    }
  });

  it('leaves alone a process that got the number of one that is gone', async () => {
    const stranger = startSleeper();
    const real = systemProcessTable();
    const table = { ...real, identify: (pid: number) => Promise.resolve({ pid, startedAtMost: 1 }) };
    const guarded = new GuardedProcesses(table, { stopTimes: { endInputMs: 10, terminateMs: 10, killMs: 10 } });
    guarded.take({ add: stranger });
    expect(await guarded.hostGone()).toBe(1);
    expect(isAlive(stranger)).toBe(true);
  });

  it('loses nobody when the processes cannot be listed for a moment', async () => {
    const agents = [startSleeper(), startSleeper()];
    const real = systemProcessTable();
    let failures = 0;
    const busy = <T>(work: () => Promise<T>, times: number): Promise<T> =>
      failures++ < times ? Promise.reject(new Error('ps failed: timed out')) : work();
    const table = {
      ...real,
      identify: (pid: number) => busy(() => real.identify(pid), 1),
      list: () => busy(() => real.list(), 4),
    };
    const guarded = new GuardedProcesses(table, {
      stopTimes: { endInputMs: 100, terminateMs: 2000, killMs: 2000 },
      pollMs: 10,
    });
    for (const pid of agents) guarded.take({ add: pid });
    expect(await guarded.hostGone()).toBe(2);
    for (const pid of agents) await untilGone(pid);
    expect(failures).toBeGreaterThan(4);
  });

  it('does not let one process that cannot be looked up take the others along', async () => {
    const [lost, kept] = [startSleeper(), startSleeper()];
    const real = systemProcessTable();
    const identify = (pid: number) => (pid === lost ? Promise.reject(new Error('ps failed')) : real.identify(pid));
    const stopTimes = { endInputMs: 10, terminateMs: 2000, killMs: 2000 };
    const guarded = new GuardedProcesses({ ...real, identify }, { stopTimes, pollMs: 10 });
    guarded.take({ add: lost });
    guarded.take({ add: kept });
    await guarded.hostGone();
    await untilGone(kept);
    expect(isAlive(lost)).toBe(true);
  });

  it('has a program that is small and needs nothing beside itself', () => {
    expect(existsSync(script)).toBe(true);
    expect(readFileSync(script).length).toBeLessThan(16 * 1024);
  });
});
