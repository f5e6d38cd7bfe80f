import { afterEach, beforeEach, expect, it } from 'vitest';
import { readChecklist } from '../../src/session/transcript/checklist.ts';
import { say, tool } from '../support/model/script.ts';
import { Stage } from './support/stage.ts';

let stage: Stage;

beforeEach(async () => {
  stage = await Stage.set();
});

afterEach(async () => {
  const { problems } = stage.model;
  await stage.dispose();
  expect(problems).toEqual([]);
});

it('reads one list off the real task tools, live and from disk alike', async () => {
  const live = await stage.open({ flags: { allowedTools: ['TaskCreate'] } });
  stage.model.enqueue(
    [
      tool('TaskCreate', { subject: 'Read', description: 'Read it' }),
      tool('TaskCreate', { subject: 'Write', description: 'Write it' }),
      tool('TaskCreate', { subject: 'Dance', description: 'Not needed' }),
    ],
    [
      tool('TaskUpdate', { taskId: '1', status: 'completed' }),
      tool('TaskUpdate', { taskId: '2', status: 'in_progress' }),
      tool('TaskUpdate', { taskId: '3', status: 'deleted' }),
      tool('TaskUpdate', { taskId: '9', status: 'completed' }),
    ],
    say('Half done.'),
  );
  expect(await live.turn('work')).toBe('completed');
  const expected = [
    { text: 'Read', state: 'completed' },
    { text: 'Write', state: 'inProgress' },
  ];
  expect(readChecklist(live.items).steps).toEqual(expected);

  expect(readChecklist(await stage.history(live.id)).steps).toEqual(expected);

  stage.model.enqueue(tool('TaskUpdate', { taskId: '2', status: 'completed' }), tool('TaskList', {}), say('Done.'));
  expect(await live.turn('go on')).toBe('completed');
  expect(readChecklist(live.items).steps.map(step => step.state)).toEqual(['completed', 'completed']);
  stage.model.enqueue(say('Something else.'));
  expect(await live.turn('thanks')).toBe('completed');
  expect(readChecklist(live.items).steps).toEqual([]);
});
