/** Texts in user messages that are no prompts: marks and command rows the CLI writes in the user's name. */
export type UserText =
  | { readonly kind: 'prompt' }
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'commandOutput'; readonly output: string }
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'taskNote' }
  | { readonly kind: 'caveat' };

const INTERRUPT_MARKS = new Set(['[Request interrupted by user]', '[Request interrupted by user for tool use]']);

export function readUserText(text: string): UserText {
  const start = text.trimStart();
  if (!start.startsWith('<') && !start.startsWith('[')) return { kind: 'prompt' };
  if (INTERRUPT_MARKS.has(start.trimEnd())) return { kind: 'interrupted' };
  if (start.startsWith('<local-command-stdout>') || start.startsWith('<local-command-stderr>')) {
    return { kind: 'commandOutput', output: stripCommandOutput(start) };
  }
  if (start.startsWith('<local-command-caveat>')) return { kind: 'caveat' };
  if (start.startsWith('<command-name>') || start.startsWith('<command-message>')) {
    const command = readCommand(start);
    if (command !== undefined) return { kind: 'command', command };
  }
  if (start.startsWith('<task-notification>')) return { kind: 'taskNote' };
  return { kind: 'prompt' };
}

const OUTPUT_TAGS = /^<local-command-(stdout|stderr)>([\s\S]*?)(?:<\/local-command-\1>)?\s*$/;

export function stripCommandOutput(text: string): string {
  return (OUTPUT_TAGS.exec(text)?.[2] ?? text).trim();
}

/** The command as it was typed, from the tags the CLI turns it into. */
function readCommand(text: string): string | undefined {
  const name = between(text, '<command-name>', '</command-name>')?.trim();
  if (name === undefined || name === '') return undefined;
  const args = between(text, '<command-args>', '</command-args>')?.trim() ?? '';
  const slashed = name.startsWith('/') ? name : `/${name}`;
  return args === '' ? slashed : `${slashed} ${args}`;
}

function between(text: string, open: string, close: string): string | undefined {
  const start = text.indexOf(open);
  if (start < 0) return undefined;
  const end = text.indexOf(close, start + open.length);
  return end < 0 ? undefined : text.slice(start + open.length, end);
}

/** Lines of `result.errors` that are notes of the CLI to itself. */
export function isDiagnostic(line: string): boolean {
  return line.startsWith('[ede_diagnostic]');
}
