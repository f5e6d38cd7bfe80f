import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../../src/base/logger.ts';
import type { CliFrame } from '../../../src/protocol/cliFrame.ts';
import { decodeFrame } from '../../../src/protocol/decodeFrame.ts';
import type { HostFrame } from '../../../src/protocol/hostFrame.ts';
import type { Transport, TransportClose, WireProblem } from '../../../src/protocol/transport.ts';
import { TransportError } from '../../../src/protocol/transport.ts';
import type { ChildTransport, ChildTransportOptions } from '../../../src/transport/childTransport.ts';
import { defaultChildTimes, startChildTransport } from '../../../src/transport/childTransport.ts';
import type { FakeCliScript } from '../../support/cli/fakeCli.ts';
import { fakeCli } from '../../support/cli/fakeCli.ts';
import { endProcess, isAlive, until, untilGone } from '../../support/processes.ts';

const home = mkdtempSync(join(tmpdir(), 'handrail-transport-'));
const started: (number | undefined)[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) endProcess(pid);
});

/** Short where waiting proves nothing; the steps of the ladder keep their time, so that a slow machine does not skip one. */
const quick = {
  ...defaultChildTimes,
  sweep: { settleMs: 20, terminateMs: 200, killMs: 5000 },
  drainQuietMs: 100,
  halfOpenMs: 100,
};

const impatient = { ...quick, stop: { endInputMs: 100, terminateMs: 100, killMs: 5000 } };

function start(script: FakeCliScript, options: Partial<ChildTransportOptions> = {}): ChildTransport {
  const transport = startChildTransport({ ...fakeCli(script, { home }), times: quick, ...options });
  started.push(transport.pid);
  return transport;
}

/** Opens it and gathers all that it says. */
function listen(transport: Transport) {
  const frames: CliFrame[] = [];
  const problems: WireProblem[] = [];
  const closes: TransportClose[] = [];
  const closed = new Promise<TransportClose>(resolve => {
    transport.open({
      onFrame: frame => {
        frames.push(frame);
        if (frame.type === 'unknown' && frame.rawType === 'fake_shell') started.push(Number(frame.raw['pid']));
      },
      onProblem: problem => problems.push(problem),
      onClose: close => {
        closes.push(close);
        resolve(close);
      },
    });
  });
  const types = (): string[] => frames.map(frame => (frame.type === 'unknown' ? String(frame.rawType) : frame.type));
  const shellPid = async (): Promise<number> => {
    await until('the shell runs', () => types().includes('fake_shell'));
    return Number(started.at(-1));
  };
  return { frames, problems, closes, closed, types, shellPid };
}

const prompt = (content: string): HostFrame => ({
  type: 'user',
  message: { role: 'user', content },
  parent_tool_use_id: null,
  session_id: '',
  uuid: randomUUID(),
});
/** The text of a prompt as the child got it. */
function contentOf(line: string): unknown {
  const frame = decodeFrame(line, problem => expect(problem).toBeUndefined());
  const block = frame?.type === 'user' ? frame.message.content[0] : undefined;
  return block?.type === 'text' ? block.text : undefined;
}
const keepAlive = { type: 'keep_alive' };

describe('a child transport: reading', () => {
  it('carries a whole turn both ways', async () => {
    const transport = start({ turns: { text: 'Hello from the fake.' } });
    const { types, closed } = listen(transport);
    await transport.send(prompt('hi'));
    await until('the turn is over', () => types().includes('result'));
    expect(types().filter(type => type === 'stream_event').length).toBeGreaterThan(4);
    expect((await transport.stop()).reason).toBe('stopped');
    expect(await closed).toMatchObject({ reason: 'stopped', exitCode: 0 });
  });

  it('delivers records cut inside characters, noise and broken lines as frames and problems', async () => {
    const text = 'noise\n{"type":"keep_alive","text":"👋ü"}\n{"type":\n{"type":"keep_alive"}';
    const bytes = Buffer.byteLength(text);
    const transport = start({
      steps: [
        { do: 'raw', text, splitAt: [3, 38, 39, 40, 43, bytes - 4] },
        { do: 'exit', code: 0 },
      ],
    });
    const { types, problems, closed } = listen(transport);
    await closed;
    expect(types()).toEqual(['keep_alive', 'keep_alive']);
    expect(problems.map(problem => problem.code)).toEqual(['noise', 'invalidJson']);
  });

  it('reports a record cut by the exit and then the exit', async () => {
    const transport = start({
      steps: [
        { do: 'raw', text: '{"type":"assist' },
        { do: 'exit', code: 3 },
      ],
    });
    const { problems, closed } = listen(transport);
    expect(await closed).toMatchObject({ reason: 'exited', exitCode: 3 });
    expect(problems.map(problem => problem.code)).toEqual(['truncatedLine']);
  });

  it('keeps frames, and even the exit, for a listener that comes later', async () => {
    const transport = start({
      steps: [
        { do: 'repeat', count: 2000, value: keepAlive },
        { do: 'exit', code: 0 },
      ],
    });
    // All of it fits into the pipe, so the child need not wait for us.
    await untilGone(Number(transport.pid));
    const { frames, closed } = listen(transport);
    expect(frames).toEqual([]);
    await closed;
    expect(frames).toHaveLength(2000);
  });

  it('delivers all of a large output before it reports the exit', async () => {
    const transport = start({
      steps: [
        { do: 'repeat', count: 20_000, value: keepAlive },
        { do: 'exit', code: 0 },
      ],
    });
    const { frames, closed } = listen(transport);
    await closed;
    expect(frames).toHaveLength(20_000);
  });

  it('accepts a line of 20 MiB', async () => {
    const transport = start({
      steps: [
        { do: 'huge', bytes: 20 * 1024 * 1024 },
        { do: 'exit', code: 0 },
      ],
    });
    const { types, closed } = listen(transport);
    await closed;
    expect(types()).toEqual(['huge']);
  });

  it('breaks with a clear error at a line above the limit, and ends the child', async () => {
    const transport = start({ steps: [{ do: 'huge', bytes: 3 * 1024 * 1024 }] }, { maxLineBytes: 1024 * 1024 });
    const { problems, closed } = listen(transport);
    expect(await closed).toMatchObject({ reason: 'broken', detail: 'A line from the agent was longer than allowed.' });
    expect(problems.map(problem => problem.code)).toEqual(['lineTooLong']);
    expect(isAlive(Number(transport.pid))).toBe(false);
  });

  it('is not blocked by 10 MiB on stderr and keeps its end', async () => {
    const transport = start({
      steps: [
        { do: 'stderr', bytes: 10 * 1024 * 1024 },
        { do: 'stderr', text: '\u001b[31mlast words\u001b[0m\n' },
        { do: 'line', value: keepAlive },
        { do: 'exit', code: 1 },
      ],
    });
    const { types, closed } = listen(transport);
    const close = await closed;
    expect(types()).toEqual(['keep_alive']);
    expect(close.stderrTail.length).toBeLessThanOrEqual(16 * 1024);
    expect(close.stderrTail.endsWith('last words')).toBe(true);
  });

  it('goes on when a listener throws, and says so in the log', async () => {
    const errors: string[] = [];
    const logger = { ...silentLogger, error: (message: string) => errors.push(message) };
    const transport = start(
      {
        steps: [
          { do: 'repeat', count: 3, value: keepAlive },
          { do: 'exit', code: 0 },
        ],
      },
      { logger },
    );
    let frames = 0;
    transport.open({
      onFrame: () => {
        frames += 1;
        throw new Error('a bug of the listener');
      },
      onProblem: () => undefined,
      onClose: () => {
        throw new Error('another one');
      },
    });
    await until('it is closed', () => errors.length === 4);
    expect(frames).toBe(3);
  });
});

describe('a child transport: writing', () => {
  it('writes concurrent sends as whole lines in the order of the calls', async () => {
    const record = join(home, `${randomUUID()}.ndjson`);
    const transport = start({ record, answerRequests: false });
    listen(transport);
    const texts = Array.from({ length: 200 }, (_, i) => `${i} ${'ü'.repeat((i * 7919) % 20_000)}`);
    await Promise.all(texts.map(text => transport.send(prompt(text))));
    await transport.stop();
    const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
    expect(lines.map(contentOf)).toEqual(texts);
  });

  it('waits for a child that does not read, and goes on when it does', async () => {
    const file = join(home, randomUUID());
    const transport = start({
      steps: [
        { do: 'pauseStdin' },
        { do: 'line', value: keepAlive },
        { do: 'waitForFile', file },
        { do: 'resumeStdin' },
      ],
    });
    const { types } = listen(transport);
    await until('it has stopped reading', () => types().length === 1);
    let sent = false;
    const sending = transport.send(prompt('x'.repeat(4 * 1024 * 1024))).then(() => (sent = true));
    // The pipe takes a small part of it; many turns of the loop change nothing about that.
    for (let i = 0; i < 20; i += 1) await turn();
    expect(sent).toBe(false);
    writeFileSync(file, '');
    await sending;
    await transport.stop();
  });

  it('refuses a frame that is not valid, and the child never sees it', async () => {
    const record = join(home, `${randomUUID()}.ndjson`);
    const transport = start({ record });
    listen(transport);
    await expect(transport.send({ type: 'control_cancel_request', request_id: '' })).rejects.toMatchObject({
      code: 'invalidFrame',
    });
    await transport.send({ type: 'keep_alive' });
    await transport.stop();
    expect(readFileSync(record, 'utf8')).toBe('{"type":"keep_alive"}\n');
  });

  it('rejects the sends under way and all later ones when the child exits', async () => {
    const file = join(home, randomUUID());
    const transport = start({
      steps: [
        { do: 'pauseStdin' },
        { do: 'line', value: keepAlive },
        { do: 'waitForFile', file },
        { do: 'exit', code: 1 },
      ],
    });
    const { types, closed } = listen(transport);
    await until('it has stopped reading', () => types().length === 1);
    const sends = [1, 2, 3].map(() => transport.send(prompt('x'.repeat(2 * 1024 * 1024))));
    writeFileSync(file, '');
    const outcomes = await Promise.allSettled(sends);
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(await closed).toMatchObject({ reason: 'exited', exitCode: 1 });
    await expect(transport.send({ type: 'keep_alive' })).rejects.toBeInstanceOf(TransportError);
    await expect(transport.send({ type: 'keep_alive' })).rejects.toMatchObject({ code: 'closed' });
  });

  it('rejects with the reason when the child closes its stdin, and breaks if it stays', async () => {
    const script = { steps: [{ do: 'closeStdin' }, { do: 'line', value: keepAlive }], ignoreSigterm: true } as const;
    const transport = start(script, { times: impatient });
    const { types, closed } = listen(transport);
    await until('its stdin is closed', () => types().length === 1);
    const outcomes = [];
    for (let i = 0; i < 3; i += 1)
      outcomes.push(...(await Promise.allSettled([transport.send(prompt('x'.repeat(1_000_000)))])));
    expect(outcomes.map(outcome => outcome.status)).toEqual(['rejected', 'rejected', 'rejected']);
    const close = await closed;
    expect(close.reason).toBe('broken');
    expect(close.detail).toContain('closed its input');
  });
});

describe('a child transport: the end', () => {
  it('comes also when the log was closed before it', async () => {
    const say = (): never => {
      throw new Error('Channel has been closed');
    };
    const transport = start({}, { logger: { trace: say, debug: say, info: say, warn: say, error: say } });
    const { closes } = listen(transport);
    expect(await transport.stop()).toMatchObject({ reason: 'stopped', exitCode: 0 });
    expect(closes).toHaveLength(1);
  });

  it('ends a child at the end of its input, once, for all who ask', async () => {
    const transport = start({ exitCode: 0 });
    const { closes, closed } = listen(transport);
    const [first, second] = await Promise.all([transport.stop(), transport.stop()]);
    expect(first).toBe(second);
    expect(await transport.stop()).toBe(first);
    expect(first).toMatchObject({ reason: 'stopped', exitCode: 0 });
    await closed;
    expect(closes).toHaveLength(1);
  });

  it('terminates a child that ignores the end of its input', async () => {
    const times = { ...quick, stop: { endInputMs: 100, terminateMs: 10_000, killMs: 5000 } };
    const transport = start({ steps: [{ do: 'line', value: keepAlive }], ignoreStdinEnd: true }, { times });
    const { types } = listen(transport);
    await until('its handlers are in place', () => types().length === 1);
    expect(await transport.stop()).toMatchObject({ reason: 'stopped', exitCode: 143 });
  });

  it('kills a child that ignores SIGTERM too', async () => {
    const script = { steps: [{ do: 'line', value: keepAlive }], ignoreStdinEnd: true, ignoreSigterm: true } as const;
    const transport = start(script, { times: impatient });
    const { types } = listen(transport);
    await until('its handlers are in place', () => types().length === 1);
    expect(await transport.stop()).toMatchObject({ reason: 'stopped', signal: 'SIGKILL' });
    await untilGone(Number(transport.pid));
  });

  it('stops a child that nobody ever listened to, even one blocked on a full pipe', async () => {
    const file = join(home, randomUUID());
    const transport = start({
      steps: [
        { do: 'touch', file },
        { do: 'repeat', count: 50_000, value: keepAlive },
      ],
    });
    await until('it writes', () => existsSync(file));
    expect((await transport.stop()).reason).toBe('stopped');
  });

  it.each([{ detached: false }, { detached: true }])(
    'takes along a shell of a child that has to be killed ($detached)',
    async ({ detached }) => {
      const command = 'trap "" TERM; sleep 300 & wait; sleep 300';
      const steps = [{ do: 'shell', command, detached }] as const;
      const transport = start({ steps, ignoreStdinEnd: true, ignoreSigterm: true }, { times: impatient });
      const { shellPid } = listen(transport);
      const shell = await shellPid();
      await transport.stop();
      expect(isAlive(shell)).toBe(false);
    },
  );

  it.each([{ detached: false }, { detached: true }])(
    'takes along the shell of a child that was killed by others ($detached)',
    async ({ detached }) => {
      const transport = start({ steps: [{ do: 'shell', command: 'sleep 300; true', detached }] });
      const { shellPid, closed } = listen(transport);
      const shell = await shellPid();
      process.kill(Number(transport.pid), 'SIGKILL');
      expect(await closed).toMatchObject({ reason: 'exited', signal: 'SIGKILL' });
      expect(isAlive(shell)).toBe(false);
    },
  );

  it('leaves alone what a shell has put into the background on purpose', async () => {
    const pidFile = join(home, randomUUID());
    const transport = start({ steps: [{ do: 'shell', command: `sleep 300 & echo $! > ${pidFile}`, detached: true }] });
    const { shellPid } = listen(transport);
    await untilGone(await shellPid());
    const server = Number(readFileSync(pidFile, 'utf8'));
    started.push(server);
    await transport.stop();
    expect(isAlive(server)).toBe(true);
  });

  it('reports the exit though a grandchild holds stdout open', async () => {
    const pidFile = join(home, randomUUID());
    // The middle shell ends, so that its child is nobody's and no sweep ends it.
    const command = `sleep 300 & echo $! > ${pidFile}`;
    const transport = start({ steps: [{ do: 'shell', command, detached: true, holdStdout: true }] });
    const { shellPid, closed } = listen(transport);
    await untilGone(await shellPid());
    started.push(Number(readFileSync(pidFile, 'utf8')));
    process.kill(Number(transport.pid), 'SIGKILL');
    expect(await closed).toMatchObject({ reason: 'exited', signal: 'SIGKILL' });
  });

  it('breaks and ends a child that has closed its stdout', async () => {
    const transport = start({ steps: [{ do: 'closeStdout' }] });
    const { closed } = listen(transport);
    expect(await closed).toMatchObject({ reason: 'broken', detail: 'The agent closed its output.' });
    await untilGone(Number(transport.pid));
  });

  it('leaves no process behind after 20 sessions opened and closed together', async () => {
    const all = Array.from({ length: 20 }, () => start({}));
    for (const transport of all) listen(transport);
    await Promise.all(all.map(transport => transport.stop()));
    expect(all.filter(transport => isAlive(Number(transport.pid)))).toEqual([]);
  });
});

describe('a child transport: a start that fails', () => {
  const begin = (options: Partial<ChildTransportOptions>) => {
    const transport = startChildTransport({ ...fakeCli({}, { home }), ...options });
    return { transport, ...listen(transport) };
  };

  it('says that the program is missing', async () => {
    const { transport, closed, closes } = begin({ command: join(home, 'nothing-here') });
    expect(await closed).toMatchObject({ reason: 'failedToStart', detail: `notFound: ${join(home, 'nothing-here')}` });
    await expect(transport.send({ type: 'keep_alive' })).rejects.toMatchObject({ code: 'closed' });
    expect((await transport.stop()).reason).toBe('failedToStart');
    expect(closes).toHaveLength(1);
  });

  it('says that the program may not be run', async () => {
    const file = join(home, 'not-executable');
    writeFileSync(file, 'text');
    chmodSync(file, 0o600);
    expect(await begin({ command: file }).closed).toMatchObject({
      reason: 'failedToStart',
      detail: `notExecutable: ${file}`,
    });
  });

  it('says that the folder is missing', async () => {
    const cwd = join(home, 'no-such-folder');
    expect(await begin({ cwd }).closed).toMatchObject({ reason: 'failedToStart', detail: `folderMissing: ${cwd}` });
  });

  it('says so when an argument cannot be passed at all', async () => {
    const close = await begin({ args: ['a\0b'] }).closed;
    expect(close.reason).toBe('failedToStart');
    expect(close.detail).toMatch(/^other: /);
  });
});
