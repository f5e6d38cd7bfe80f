// Embeddings, overrides and isolates can make text read differently from what it is; so can marks without a shape.
const turners = /[\u202a-\u202e\u2066-\u2069]/g;
const shapeless = /[\u200b\u200e\u200f\u061c\u2028\u2029\u2060-\u2064\ufeff\u00ad]/g;
// C0 except tab and line feed, DEL, C1.
const controls = new RegExp('[\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f]', 'g');

/** Prose with every character that could disguise it made visible. Marks that right-to-left writing needs stay. */
export function visibleProse(text: string): string {
  return text.replace(controls, controlPicture).replace(turners, codePoint);
}

/** The same for code, commands, paths and output, where no hidden character is innocent. */
export function visibleCode(text: string): string {
  return visibleProse(text).replace(shapeless, codePoint);
}

/** Names of the characters in a text that a person cannot see, each once. */
export function hiddenCharacters(text: string): string[] {
  const found = [turners, shapeless, controls].flatMap(kind => text.match(kind) ?? []);
  return [...new Set(found.map(name))];
}

function controlPicture(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : codePoint(control);
}

function codePoint(character: string): string {
  return `⟨${name(character)}⟩`;
}

function name(character: string): string {
  return `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
}
