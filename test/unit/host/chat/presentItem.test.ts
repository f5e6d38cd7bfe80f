import { expect, it } from 'vitest';
import { presentSafely } from '../../../../src/host/chat/presentItem.ts';
import type { ToolItem } from '../../../../src/session/transcriptModel.ts';
import { fill } from './fill.ts';

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
  const nothing = (): undefined => undefined;
  const context = { cwd: '/p', t: fill, task: nothing, step: nothing, ask: nothing, outcome: nothing, shaped: nothing };
  const row = presentSafely(item, context, error => errors.push(error));
  expect(row).toMatchObject({ kind: 'notice', id: 't1', level: 'warning' });
  expect(errors).toHaveLength(1);
});
