import type { JSX } from 'preact';
import type { ToolCard } from '../../src/bridge/toolCard.ts';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleProse } from '../markdown/visibleText.ts';
import { StepRows } from '../parts/stepRows.tsx';
import { ToolLine } from './toolLine.tsx';

type StepChange = Extract<ToolCard, { readonly type: 'step' }>;

const words = {
  written: 'stepWritten',
  added: 'stepAdded',
  begun: 'stepBegun',
  done: 'stepDone',
  removed: 'stepRemoved',
  changed: 'stepChanged',
  looked: 'stepLooked',
} as const;

/** One change of the agent's list: a dim line, which opens to the list as it was then. The list of now is in the dock. */
export function StepCard({ tool, card }: { tool: ToolView; card: StepChange }): JSX.Element {
  const app = useApp();
  const { change, text, entries } = card;
  const done = entries.filter(entry => entry.state === 'completed').length;
  const subject = text === undefined ? app.t('checklistProgress', done, entries.length) : visibleProse(text);
  return (
    <ToolLine
      tool={tool}
      icon="checklist"
      verb={app.t(words[change])}
      subject={(text !== undefined || entries.length > 0) && <bdi>{subject}</bdi>}
    >
      {entries.length > 0 && <StepRows entries={entries} class="card steps-then" />}
    </ToolLine>
  );
}
