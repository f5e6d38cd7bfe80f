import type { CommandView } from '../../src/bridge/sessionView.ts';

/** What the caret stands in that can be completed, and which part of the text it would replace. */
export interface Trigger {
  readonly kind: 'command' | 'file';
  readonly query: string;
  readonly from: number;
  readonly to: number;
}

/** A command can only begin the message; a file may follow any space. */
export function triggerAt(text: string, caret: number): Trigger | undefined {
  const before = text.slice(0, caret);
  const command = /^\/(\S*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0, to: caret };
  const file = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? '';
  return { kind: 'file', query, from: caret - query.length - 1, to: caret };
}

/** Commands whose name begins with the query first, then those that contain it, then those that say it. */
export function matchCommands(commands: readonly CommandView[], query: string, limit = 50): readonly CommandView[] {
  const wanted = query.toLowerCase();
  const rank = (command: CommandView): number => {
    const name = command.name.toLowerCase();
    if (name.startsWith(wanted)) return 0;
    if (name.includes(wanted)) return 1;
    return command.description.toLowerCase().includes(wanted) ? 2 : 3;
  };
  return commands
    .map(command => ({ command, rank: rank(command) }))
    .filter(entry => entry.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, limit)
    .map(entry => entry.command);
}

/** What to type after a command that is complete and has nothing after it yet. */
export function argumentHint(commands: readonly CommandView[], text: string): string | undefined {
  const name = /^\/(\S+)\s*$/.exec(text)?.[1];
  const command = name === undefined ? undefined : commands.find(one => one.name === name);
  return command === undefined || command.argumentHint === '' ? undefined : command.argumentHint;
}

/** The text and the caret after the trigger was replaced. */
export function complete(text: string, trigger: Trigger, insert: string): { text: string; caret: number } {
  return {
    text: text.slice(0, trigger.from) + insert + text.slice(trigger.to),
    caret: trigger.from + insert.length,
  };
}
