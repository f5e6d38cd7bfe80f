import type { JSX } from 'preact';
import type { ToolCard, ToolView } from '../../src/bridge/viewModel.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleProse } from '../markdown/visibleText.ts';
import { ToolLine } from './toolLine.tsx';

type Todo = Extract<ToolCard, { readonly type: 'todo' }>;

const marks = {
  completed: { icon: 'check', word: 'todoCompleted' },
  inProgress: { icon: 'circle-filled', word: 'todoInProgress' },
  pending: { icon: 'circle-large', word: 'todoPending' },
} as const;

/** The agent's list of steps: open until all is done. */
export function TodoCard({ tool, card }: { tool: ToolView; card: Todo }): JSX.Element {
  const app = useApp();
  const { entries } = card;
  const done = entries.filter(entry => entry.state === 'completed').length;
  return (
    <ToolLine
      tool={tool}
      icon="checklist"
      verb={app.t('todoProgress', done, entries.length)}
      initially={done < entries.length}
    >
      {entries.length > 0 && (
        <ul class="card todo">
          {entries.map((entry, index) => {
            const { icon, word } = marks[entry.state];
            return (
              <li key={index} class={`todo-entry todo-${entry.state}`}>
                <span class={`codicon codicon-${icon}`} role="img" aria-label={app.t(word)} />
                <span dir="auto">{visibleProse(entry.text)}</span>
              </li>
            );
          })}
        </ul>
      )}
    </ToolLine>
  );
}
