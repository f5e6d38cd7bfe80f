import type { JSX } from 'preact';

/** Bars in the shape of text, for what is on its way. */
export function RowSkeleton({ label }: { label: string }): JSX.Element {
  return (
    <div class="skeleton" role="img" aria-label={label}>
      <span class="skeleton-bar" />
      <span class="skeleton-bar skeleton-short" />
    </div>
  );
}
