import type { FileLink, ToolCard } from '../../bridge/toolCard.ts';
import type { ToolInputOf } from '../../protocol/toolInputs.ts';
import type { FileChange } from './diffHunks.ts';
import { changeBetween, changeOfPatch, createdFile } from './diffHunks.ts';
import { fileLink } from './fileLink.ts';
import type { ToolUse } from './toolUse.ts';
import { resultOf } from './toolUse.ts';

export function writeCard(input: ToolInputOf<'Write'>, use: ToolUse): ToolCard {
  const done = resultOf('Write', use.result);
  const created = done === undefined || done.type === 'create';
  const change =
    done !== undefined && !created ? changeOfPatch(done.structuredPatch) : createdFile(done?.content ?? input.content);
  return edit(fileLink(input.file_path, use.context.cwd), created, change);
}

export function editCard(
  path: string,
  edits: readonly { readonly old_string: string; readonly new_string: string }[],
  use: ToolUse,
): ToolCard {
  const done = resultOf('Edit', use.result) ?? resultOf('MultiEdit', use.result);
  const change =
    done === undefined
      ? joined(edits.map(one => changeBetween(one.old_string, one.new_string)))
      : changeOfPatch(done.structuredPatch);
  const line = done?.structuredPatch[0]?.newStart;
  return edit(fileLink(path, use.context.cwd, line), false, change);
}

export function notebookCard(input: ToolInputOf<'NotebookEdit'>, use: ToolUse): ToolCard {
  const done = resultOf('NotebookEdit', use.result);
  const change = changeBetween(done?.old_source ?? '', input.edit_mode === 'delete' ? '' : input.new_source);
  return edit(fileLink(input.notebook_path, use.context.cwd), false, change);
}

function edit(file: FileLink, created: boolean, change: FileChange): ToolCard {
  return { type: 'edit', file, created, ...change };
}

function joined(changes: readonly FileChange[]): FileChange {
  return {
    added: changes.reduce((sum, change) => sum + change.added, 0),
    removed: changes.reduce((sum, change) => sum + change.removed, 0),
    hunks: changes.flatMap(change => change.hunks),
    omittedLines: changes.reduce((sum, change) => sum + change.omittedLines, 0),
  };
}
