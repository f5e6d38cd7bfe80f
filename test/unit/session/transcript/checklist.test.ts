import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChecklist } from '../../../../src/session/transcript/checklist.ts';
import type { PromptItem, ToolItem, TranscriptItem } from '../../../../src/session/transcriptModel.ts';

let count = 0;

function call(
  name: string,
  input: ToolItem['input'],
  structuredResult?: unknown,
  more: Partial<ToolItem> = {},
): ToolItem {
  const id = `call-${count++}`;
  const result = structuredResult === undefined ? {} : { structuredResult };
  const state = structuredResult === undefined ? 'running' : 'done';
  return { kind: 'tool', id, toolUseId: id, at: 1, name, input, state, resultContent: [], ...result, ...more };
}

const create = (id: string, subject: string): ToolItem =>
  call('TaskCreate', { subject, description: subject }, { task: { id, subject } });
const update = (taskId: string, change: ToolItem['input'], more: Partial<ToolItem> = {}): ToolItem =>
  call('TaskUpdate', { taskId, ...change }, { success: true, taskId, updatedFields: [] }, more);
const todos = (...list: readonly (readonly [string, string])[]): ToolItem =>
  call(
    'TodoWrite',
    { todos: list.map(([content, status]) => ({ content, status, activeForm: content })) },
    { newTodos: [] },
  );

function prompt(state: PromptItem['state'] = 'completed', synthetic = false): PromptItem {
  return { kind: 'prompt', id: `prompt-${count++}`, at: 1, text: 'Go on', attachments: [], state, synthetic };
}

const stepsOf = (...items: TranscriptItem[]): string[] =>
  readChecklist(items).steps.map(step => `${step.text}: ${step.state}`);

describe('the checklist of a conversation', () => {
  it('is what the last TodoWrite wrote', () => {
    expect(stepsOf(todos(['a', 'pending']), todos(['a', 'completed'], ['b', 'in_progress']))).toEqual([
      'a: completed',
      'b: inProgress',
    ]);
  });

  it('is made step by step of the Task tools, by the ids the CLI gave', () => {
    expect(
      stepsOf(
        create('1', 'Read'),
        create('2', 'Write'),
        update('1', { status: 'in_progress' }),
        update('1', { status: 'completed' }),
        update('2', { subject: 'Write it down' }),
      ),
    ).toEqual(['Read: completed', 'Write it down: pending']);
  });

  it('shows a step before the CLI has told its number, and not twice afterwards', () => {
    expect(stepsOf(call('TaskCreate', { subject: 'Read' }))).toEqual(['Read: pending']);
    expect(stepsOf(create('1', 'Read'))).toEqual(['Read: pending']);
  });

  it('takes away what is deleted, and believes a list that was read', () => {
    expect(stepsOf(create('1', 'Read'), create('2', 'Write'), update('1', { status: 'deleted' }))).toEqual([
      'Write: pending',
    ]);
    const tasks = [{ id: '7', subject: 'From before', status: 'in_progress' }];
    expect(stepsOf(create('1', 'Read'), call('TaskList', {}, { tasks }))).toEqual(['From before: inProgress']);
  });

  it('is not changed by calls that failed, were refused, or are still being written', () => {
    const states = ['failed', 'denied', 'stopped', 'streaming', 'pending'] as const;
    for (const state of states) {
      expect(stepsOf(create('1', 'Read'), update('1', { status: 'completed' }, { state }))).toEqual(['Read: pending']);
    }
    const refused = call('TaskUpdate', { taskId: '1', status: 'completed' }, { success: false, taskId: '1' });
    expect(stepsOf(create('1', 'Read'), refused)).toEqual(['Read: pending']);
  });

  it('ends with the next prompt when all is done, and not before', () => {
    const done = [create('1', 'Read'), update('1', { status: 'completed' })];
    expect(stepsOf(...done)).toEqual(['Read: completed']);
    expect(stepsOf(...done, prompt('queued'), prompt('cancelled'), prompt('completed', true))).toHaveLength(1);
    expect(stepsOf(...done, prompt('started'))).toEqual([]);
    expect(stepsOf(create('1', 'Read'), prompt('started'))).toEqual(['Read: pending']);
    expect(stepsOf(...done, prompt('started'), update('1', { status: 'in_progress' }))).toEqual(['Read: inProgress']);
  });

  it('agrees with a plain model of the Task tools, whatever is called in whatever order', () => {
    const id = fc.constantFrom('1', '2', '3');
    const move = fc.oneof(
      fc.record({ what: fc.constant('create' as const), id }),
      fc.record({ what: fc.constantFrom('pending', 'in_progress', 'completed', 'deleted'), id }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), moves => {
        const model = new Map<string, string>();
        const named = new Set<string>();
        const items = moves.map(({ what, id: task }) => {
          if (what === 'create') {
            named.add(task);
            model.set(task, 'pending');
            return create(task, `Task ${task}`);
          }
          if (what === 'deleted') model.delete(task);
          else if (named.has(task)) model.set(task, what === 'in_progress' ? 'inProgress' : what);
          return update(task, { status: what });
        });
        expect(stepsOf(...items)).toEqual([...model].map(([task, state]) => `Task ${task}: ${state}`));
      }),
    );
  });
});
