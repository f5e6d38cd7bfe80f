// Terminal colours and other escape sequences: CSI, OSC up to its terminator, and the two-character rest.
const escapeSequence =
  // eslint would be right to doubt control characters in a pattern; matching them is this file's purpose.
  new RegExp('\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[ -/]*[0-~])', 'g');

// C0 less tab and LF, DEL and C1, and the marks that reorder text or hide in it.
const unprintable = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufeff]',
  'g',
);

/** Text of unknown origin, made safe to show to a person or to write into a log: no escape sequences, no control characters. */
export function printable(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(escapeSequence, '').replace(/\r/g, '\n').replace(unprintable, '');
}
