/**
 * Text that comes from the agent, made safe to show where a person decides something: terminal escapes, control characters
 * and the marks that turn the direction of text are removed, so that what is read is what is there.
 */
export function cleanText(text: string): string {
  return text.replace(escapes, '').replace(controls, '');
}

// ESC sequences: CSI … final byte, OSC … BEL or ST, and two-byte ones.
const escapes = new RegExp(
  '\\u001b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\\u0007\\u001b]*(?:\\u0007|\\u001b\\\\)?|[@-Z\\\\-_])',
  'g',
);
// C0 and C1 except tab and line feed, zero-width and bidirectional controls, line separators.
const controls = new RegExp(
  '[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060\\u2066-\\u2069\\u2028\\u2029\\ufeff]',
  'g',
);
