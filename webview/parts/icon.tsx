import type { JSX } from 'preact';

/** A codicon. Decoration only: whatever it says must also be said in words. */
export function Icon({ name, class: extra }: { name: string; class?: string }): JSX.Element {
  return <span class={`codicon codicon-${name}${extra === undefined ? '' : ` ${extra}`}`} aria-hidden="true" />;
}
