import { readToolResult } from '../../protocol/toolResults.ts';
import { applyEdits, inMemory, withoutBom } from '../proposal/cliEdit.ts';
import type { ToolItem, TranscriptItem } from '../transcriptModel.ts';

/** One change of one file by a tool of the agent. */
export interface AgentChange {
  /** As the tool named it. */
  readonly path: string;
  /** The prompt in whose turn it happened; absent for what comes before the first prompt that is known. */
  readonly promptId?: string;
  /** Text before and after, line ends as LF. `null`: there was no file. `undefined`: the result did not say. */
  readonly before: string | null | undefined;
  readonly after: string | undefined;
  readonly added: number;
  readonly removed: number;
}

export interface ItemSource {
  readonly items: readonly TranscriptItem[];
  childrenOf(toolUseId: string): readonly TranscriptItem[];
}

/** Subagents of subagents: the CLI itself stops long before. */
const deepest = 8;

/** Everything the agent's file tools changed, in order, also inside of subagents. */
export function agentChanges(source: ItemSource): AgentChange[] {
  const changes: AgentChange[] = [];
  let promptId: string | undefined;
  const visit = (items: readonly TranscriptItem[], depth: number): void => {
    for (const item of items) {
      if (depth === 0 && item.kind === 'prompt' && isTurnStart(item)) promptId = item.id;
      if (item.kind !== 'tool') continue;
      const change = knownChange(item);
      if (change !== undefined) changes.push(promptId === undefined ? change : { ...change, promptId });
      if (depth < deepest) visit(source.childrenOf(item.toolUseId), depth + 1);
    }
  };
  visit(source.items, 0);
  return changes;
}

function isTurnStart(item: Extract<TranscriptItem, { kind: 'prompt' }>): boolean {
  return !item.synthetic && item.state !== 'folded' && item.state !== 'queued' && item.state !== 'cancelled';
}

type BareChange = Omit<AgentChange, 'promptId'>;

/** Items are replaced, never changed: what was read of one stays true, and results can be long. */
const known = new WeakMap<ToolItem, { readonly change: BareChange | undefined }>();

function knownChange(item: ToolItem): BareChange | undefined {
  const before = known.get(item);
  if (before !== undefined) return before.change;
  const change = changeOf(item);
  known.set(item, { change });
  return change;
}

function changeOf(item: ToolItem): BareChange | undefined {
  if (item.state !== 'done' || item.structuredResult === undefined) return undefined;
  const read = readToolResult(item.name, item.structuredResult);
  switch (read.tool) {
    case 'Write': {
      const { filePath: path, content, originalFile, structuredPatch, type } = read.result;
      const before = type === 'create' ? null : (originalFile ?? undefined);
      const lines = before === null ? { added: lineCount(content), removed: 0 } : countLines(structuredPatch);
      return { path, before, after: plain(content), ...lines };
    }
    case 'Edit':
    case 'MultiEdit': {
      const { filePath: path, originalFile, oldString, newString, replaceAll, structuredPatch } = read.result;
      const before = originalFile ?? (oldString === '' ? null : undefined);
      const outcome =
        oldString === undefined || newString === undefined || before === undefined
          ? undefined
          : applyEdits(before ?? undefined, false, [{ oldString, newString, replaceAll: replaceAll ?? false }]);
      const after = outcome?.ok === true ? plain(outcome.text) : undefined;
      return { path, before, after, ...countLines(structuredPatch) };
    }
    case 'NotebookEdit': {
      const { notebook_path: path, original_file: before, updated_file: after, error } = read.result;
      if (path === undefined || (error !== undefined && error !== '')) return undefined;
      return { path, before, after: after === undefined ? undefined : plain(after), added: 0, removed: 0 };
    }
    default:
      return undefined;
  }
}

/** Text as the agent sees it: without byte-order mark, line ends as LF. */
export function plain(text: string): string {
  return inMemory(withoutBom(text));
}

function countLines(hunks: readonly { readonly lines: readonly string[] }[]): { added: number; removed: number } {
  let added = 0;
  let removed = 0;
  for (const { lines } of hunks) {
    for (const line of lines) {
      if (line.startsWith('+')) added++;
      else if (line.startsWith('-')) removed++;
    }
  }
  return { added, removed };
}

function lineCount(text: string): number {
  if (text === '') return 0;
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** What the agent wrote last into each file; `undefined` where its result did not tell. */
export function lastWritten(changes: readonly AgentChange[]): ReadonlyMap<string, string | undefined> {
  return new Map(changes.map(change => [change.path, change.after]));
}

/** Changes from a prompt on, its own turn included. Empty when the prompt is not known. */
export function changesSince(
  changes: readonly AgentChange[],
  promptIds: readonly string[],
  promptId: string,
): readonly AgentChange[] {
  const from = promptIds.indexOf(promptId);
  if (from < 0) return [];
  const later = new Set(promptIds.slice(from));
  return changes.filter(change => change.promptId !== undefined && later.has(change.promptId));
}

export interface ChangeTotals {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

export function totalsOf(changes: readonly AgentChange[]): ChangeTotals {
  return {
    files: new Set(changes.map(change => change.path)).size,
    added: changes.reduce((sum, change) => sum + change.added, 0),
    removed: changes.reduce((sum, change) => sum + change.removed, 0),
  };
}
