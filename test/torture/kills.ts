import { strict as assert } from 'node:assert';
import { existsSync, readFileSync } from 'node:fs';
import type { TranscriptItem } from '../../src/session/transcriptModel.ts';
import type { LiveSession } from '../conformance/support/stage.ts';
import { Stage } from '../conformance/support/stage.ts';
import type { RandomBelow } from '../fuzz/randomNumbers.ts';
import { pick, randomNumbers } from '../fuzz/randomNumbers.ts';
import { say, slowly, tool } from '../support/model/script.ts';
import { until, untilGone } from '../support/processes.ts';
import { nothingIsLeft } from './orphans.ts';

/** What the CLI is doing when it is killed. Each returns when that is the case. */
type Moment = (live: LiveSession, round: number, random: RandomBelow) => Promise<void>;

const streaming =
  (stage: Stage): Moment =>
  async (live, round, random) => {
    stage.model.enqueue(
      slowly(`Round ${round} is cut. ${'More and more words. '.repeat(40)}`, { chunk: 8, deltaMs: 4 }),
    );
    live.session.prompt(`stream ${round}`);
    const least = 20 + random(300);
    await live.sees('it streams', () => live.kind('text').some(item => item.streaming && item.text.length > least));
  };

const permissionPending =
  (stage: Stage): Moment =>
  async (live, round) => {
    stage.model.enqueue(tool('Write', { file_path: stage.path(`never-${round}.txt`), content: 'x' }));
    live.session.prompt(`write ${round}`);
    await live.ask();
    live.session.prompt('and this one waits');
  };

const toolRunning =
  (stage: Stage): Moment =>
  async (live, round) => {
    const file = stage.path(`shell-${round}.pid`);
    const command = `sh -c 'echo $$ > ${file}; while :; do sleep 1; done'`;
    stage.model.enqueue(tool('Bash', { command, description: 'Runs for ever' }));
    live.session.prompt(`run ${round}`);
    const question = await live.ask();
    live.session.desk.settle(question.id, { type: 'allow' });
    await until('the shell runs', () => existsSync(file) && readFileSync(file, 'utf8').trim() !== '');
  };

/**
 * Kills the real CLI again and again, each time in the middle of something, and resumes it. After each kill: the session
 * says that it crashed, no question is open, no process is left, its shells included. After each resume: everything that
 * was finished is there, once.
 */
export async function killAgainAndAgain(rounds: number, seed: number, log: (line: string) => void): Promise<void> {
  const random = randomNumbers(seed);
  const stage = await Stage.set();
  const moments = { streaming: streaming(stage), permission: permissionPending(stage), tool: toolRunning(stage) };
  const names = Object.keys(moments) as (keyof typeof moments)[];
  try {
    let sessionId: string | undefined;
    const finished: string[] = [];
    for (let round = 1; round <= rounds; round++) {
      // Each at least once, then as chance has it.
      const name = names[round - 1] ?? pick(names, random);
      const live = sessionId === undefined ? await stage.open() : await stage.resume(sessionId);
      if (sessionId !== undefined) checkHistory(live.items, finished);
      await finishedTurn(stage, live, round);
      sessionId = live.id;
      finished.push(`Finished ${round}.`);
      await onDisk(stage, sessionId, `Finished ${round}.`);
      await moments[name](live, round, random);
      await killed(stage, live, round);
      log(`kill ${round}/${rounds}: ${name}`);
    }
    const last = await stage.resume(sessionId ?? '');
    checkHistory(last.items, finished);
    await finishedTurn(stage, last, rounds + 1);
    await last.end();
    await nothingIsLeft(stage.home.path);
    assert.deepEqual(stage.model.problems, []);
  } finally {
    await stage.dispose();
  }
}

async function finishedTurn(stage: Stage, live: LiveSession, round: number): Promise<void> {
  stage.model.enqueue(say(`Finished ${round}.`));
  assert.equal(await live.turn(`finish ${round}`), 'completed');
  await live.idle();
}

/** The CLI writes a little later than it speaks; a kill before that is its own loss, not ours. */
async function onDisk(stage: Stage, sessionId: string, text: string): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const found = await stage.store.find(sessionId);
    const items = found === undefined ? [] : await stage.history(sessionId);
    if (items.some(item => item.kind === 'text' && item.text === text)) return;
    if (Date.now() > deadline) throw new Error(`${text} did not get to the disk`);
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

async function killed(stage: Stage, live: LiveSession, round: number): Promise<void> {
  const waiting = live.session.openPrompts.filter(prompt => prompt.state !== 'started').map(prompt => prompt.text);
  const lost: string[] = [];
  live.session.onDidNotDeliver(prompts => lost.push(...prompts.map(prompt => prompt.text)));
  process.kill(live.pid, 'SIGKILL');
  const reason = await live.session.ended;
  assert.equal(reason.code, 'crashed');
  assert.deepEqual(live.session.desk.asks, [], 'a question stayed open');
  assert.deepEqual(live.session.openPrompts, [], 'a prompt stayed open');
  assert.deepEqual(lost, waiting, 'a prompt that was never begun is lost');
  assert.ok(
    live.items.every(item => !('streaming' in item) || !item.streaming),
    'something still streams',
  );
  assert.ok(
    live.kind('tool').every(item => !['streaming', 'pending', 'running'].includes(item.state)),
    'a tool still runs',
  );
  await untilGone(live.pid);
  const shell = stage.path(`shell-${round}.pid`);
  if (existsSync(shell)) await untilGone(Number(readFileSync(shell, 'utf8')));
  await nothingIsLeft(stage.home.path);
}

function checkHistory(items: readonly TranscriptItem[], finished: readonly string[]): void {
  const texts = items.flatMap(item => (item.kind === 'text' && item.text.startsWith('Finished') ? [item.text] : []));
  assert.deepEqual(texts, finished, 'finished messages are not as they were');
}
