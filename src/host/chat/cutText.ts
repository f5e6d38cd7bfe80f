import type { CutText } from '../../bridge/toolCard.ts';

const most = 16_000;

/** The beginning of a long text; the view asks for the rest when someone wants to read it. */
export function cutText(text: string): CutText {
  if (text.length <= most) return { text, omitted: 0 };
  // Not in the middle of a surrogate pair.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return { text: text.slice(0, end), omitted: text.length - end };
}
