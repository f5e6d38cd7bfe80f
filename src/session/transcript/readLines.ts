import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { TranscriptLineOf, TranscriptNode } from '../../protocol/transcriptLine.ts';
import type { Notice, TaskInfo } from '../transcriptModel.ts';
import { readUserText } from './markers.ts';
import type { PromptText } from './promptBook.ts';
import { readDecision } from './readFrames.ts';
import type { ToolMeta } from './userSpeech.ts';

/** A command that compacts is recorded behind what it did; it was typed before. */
export function inOrderOfSpeech(lines: readonly TranscriptNode[]): readonly TranscriptNode[] {
  const ordered: TranscriptNode[] = [];
  let boundary: number | undefined;
  for (const line of lines) {
    const typed = boundary !== undefined && line.type === 'user' && commandOf(line)?.startsWith('/compact') === true;
    if (typed) ordered.splice(boundary ?? ordered.length, 0, line);
    else ordered.push(line);
    const between = line.type === 'user' && (line.isMeta === true || line.isCompactSummary === true);
    if (line.type === 'system' && line.subtype === 'compact_boundary') boundary = ordered.length - 1;
    else if (typed || !between) boundary = undefined;
  }
  return ordered;
}

/**
 * Prompts that waited together run as one message under the last one's uuid, a block each. Where the blocks can be
 * told apart they are the prompts that were typed.
 */
export function splitMerged(line: TranscriptLineOf<'user'>, whole: PromptText): PromptText[] {
  const held = fieldIn(line, 'mergedSendUuids');
  const merged: readonly unknown[] = Array.isArray(held) ? held : [];
  const blocks = line.message.content;
  if (merged.length === 0 || merged.length !== blocks.length - 1) return [whole];
  const ids = [...merged, whole.uuid];
  return ids.flatMap((uuid, index) => {
    const block = blocks[index];
    if (typeof uuid !== 'string' || block?.type !== 'text') return [];
    const last = index === ids.length - 1;
    return [{ uuid, text: last ? block.text : block.text.replace(/\n$/, ''), attachments: [] }];
  });
}

export function isInterruptMark(block: ContentBlock): boolean {
  return block.type === 'text' && readUserText(block.text).kind === 'interrupted';
}

/** The command a line stands for, if it stands for one. */
export function commandOf(line: TranscriptLineOf<'user'>): string | undefined {
  for (const block of line.message.content) {
    const meaning = block.type === 'text' ? readUserText(block.text) : undefined;
    if (meaning?.kind === 'command') return meaning.command;
  }
  return undefined;
}

export function readMeta(line: TranscriptLineOf<'user'>): ToolMeta[] {
  const decision = fieldIn(line, 'permissionDecision');
  const denial = fieldIn(line, 'toolDenialKind');
  const known = isRecord(decision) && typeof decision['decision'] === 'string' ? decision : undefined;
  if (known === undefined && typeof denial !== 'string') return [];
  return [
    {
      ...(known === undefined
        ? {}
        : { decision: readDecision(String(known['decision']), textIn(known, 'source'), textIn(known, 'reasonType')) }),
      ...(typeof denial === 'string' ? { notRun: denial } : {}),
    },
  ];
}

export function readCompaction(metadata: Readonly<Record<string, unknown>>): Extract<Notice, { type: 'compacted' }> {
  const pre = metadata['preTokens'];
  const post = metadata['postTokens'];
  return {
    type: 'compacted',
    trigger: textIn(metadata, 'trigger') ?? '',
    ...(typeof pre === 'number' ? { preTokens: pre } : {}),
    ...(typeof post === 'number' ? { postTokens: post } : {}),
  };
}

export function readStatus(status: string | undefined): TaskInfo['status'] {
  return status === 'completed' || status === 'failed' ? status : 'stopped';
}

/** A field that survives decoding without being part of the type. */
export function fieldIn(line: TranscriptNode, key: string): unknown {
  return Reflect.get(line, key);
}

export function numberIn(line: TranscriptNode, key: string): number | undefined {
  const value = fieldIn(line, key);
  return typeof value === 'number' ? value : undefined;
}

function textIn(fields: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = fields[key];
  return typeof value === 'string' ? value : undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
