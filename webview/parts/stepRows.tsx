import type { JSX } from 'preact';
import type { StepView } from '../../src/bridge/toolCard.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleProse } from '../markdown/visibleText.ts';

const marks = {
  completed: { icon: 'pass-filled', word: 'stepStateCompleted' },
  inProgress: { icon: 'circle-large-filled', word: 'stepStateInProgress' },
  pending: { icon: 'circle-large', word: 'stepStatePending' },
} as const;

/** Steps of a list, each with its mark. */
export function StepRows({ entries, class: extra }: { entries: readonly StepView[]; class: string }): JSX.Element {
  const app = useApp();
  return (
    <ul class={`steps ${extra}`}>
      {entries.map((entry, index) => {
        const { icon, word } = marks[entry.state];
        return (
          <li key={index} class={`step step-${entry.state}`}>
            <span class={`codicon codicon-${icon}`} role="img" aria-label={app.t(word)} />
            <span dir="auto">{visibleProse(entry.text)}</span>
          </li>
        );
      })}
    </ul>
  );
}
