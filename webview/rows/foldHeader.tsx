import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { durationText } from '../parts/duration.ts';
import { Icon } from '../parts/icon.tsx';

interface FoldHeaderProps {
  readonly from: number;
  readonly to: number;
  readonly open: boolean;
  readonly onToggle: () => void;
}

/** One line for a run of finished reads, searches, thoughts and steps: how many, of what, how long. */
export function FoldHeader({ from, to, open, onToggle }: FoldHeaderProps): JSX.Element {
  const app = useApp();
  const { time } = tally(app, from, to);
  return (
    <button type="button" class="line-button" aria-expanded={open} onClick={onToggle}>
      <Icon name={open ? 'chevron-down' : 'chevron-right'} />
      <span class="line-what">{foldSummary(app, from, to)}</span>
      {time > 0 && <span class="line-end">{durationText(app, time)}</span>}
    </button>
  );
}

export function foldSummary(app: ViewApp, from: number, to: number): string {
  const { files, queries, steps, thoughts } = tally(app, from, to);
  const parts: string[] = [];
  const [file] = files;
  if (file !== undefined) parts.push(files.size === 1 ? app.t('readFile', file) : app.t('readFiles', files.size));
  const [query] = queries;
  if (query !== undefined) {
    parts.push(queries.length === 1 ? app.t('searched', `“${query}”`) : app.t('searchedTimes', queries.length));
  }
  if (steps > 0) parts.push(steps === 1 ? app.t('oneStepChange') : app.t('stepChanges', steps));
  if (thoughts > 0) parts.push(app.t('thought'));
  const [head, ...tail] = parts;
  if (head === undefined) return app.t('thought');
  return [head, ...tail.map(part => part.charAt(0).toLocaleLowerCase() + part.slice(1))].join(', ');
}

interface Tally {
  readonly files: ReadonlySet<string>;
  readonly queries: readonly string[];
  readonly steps: number;
  readonly thoughts: number;
  readonly time: number;
}

function tally(app: ViewApp, from: number, to: number): Tally {
  const files = new Set<string>();
  const queries: string[] = [];
  let steps = 0;
  let thoughts = 0;
  let time = 0;
  for (let index = from; index <= to; index++) {
    const item = app.conversation.itemAt(index);
    if (item?.kind === 'thinking') {
      thoughts++;
      time += item.durationMs ?? 0;
    } else if (item?.kind === 'tool') {
      if (item.card.type === 'read') files.add(item.card.file.label);
      else if (item.card.type === 'search') queries.push(item.card.query);
      else if (item.card.type === 'step') steps++;
      time += item.durationMs ?? 0;
    }
  }
  return { files, queries, steps, thoughts, time };
}
