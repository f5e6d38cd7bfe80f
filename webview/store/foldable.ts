import type { ViewItem } from '../../src/bridge/viewItem.ts';

/**
 * Finished reads, searches, thoughts and changes of the checklist are quiet: neighbours fold into one row. Anything that runs, failed, asks, or
 * shows a picture stays a row of its own.
 */
export function isFoldable(item: ViewItem): boolean {
  switch (item.kind) {
    case 'thinking':
      return !item.streaming;
    case 'tool':
      if (item.status !== 'done' || item.ask || item.error !== undefined) return false;
      return (
        item.card.type === 'step' ||
        item.card.type === 'search' ||
        (item.card.type === 'read' && item.card.image === undefined)
      );
    case 'prompt':
    case 'text':
    case 'notice':
      return false;
  }
}
