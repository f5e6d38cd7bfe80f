import type { JSX } from 'preact';
import { useApp } from '../app/viewApp.ts';
import { RowSkeleton } from '../rows/rowSkeleton.tsx';

/** The shape of a conversation before there is one. */
export function StartingSkeleton(): JSX.Element {
  const app = useApp();
  return (
    <div class="starting">
      <div class="skeleton-block" />
      <RowSkeleton label={app.t('starting')} />
      <RowSkeleton label={app.t('starting')} />
    </div>
  );
}
