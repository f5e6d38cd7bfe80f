import { strict as assert } from 'node:assert';
import { execFile } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LiveSession, openFake, Stage } from '../conformance/support/stage.ts';
import { system } from '../conformance/support/records.ts';
import { defaultChildTimes, startChildTransport } from '../../src/transport/childTransport.ts';
import { fakeCli } from '../support/cli/fakeCli.ts';
import { big, say } from '../support/model/script.ts';
import { untilGone } from '../support/processes.ts';
import { nothingIsLeft } from './orphans.ts';

const execute = promisify(execFile);
const quick = { ...defaultChildTimes, halfOpenMs: 100, stop: { endInputMs: 200, terminateMs: 200, killMs: 2000 } };

/** The agent closes its output and stays: the line is of no use any more, and the session says so. */
export async function closedOutput(): Promise<void> {
  const { command, args, cwd, env } = fakeCli({
    ignoreStdinEnd: true,
    steps: [{ do: 'waitFor', type: 'user' }, { do: 'closeStdout' }],
  });
  const live = new LiveSession(startChildTransport({ command, args, cwd, env, times: quick }), cwd);
  await live.ready;
  const { done } = live.session.prompt('close it');
  const reason = await live.session.ended;
  assert.equal(reason.code, 'broken');
  assert.notEqual(await done, 'completed');
  await untilGone(live.pid);
}

/** The real CLI, stopped dead in the middle of a turn: it answers nothing and still can be closed. */
export async function hungChild(): Promise<void> {
  const stage = await Stage.set();
  try {
    stage.model.enqueue(big(2_000_000));
    const live = await stage.open({ session: { limits: { interruptMs: 200 } }, times: quick });
    const { done } = live.session.prompt('talk');
    await live.sees('it talks', () => live.said.length > 0);
    process.kill(live.pid, 'SIGSTOP');
    const asked = live.session.requests.getSessionCost().then(
      () => 'answered',
      (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
    );
    const began = Date.now();
    assert.equal((await live.session.stop()).code, 'asked');
    assert.ok(Date.now() - began < 10_000, 'the close took too long');
    assert.equal(await asked, 'closed');
    assert.notEqual(await done, 'completed');
    await untilGone(live.pid);
    await nothingIsLeft(stage.home.path);
  } finally {
    await stage.dispose();
  }
}

/** Sessions opened and closed, a few at a time, each with a turn. Nothing stays. */
export async function openAndClose(count: number, log: (line: string) => void): Promise<void> {
  const stage = await Stage.set();
  stage.model.onRequest(() => say('Hello.'));
  const pids: number[] = [];
  try {
    for (let from = 0; from < count; from += 5) {
      const group = Array.from({ length: Math.min(5, count - from) }, () => stage.launch());
      await Promise.all(group.map(live => live.ready));
      pids.push(...group.map(live => live.pid));
      const outcomes = await Promise.all(group.map(live => live.turn('hello')));
      assert.ok(outcomes.every(outcome => outcome === 'completed'));
      await Promise.all(group.map(live => live.end()));
      log(`opened and closed ${pids.length}/${count}`);
    }
    for (const pid of pids) await untilGone(pid);
    await nothingIsLeft(stage.home.path);
    assert.equal(pids.length, count);
  } finally {
    await stage.dispose();
  }
}

/**
 * The disk is full: told by the frame the CLI may send then, and made so with a tiny file system where that can be had
 * (Linux, root). The session goes on, and what did get to the disk can still be read. Returns which of the two was done.
 */
export async function fullDisk(): Promise<'told' | 'told and real'> {
  await tellFullDisk();
  const stage = await Stage.set();
  const folder = join(stage.home.path, '.claude', 'projects');
  mkdirSync(folder, { recursive: true });
  const mounted = await execute('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  try {
    if (mounted) await fillDisk(stage, folder);
  } finally {
    await stage.endSessions();
    if (mounted) await execute('umount', [folder]);
    await stage.dispose();
  }
  return mounted ? 'told and real' : 'told';
}

async function fillDisk(stage: Stage, folder: string): Promise<void> {
  stage.model.onRequest(() => big(60_000));
  const live = await stage.open();
  for (let turn = 0; turn < 6; turn++) assert.equal(await live.turn(`fill ${turn}`), 'completed');
  await live.idle();
  assert.equal(statfsSync(folder).bavail, 0, 'the disk is not full');
  assert.equal(live.kind('text').length, 6, 'an answer is missing');
  await live.end();
  const saved = await stage.history(live.id);
  assert.ok(saved.length > 0 && saved.length <= live.items.length, 'what was saved cannot be read');
  await nothingIsLeft(stage.home.path);
}

async function tellFullDisk(): Promise<void> {
  const value = system('session_writes_lost', { error_code: 'ENOSPC', lost: ['transcript'] });
  const live = openFake({
    turns: { text: 'still here' },
    steps: [
      { do: 'waitFor', type: 'user' },
      { do: 'line', value },
    ],
  });
  await live.ready;
  assert.equal(await live.turn('go'), 'completed');
  await live.sees('it says that writes were lost', () => live.notices.includes('writesLost'));
  await live.end();
}
