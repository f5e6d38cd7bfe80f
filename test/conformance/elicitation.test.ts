import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { elicitationAnswer, elicitationCard } from '../../src/host/permissions/elicitation.ts';
import type { ViewAnswer } from '../../src/bridge/viewMessages.ts';
import { toolResultsOf } from '../support/model/request.ts';
import { say, tool } from '../support/model/script.ts';
import type { LiveSession } from './support/stage.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set({});
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

const script = join(import.meta.dirname, '..', 'support', 'cli', 'elicitingServer.mjs');
const config = JSON.stringify({ mcpServers: { weather: { command: process.execPath, args: [script] } } });

function open(): Promise<LiveSession> {
  const allowedTools = ['mcp__weather__form', 'mcp__weather__page'];
  return stage.open({ flags: { mcpConfig: [config], strictMcpConfig: true, allowedTools } });
}

/** Lets the server ask, answers as the card does, and gives back what the server got. */
async function answered(
  live: LiveSession,
  name: string,
  answer: ViewAnswer & { type: 'elicitation' },
): Promise<unknown> {
  stage.model.enqueue(tool(`mcp__weather__${name}`, {}), say('Asked.'));
  const done = live.turn('ask');
  const { id, elicitation } = await live.ask();
  if (elicitation === undefined) throw new Error('not what a server asks');
  expect(elicitationCard(elicitation)).toMatchObject({ type: 'elicitation', server: 'weather' });
  const reply = elicitationAnswer(elicitation, answer, message => message);
  expect(live.session.desk.settle(id, { type: 'elicited', answer: reply })).toBe(true);
  expect(await done).toBe('completed');
  await live.idle();
  const request = stage.model.conversation.at(-1);
  return request === undefined ? undefined : toolResultsOf(request).at(-1);
}

it('brings each of the three answers to a server that asks by a form, with the values as it wants them', async () => {
  const live = await open();
  const accepted = await answered(live, 'form', {
    type: 'elicitation',
    action: 'accept',
    values: { town: 'Oslo', days: '5' },
  });
  expect(JSON.stringify(accepted)).toContain(
    String.raw`\"action\":\"accept\",\"content\":{\"town\":\"Oslo\",\"days\":5}`,
  );
  for (const action of ['decline', 'cancel'] as const) {
    const left = await answered(live, 'form', { type: 'elicitation', action, values: {} });
    expect(JSON.stringify(left)).toContain(String.raw`{\"action\":\"${action}\"}`);
  }
  expect(
    live
      .kind('tool')
      .filter(item => item.elicitation)
      .map(item => item.state),
  ).toEqual(['done', 'denied', 'denied']);
});

it('accepts a page without content', async () => {
  const live = await open();
  const accepted = await answered(live, 'page', { type: 'elicitation', action: 'accept', values: {} });
  expect(JSON.stringify(accepted)).toContain(String.raw`{\"action\":\"accept\"}`);
});

it('closes the question when the turn is stopped, and answers nothing then', async () => {
  const live = await open();
  stage.model.enqueue(tool('mcp__weather__form', {}), say('Not reached.'));
  void live.turn('ask');
  const { id } = await live.ask();
  await live.session.interrupt();
  await live.sees('the question is gone', () => live.session.desk.asks.length === 0);
  expect(live.session.desk.settle(id, { type: 'elicited', answer: { action: 'accept', content: {} } })).toBe(false);
  expect(live.tap.answers.filter(answer => answer.request_id === id)).toEqual([]);
});
