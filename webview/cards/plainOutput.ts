// CSI … final byte, OSC … BEL or ST, and the short ones.
const escapes = new RegExp(
  '\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[@-Z\\\\-_])',
  'g',
);
const overwritten = /^.*\r(?!$)/gm;

/** What a terminal would show of an output: without colours and cursor moves, and of a redrawn line the last state. */
export function plainOutput(text: string): string {
  const plain = text.includes('\u001b') ? text.replace(escapes, '') : text;
  if (!plain.includes('\r')) return plain;
  return plain.replaceAll('\r\n', '\n').replace(overwritten, '').replaceAll('\r', '');
}

/** The first lines of a text, and how many there are after them. */
export function firstLines(text: string, count: number): { readonly shown: string; readonly more: number } {
  let at = -1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return { shown: text, more: 0 };
  }
  let more = 1;
  for (let next = text.indexOf('\n', at + 1); next >= 0; next = text.indexOf('\n', next + 1)) more++;
  return at + 1 === text.length ? { shown: text.slice(0, at), more: 0 } : { shown: text.slice(0, at), more };
}
