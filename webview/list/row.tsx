import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ViewItem } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { FoldHeader, foldSummary } from '../rows/foldHeader.tsx';
import { ItemBody } from '../rows/itemBody.tsx';
import { RowSkeleton } from '../rows/rowSkeleton.tsx';
import type { Scroller } from './scroller.ts';

interface RowProps {
  readonly id: string | undefined;
  readonly index: number;
  readonly scroller: Scroller;
  /** Last place of the run this row speaks for; its own when it speaks for itself. */
  readonly foldEnd: number;
  readonly follows: boolean;
  readonly tight: boolean;
}

/** What a row is among its neighbours. Told by the list, because a change of a neighbour does not wake the row. */
export function rowPart(
  app: ViewApp,
  scroller: Scroller,
  index: number,
  _folds: number,
): Pick<RowProps, 'foldEnd' | 'follows' | 'tight'> {
  const { folding } = scroller;
  return {
    foldEnd: folding.isLeader(index) ? folding.endOf(index) : index,
    follows: folding.isFollower(index),
    tight: isTight(app, scroller, index),
  };
}

/** One place of the conversation. Its height, gap included, is the list's business; what is in it is the row's. */
export function Row({ id, index, scroller, foldEnd, follows, tight }: RowProps): JSX.Element {
  const app = useApp();
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (id === undefined || !element.current) return undefined;
    const tracked = scroller.track(id, element.current);
    return () => tracked.dispose();
  }, [scroller, id]);

  const total = app.conversation.total.value;
  const item = id === undefined ? undefined : app.conversation.item(id)?.value;
  if (!item) {
    return (
      <div class="row row-skeleton" style={{ height: `${scroller.model.heightOf(index)}px` }}>
        <RowSkeleton label={app.t('loadingOlder')} />
      </div>
    );
  }
  const { folding } = scroller;
  const leads = foldEnd > index;
  const key = folding.key(index);
  const open = !leads || (key !== undefined && app.expansion(key).value);
  return (
    <article
      ref={element}
      class={`row row-${item.kind}${tight ? ' row-tight' : ''}${follows ? ' row-folded' : ''}`}
      aria-label={leads ? foldSummary(app, index, foldEnd) : nameOf(app, item)}
      aria-setsize={total}
      aria-posinset={index + 1}
      data-index={index}
      tabIndex={-1}
    >
      {leads && <FoldHeader from={index} to={foldEnd} open={open} onToggle={() => folding.toggle(index)} />}
      {open && (
        <div class={leads ? 'row-folded' : undefined}>
          <ItemBody id={item.id} />
        </div>
      )}
    </article>
  );
}

function nameOf(app: ViewApp, item: ViewItem): string {
  switch (item.kind) {
    case 'prompt':
      return app.t('you');
    case 'text':
      return app.t('agent');
    case 'thinking':
      return app.t('thinking');
    case 'tool':
      return item.name;
    case 'notice':
      return app.t('notice');
  }
}

/** Neighbouring one-line rows stand close together. */
function isTight(app: ViewApp, scroller: Scroller, index: number): boolean {
  const before = scroller.neighbour(index, -1);
  if (before === index) return false;
  return isLine(app.conversation.itemAt(index)) && isLine(app.conversation.itemAt(before));
}

function isLine(item: ViewItem | undefined): boolean {
  if (item?.kind === 'thinking') return true;
  if (item?.kind !== 'tool' || item.ask) return false;
  return item.card.type === 'read' || item.card.type === 'search' || item.card.type === 'step';
}
