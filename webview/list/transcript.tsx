import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useApp } from '../app/viewApp.ts';
import { EmptyState } from '../dock/emptyState.tsx';
import { LiveEnd } from '../dock/liveEnd.tsx';
import { StartingSkeleton } from '../dock/startingSkeleton.tsx';
import { Find } from '../find/findBar.tsx';
import { Icon } from '../parts/icon.tsx';
import { browserLayout } from './layout.ts';
import type { Layout } from './layout.ts';
import { Row, rowPart } from './row.tsx';
import { askSelector, Scroller } from './scroller.ts';
import { StickyPrompt } from './stickyPrompt.tsx';

/** The conversation: draws the few rows around what the reader looks at, however many there are. */
export function Transcript({ layout }: { layout?: Layout }): JSX.Element {
  const app = useApp();
  const scroller = useMemo(() => new Scroller(app, layout ?? browserLayout()), [app, layout]);
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const listening = [
      app.onSent(() => scroller.jumpToLatest()),
      app.onFocus(target => {
        if (typeof target === 'object') scroller.focusRow(app.conversation.indexOfAsk(target.askId), askSelector);
      }),
      scroller,
    ];
    return () => {
      for (const one of listening) one.dispose();
    };
  }, [app, scroller]);
  useLayoutEffect(() => {
    if (!viewport.current || !content.current) return undefined;
    const attached = scroller.attach(viewport.current, content.current);
    return () => attached.dispose();
  }, [scroller]);

  return (
    <main class="transcript">
      {/* For those who hear the page; VS Code shows the name in its own title. */}
      <h1 class="visually-hidden">{app.sync.session.value.title || app.t('conversation')}</h1>
      <StickyPrompt scroller={scroller} />
      <Find scroller={scroller} />
      <div
        ref={viewport}
        class="transcript-viewport"
        role="log"
        aria-label={app.t('conversation')}
        // The log of a stream would be read out token by token; the announcer reads whole sentences instead.
        aria-live="off"
        tabIndex={0}
        onKeyDown={event => moveByKey(event, scroller, () => app.focus('composer'))}
      >
        <div ref={content} class="transcript-content">
          <Rows scroller={scroller} />
          <LiveEnd />
        </div>
      </div>
      <JumpToLatest scroller={scroller} />
    </main>
  );
}

function Rows({ scroller }: { scroller: Scroller }): JSX.Element {
  const app = useApp();
  const { first, last, before, after } = scroller.window.value;
  // The order may change under the same window.
  app.conversation.watchOrder();
  const folds = scroller.folding.version.value;
  useLayoutEffect(() => scroller.committed());

  if (!app.sync.connected.value) return <StartingSkeleton />;
  if (app.conversation.total.value === 0) {
    return app.sync.session.value.state === 'starting' ? <StartingSkeleton /> : <EmptyState />;
  }
  const rows: JSX.Element[] = [];
  for (let index = first; index <= last; index++) {
    if (scroller.model.isHidden(index)) continue;
    const id = app.conversation.idAt(index);
    const part = rowPart(app, scroller, index, folds);
    rows.push(<Row key={id ?? `place ${index}`} id={id} index={index} scroller={scroller} {...part} />);
  }
  return (
    <>
      <div style={{ height: `${before}px` }} />
      {rows}
      <div style={{ height: `${after}px` }} />
    </>
  );
}

function JumpToLatest({ scroller }: { scroller: Scroller }): JSX.Element | null {
  const app = useApp();
  if (scroller.following.value || app.conversation.total.value === 0) return null;
  return (
    <button type="button" class="jump-to-latest" onClick={() => scroller.jumpToLatest()}>
      <Icon name="arrow-down" />
      {app.t('jumpToLatest')}
    </button>
  );
}

/** Arrows, Home and End move between messages, but only when the log or a message itself has the keyboard. */
function moveByKey(event: TargetedKeyboardEvent<HTMLDivElement>, scroller: Scroller, leave: () => void): void {
  const target = event.target;
  if (!(target instanceof HTMLElement) || event.defaultPrevented) return;
  if (event.key === 'Escape') {
    event.preventDefault();
    leave();
    return;
  }
  const place = Number(target.dataset['index'] ?? (target === event.currentTarget ? scroller.reading.peek() - 1 : NaN));
  if (Number.isNaN(place) || event.altKey || event.ctrlKey || event.metaKey) return;
  const to = destination(event.key, place, scroller);
  if (to === undefined) return;
  event.preventDefault();
  scroller.focusRow(to);
}

function destination(key: string, from: number, scroller: Scroller): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return scroller.neighbour(from, 1);
    case 'ArrowUp':
      return scroller.neighbour(from, -1);
    case 'Home':
      return scroller.neighbour(-1, 1);
    case 'End':
      return scroller.neighbour(scroller.model.count, -1);
    default:
      return undefined;
  }
}
