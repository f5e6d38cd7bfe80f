import { afterEach, beforeEach, expect, it } from 'vitest';
import type { TranscriptItem } from '../../src/session/transcriptModel.ts';
import { pick, randomNumbers } from '../fuzz/randomNumbers.ts';
import type { RandomBelow } from '../fuzz/randomNumbers.ts';
import { Gate } from '../support/model/gate.ts';
import { say, think, tool } from '../support/model/script.ts';
import type { LiveSession } from './support/stage.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set({ 'notes.txt': 'one\ntwo\n' });
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

type Move = (live: LiveSession, at: number) => Promise<void>;

async function decided(live: LiveSession, text: string, allow: boolean): Promise<void> {
  const done = live.turn(text);
  const question = await live.ask();
  live.session.desk.settle(question.id, allow ? { type: 'allow' } : { type: 'deny', message: 'Not that.' });
  expect(await done).toBe('completed');
}

const moves: Readonly<Record<string, Move>> = {
  speak: async (live, at) => {
    stage.model.enqueue(say(`Answer ${at}, with ümläuts and 🚆 and enough words for several deltas.`));
    expect(await live.turn(`say ${at}`)).toBe('completed');
  },
  ponder: async (live, at) => {
    stage.model.enqueue([think(`Thought ${at}.`), say('After thinking.')]);
    expect(await live.turn(`think ${at}`)).toBe('completed');
  },
  read: async (live, at) => {
    const read = tool('Read', { file_path: stage.path('notes.txt') });
    stage.model.enqueue([say('I read.'), read, tool('Read', { file_path: stage.path('missing.txt') })], say('Read.'));
    expect(await live.turn(`read ${at}`)).toBe('completed');
  },
  write: async (live, at) => {
    stage.model.enqueue(tool('Write', { file_path: stage.path(`new-${at}.txt`), content: `${at}\n` }), say('Written.'));
    await decided(live, `write ${at}`, true);
  },
  refuse: async (live, at) => {
    stage.model.enqueue(tool('Write', { file_path: stage.path(`no-${at}.txt`), content: 'x' }), say('As you wish.'));
    await decided(live, `refuse ${at}`, false);
  },
  run: async (live, at) => {
    stage.model.enqueue(tool('Bash', { command: `ls -la; echo run ${at}`, description: 'List' }), say('Run.'));
    expect(await live.turn(`run ${at}`)).toBe('completed');
  },
  stop: async (live, at) => {
    const gate = new Gate();
    stage.model.enqueue([say('A finished part.'), say('Half an answer that is cut ', gate)]);
    const done = live.turn(`stop ${at}`);
    await gate.reached;
    await live.sees('the draft', () => live.kind('text').some(item => item.text.startsWith('Half') && item.streaming));
    await live.session.interrupt();
    expect(await done).toBe('cancelled');
    await live.idle();
  },
};

/** Times come from different clocks, and the estimate of thinking is not written down. */
function comparable(item: TranscriptItem): TranscriptItem {
  const timeless = { ...item, at: 0 };
  if (timeless.kind === 'tool' && timeless.endedAt !== undefined) return { ...timeless, endedAt: 0 };
  if (timeless.kind !== 'thinking') return timeless;
  const { estimatedTokens: _unwritten, ...rest } = timeless;
  return rest;
}

function chosenMoves(random: RandomBelow): string[] {
  return Array.from({ length: 7 }, () => pick(Object.keys(moves), random));
}

it.each([11_711, 923_847, 5_550_123])(
  'what was seen live is what the files of the real CLI give back (conversation %i)',
  async seed => {
    const names = chosenMoves(randomNumbers(seed));
    const live = await stage.open();
    for (const [at, name] of names.entries()) await moves[name]?.(live, at);
    await live.end();
    const seen = live.items.map(comparable);
    expect(seen.length).toBeGreaterThan(names.length);
    expect((await stage.history(live.id)).map(comparable), names.join(', ')).toEqual(seen);
  },
);
