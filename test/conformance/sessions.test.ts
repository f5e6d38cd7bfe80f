import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultChildTimes, startChildTransport } from '../../src/transport/childTransport.ts';
import { cliEnvironment as productEnvironment } from '../../src/transport/environment.ts';
import { findExecutable } from '../../src/transport/findExecutable.ts';
import { cliArguments } from '../../src/transport/flags.ts';
import { GuardianProcess } from '../../src/transport/processGuard.ts';
import { fakeCli } from '../support/cli/fakeCli.ts';
import { fail, say, tool } from '../support/model/script.ts';
import { Gate } from '../support/model/gate.ts';
import { isAlive, untilGone } from '../support/processes.ts';
import { init, result } from './support/records.ts';
import { LiveSession, Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set({ 'old.txt': 'old\n' });
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

const write = (name: string, content: string) => tool('Write', { file_path: stage.path(name), content });
const prompts = (live: LiveSession) => live.kind('prompt').map(item => item.text);

async function points(sessionId: string) {
  const found = await stage.store.find(sessionId);
  return stage.store.rewindPoints({ project: found?.project ?? '', sessionId });
}

describe('sessions and the process', () => {
  it('S46: a resumed session shows what is on disk once, and the CLI tells none of it', async () => {
    stage.model.enqueue(say('One.'), say('Two.'), say('Three.'));
    const first = await stage.open();
    for (const text of ['a', 'b']) expect(await first.turn(text)).toBe('completed');
    await first.end();
    const second = await stage.resume(first.id);
    expect(prompts(second)).toEqual(['a', 'b']);
    expect(second.tap.ofType('assistant')).toEqual([]);
    expect(second.tap.ofType('user')).toEqual([]);
    expect(await second.turn('c')).toBe('completed');
    expect(second.id).toBe(first.id);
    expect(prompts(second)).toEqual(['a', 'b', 'c']);
    expect(second.said).toBe('One.\nTwo.\nThree.');
    expect(second.tap.ofType('assistant')).toHaveLength(1);
  });

  it('S47: history follows the last leaf through attachments, and a branch that was left is not shown', async () => {
    stage.model.enqueue(say('One.'), say('Two, to be forgotten.'), say('Two again.'));
    const first = await stage.open();
    for (const text of ['a', 'b']) expect(await first.turn(text)).toBe('completed');
    await first.end();
    const cutAt = (await points(first.id)).find(point => point.text === 'b')?.cutAt;
    expect(cutAt).toBeDefined();
    const second = await stage.open({
      flags: { start: { kind: 'resume', session: first.id, at: cutAt ?? '' } },
      session: { resuming: true, sessionId: first.id },
    });
    expect(await second.turn('b, another way')).toBe('completed');
    await second.end();
    const [file] = (await stage.transcripts()).filter(name => name === first.id);
    expect(file).toBe(first.id);
    const raw = await rawTranscript(first.id);
    expect(raw).toContain('"type":"attachment"');
    expect(raw).toContain('Two, to be forgotten.');
    const shown = await stage.history(first.id);
    expect(shown.flatMap(item => (item.kind === 'prompt' || item.kind === 'text' ? [item.text] : []))).toEqual([
      'a',
      'One.',
      'b, another way',
      'Two again.',
    ]);
  });

  it('S48: a resume or a cut that is refused is told with the words of the CLI, and a refused cut is called so', async () => {
    const unknown = '11111111-2222-4333-8444-555555555555';
    const lost = stage.launch({
      flags: { start: { kind: 'resume', session: unknown } },
      session: { resuming: true, sessionId: unknown },
    });
    expect(await lost.session.ended).toMatchObject({
      code: 'resumeFailed',
      cutRejected: false,
      message: expect.stringContaining('No conversation found') as string,
    });
    stage.model.enqueue(say('One.'), say('Two.'), say('Three.'), say('Plainly resumed.'));
    const first = await stage.open();
    for (const text of ['a', 'b', 'c']) expect(await first.turn(text)).toBe('completed');
    await first.end();
    const [, second, third] = await points(first.id);
    const cut = stage.launch({
      flags: { start: { kind: 'resume', session: first.id, at: second?.cutAt ?? '', dropsTurn: third?.uuid ?? '' } },
      session: { resuming: true, sessionId: first.id },
    });
    const reason = await cut.session.ended;
    expect(reason).toMatchObject({ code: 'resumeFailed', cutRejected: true });
    expect('message' in reason ? reason.message : '').toContain('Resume rejected by --resume-drops-turn:');
    const plain = await stage.resume(first.id);
    expect(await plain.turn('d')).toBe('completed');
  });

  it('S49: a rewind is tried dry first, tells created files, and both kinds of "no" are one', async () => {
    stage.model.enqueue(
      write('new.txt', 'new\n'),
      say('Made.'),
      [tool('Read', { file_path: stage.path('old.txt') })],
      write('old.txt', 'changed\n'),
      say('Changed.'),
    );
    const live = await stage.open({ flags: { permissionMode: 'acceptEdits' } });
    const first = live.session.prompt('make');
    expect(await first.done).toBe('completed');
    const second = live.session.prompt('change');
    expect(await second.done).toBe('completed');
    const dry = await live.session.rewindFiles(first.uuid, { dryRun: true });
    expect(dry).toMatchObject({ canRewind: true });
    const files = dry.canRewind ? [...dry.filesChanged].sort() : [];
    expect(files).toEqual([stage.path('new.txt'), stage.path('old.txt')]);
    expect(existsSync(stage.path('new.txt'))).toBe(true);
    expect(await live.session.rewindFiles(first.uuid, { dryRun: false })).toMatchObject({ canRewind: true });
    expect(existsSync(stage.path('new.txt'))).toBe(false);
    expect(await readFile(stage.path('old.txt'), 'utf8')).toBe('old\n');
    const nobody = '11111111-2222-4333-8444-555555555555';
    for (const dryRun of [true, false]) {
      const no = await live.session.rewindFiles(nobody, { dryRun });
      expect(no).toMatchObject({ canRewind: false });
      expect('message' in no ? no.message : '').not.toBe('');
    }
  });

  it('S50: leaving with code 1 after an error is no crash, dying in a turn is, and what follows our own stop is neither', async () => {
    const gate = new Gate();
    stage.model.enqueue(fail(403), say('Half ', gate));
    const failed = await stage.open();
    expect(await failed.turn('fail')).toBe('cancelled');
    await failed.idle();
    await failed.session.requests.endSession();
    expect(await failed.session.ended).toMatchObject({ code: 'exited' });
    const killed = await stage.open();
    void killed.turn('go');
    await gate.reached;
    process.kill(killed.pid, 'SIGKILL');
    expect(await killed.session.ended).toMatchObject({ code: 'crashed', signal: 'SIGKILL', duringTurn: true });
    const bad = [init(), result({ is_error: true, subtype: 'error_during_execution', errors: ['no'] })];
    const steps = [{ do: 'waitFor' as const, type: 'user' }, ...bad.map(value => ({ do: 'line' as const, value }))];
    const leaver = fakeCli({ steps: [...steps, { do: 'exit', code: 1 }] });
    const left = new LiveSession(startChildTransport(leaver), leaver.cwd);
    await left.ready;
    void left.turn('go');
    expect(await left.session.ended).toMatchObject({ code: 'exited', exitCode: 1 });
    const { command, args, cwd, env } = fakeCli({ exitCode: 1, turns: { text: 'x' } });
    const leaving = new LiveSession(startChildTransport({ command, args, cwd, env }), cwd);
    await leaving.ready;
    expect(await leaving.session.stop()).toEqual({ code: 'asked' });
    const stubborn = fakeCli({ ignoreStdinEnd: true, ignoreSigterm: true });
    const times = { ...defaultChildTimes, stop: { endInputMs: 50, terminateMs: 50, killMs: 2000 } };
    const stopped = new LiveSession(startChildTransport({ ...stubborn, times }), stubborn.cwd);
    await stopped.ready;
    expect(await stopped.session.stop()).toEqual({ code: 'asked' });
  });

  it('S51: stopping ends input, then asks, then kills, five seconds apart; what the guard watches ends with its host', async () => {
    expect(defaultChildTimes.stop).toMatchObject({ endInputMs: 5000, terminateMs: 5000 });
    const steps: string[] = [];
    const waits: number[] = [];
    const stubborn = fakeCli({ ignoreStdinEnd: true, ignoreSigterm: true });
    const transport = startChildTransport({
      ...stubborn,
      clock: {
        now: () => Date.now(),
        // Five seconds pass in fifty milliseconds.
        after: (delay, call) => {
          waits.push(delay);
          const timer = setTimeout(call, delay / 100);
          return { dispose: () => clearTimeout(timer) };
        },
      },
      logger: { ...silent, debug: message => steps.push(message) },
    });
    const live = new LiveSession(transport, stubborn.cwd);
    await live.ready;
    await live.session.stop();
    expect(isAlive(live.pid)).toBe(false);
    expect(waits.filter(wait => wait === 5000).length).toBeGreaterThanOrEqual(2);
    expect(steps).toContain('Process stopped: killed.');

    const script = join(stage.home.path, 'guardian.cjs');
    await build({
      entryPoints: ['src/transport/guardian.ts'],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
    });
    const guard = new GuardianProcess({ script, times: { endInputMs: 200, terminateMs: 200 } });
    const real = await stage.open();
    guard.watch({ pid: real.pid });
    const guardian = guard.pid;
    guard.dispose();
    await untilGone(real.pid);
    await untilGone(guardian ?? 0);
  });

  it('S52: ids go as one argument, scripts of cmd.exe are refused, and the child knows nothing of a debugger or of us', async () => {
    const id = '11111111-2222-4333-8444-555555555555';
    const args = cliArguments({ start: { kind: 'resume', session: id, at: id, fork: { sessionId: id } } });
    for (const flag of ['--resume', '--session-id', '--resume-session-at']) {
      expect(args).toContain(`${flag}=${id}`);
      expect(args).not.toContain(flag);
    }
    for (const shim of ['C:\\bin\\claude.cmd', 'C:\\bin\\claude.bat']) {
      const search = await findExecutable({ setting: shim, platform: 'win32', env: {}, inspect: () => 'executable' });
      expect(search.found).toBeUndefined();
      expect(search.tried).toMatchObject([{ path: shim, outcome: 'refusedScript' }]);
    }
    const dirty = { ...process.env, NODE_OPTIONS: '--inspect', CLAUDECODE: '1', DEBUG: '*' };
    const environment = productEnvironment(dirty, { version: '1', cwd: '/', extra: { CLAUDECODE: '1' } });
    expect(Object.keys(environment)).not.toEqual(expect.arrayContaining(['NODE_OPTIONS']));
    expect(environment).not.toHaveProperty('CLAUDECODE');
    expect(environment).not.toHaveProperty('NODE_OPTIONS');
    const live = await stage.open({ extraEnvironment: { NODE_OPTIONS: '--inspect', CLAUDECODE: '1' } });
    if (process.platform === 'linux') {
      const names = readFileSync(`/proc/${live.pid}/environ`, 'utf8')
        .split('\0')
        .map(entry => entry.split('=')[0]);
      expect(names).toContain('CLAUDE_CODE_ENTRYPOINT');
      expect(names).not.toContain('NODE_OPTIONS');
      expect(names).not.toContain('CLAUDECODE');
    }
    expect(live.session.state.type).toBe('idle');
  });
});

const nothing = (): void => undefined;
const silent = { trace: nothing, debug: nothing, info: nothing, warn: nothing, error: nothing };

async function rawTranscript(sessionId: string): Promise<string> {
  const found = await stage.store.find(sessionId);
  return readFile(join(stage.home.path, '.claude', 'projects', found?.project ?? '', `${sessionId}.jsonl`), 'utf8');
}
