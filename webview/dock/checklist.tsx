import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ChecklistView } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleProse } from '../markdown/visibleText.ts';
import { Icon } from '../parts/icon.tsx';
import { StepRows } from '../parts/stepRows.tsx';

/** The agent's list of steps as it stands, in the one place where it is always seen. Open until all is done. */
export function Checklist({ list }: { list: ChecklistView }): JSX.Element {
  const app = useApp();
  const rows = useRef<HTMLDivElement>(null);
  const { entries, done, total } = list;
  const unfinished = done < total;
  const key = unfinished ? 'checklist' : 'checklist:done';
  const open = app.expansion(key, unfinished).value;
  const current =
    entries.find(entry => entry.state === 'inProgress') ?? entries.find(entry => entry.state === 'pending');
  useLayoutEffect(() => {
    // The step that is being done is in view, with the one before it.
    const at = rows.current?.querySelector<HTMLElement>('.step-inProgress, .step-pending');
    if (at && rows.current) rows.current.scrollTop = at.offsetTop - rows.current.offsetTop - at.offsetHeight;
  }, [done, total, open]);
  return (
    <section class="checklist" aria-label={app.t('checklist')}>
      <button type="button" class="line-button" aria-expanded={open} onClick={() => app.state.toggle(key, unfinished)}>
        <Icon name={open ? 'chevron-down' : 'chevron-right'} />
        <span class="line-what" dir="auto">
          {open || !current ? app.t('checklist') : visibleProse(current.text)}
        </span>
        <span class="line-end">{app.t('checklistProgress', done, total)}</span>
      </button>
      {open && (
        <div ref={rows} class="checklist-rows">
          <StepRows entries={entries} class="" />
          {total > entries.length && <p class="checklist-more">{app.t('moreSteps', total - entries.length)}</p>}
        </div>
      )}
    </section>
  );
}
