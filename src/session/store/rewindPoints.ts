import type { TranscriptLineOf, TranscriptNode } from '../../protocol/transcriptLine.ts';
import { readUserText } from '../transcript/markers.ts';
import { isToolResult } from './branchReader.ts';

/** A prompt one can go back to. */
export interface RewindPoint {
  /** The prompt's uuid: what `rewind_files` and `--resume-drops-turn` want. */
  readonly uuid: string;
  readonly text: string;
  /** Milliseconds since the epoch, 0 when unknown. */
  readonly at: number;
  /** The last entry before the prompt, for `--resume-session-at`. Absent for the first: there one starts anew. */
  readonly cutAt?: string;
  /** Whether the CLI recorded the files at this prompt. */
  readonly hasCheckpoint: boolean;
}

/**
 * The prompts of a branch (oldest first) that have a line of their own. Prompts that were folded into a running turn
 * have none, and neither have the earlier ones of several that ran together.
 */
export function rewindPoints(branch: readonly TranscriptNode[], checkpoints: ReadonlySet<string>): RewindPoint[] {
  const points: RewindPoint[] = [];
  let before: string | undefined;
  for (const node of branch) {
    const text = node.type === 'user' ? promptText(node) : undefined;
    if (text !== undefined) {
      points.push({
        uuid: node.uuid,
        text,
        at: node.timestamp === undefined ? 0 : Date.parse(node.timestamp) || 0,
        hasCheckpoint: checkpoints.has(node.uuid),
        ...(before === undefined ? {} : { cutAt: before }),
      });
    }
    // Only what was said can be cut at: the CLI looks for user and assistant messages.
    if ((node.type === 'user' || node.type === 'assistant') && node.isMeta !== true) before = node.uuid;
  }
  return points;
}

function promptText(line: TranscriptLineOf<'user'>): string | undefined {
  if (line.isMeta === true || line.isCompactSummary === true || isToolResult(line)) return undefined;
  if (line.origin?.['kind'] !== undefined && line.origin['kind'] !== 'human') return undefined;
  const text = line.message.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
  const meaning = readUserText(text);
  if (meaning.kind === 'command') return meaning.command;
  return meaning.kind === 'prompt' ? text : undefined;
}
