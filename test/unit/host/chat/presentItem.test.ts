import { expect, it } from 'vitest';
import { presentItem, presentSafely } from '../../../../src/host/chat/presentItem.ts';
import type { ToolItem } from '../../../../src/session/transcriptModel.ts';
import { fill } from './fill.ts';

const nothing = (): undefined => undefined;
const context = { cwd: '/p', t: fill, task: nothing, step: nothing, ask: nothing, outcome: nothing, shaped: nothing };

it('does not say who stopped a turn: a closing window leaves the same mark as a person', () => {
  const row = presentItem({ kind: 'notice', id: 'n1', at: 1, notice: { type: 'stopped' } }, context);
  expect(row).toMatchObject({ kind: 'notice', text: 'The turn was stopped' });
});

it('draws an item that cannot be shown as a row that says so, and tells the log', () => {
  const input: Record<string, unknown> = {};
  input['self'] = input;
  const item: ToolItem = {
    kind: 'tool',
    id: 't1',
    toolUseId: 't1',
    at: 1,
    name: 'Odd',
    input,
    state: 'done',
    resultContent: [],
  };
  const errors: unknown[] = [];
  const row = presentSafely(item, context, error => errors.push(error));
  expect(row).toMatchObject({ kind: 'notice', id: 't1', level: 'warning' });
  expect(errors).toHaveLength(1);
});
