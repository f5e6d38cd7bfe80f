import type { ViewAttachment } from '../../bridge/viewMessages.ts';

export type ContextWhat = Extract<ViewAttachment, { kind: 'context' }>['what'];

/** A piece of the editor that goes along with a message. */
export interface ContextPiece {
  readonly what: ContextWhat;
  readonly name: string;
  readonly text: string;
}

const tag = 'editor-context';
const opening = new RegExp(
  `(?:^|\\n\\n)<${tag} what="(selection|file|problems)" name="([^"\\n]*)" length="(\\d+)">\\n`,
  'g',
);
const closing = `\n</${tag}>`;

/**
 * The piece as the agent reads it, after the words. The length makes it readable again whatever the text holds: a message
 * of the history shows its pieces as chips, too.
 */
export function writeContext({ what, name, text }: ContextPiece): string {
  const label = name.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('\n', ' ');
  return `<${tag} what="${what}" name="${label}" length="${text.length}">\n${text}${closing}`;
}

/** A message taken apart again. What is not exactly ours stays among the words. */
export function splitContext(message: string): { readonly words: string; readonly pieces: readonly ContextPiece[] } {
  if (!message.includes(`<${tag} `)) return { words: message, pieces: [] };
  const pieces: ContextPiece[] = [];
  let words = '';
  let at = 0;
  opening.lastIndex = 0;
  for (let match = opening.exec(message); match !== null; match = opening.exec(message)) {
    const [head, what = '', name = '', length = ''] = match;
    const start = match.index + head.length;
    const end = start + Number(length);
    if (!message.startsWith(closing, end)) continue;
    words += message.slice(at, match.index);
    pieces.push({ what: whatOf(what), name: plainName(name), text: message.slice(start, end) });
    at = end + closing.length;
    opening.lastIndex = at;
  }
  return { words: words + message.slice(at), pieces };
}

function whatOf(what: string): ContextWhat {
  return what === 'problems' || what === 'file' ? what : 'selection';
}

function plainName(name: string): string {
  return name.replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
