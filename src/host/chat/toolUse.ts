import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { ToolResult, ToolResultOf, ToolWithResult } from '../../protocol/toolResults.ts';
import type { TaskInfo, ToolItem } from '../../session/transcriptModel.ts';

export interface CardContext {
  /** The session's folder. */
  readonly cwd: string;
  task(taskId: string): TaskInfo | undefined;
  /** What a step of the agent's list is called; the tool use that wants to know is told of it again when that is known. */
  step(taskId: string, toolUseId: string): string | undefined;
}

/** Input and result of one tool use, read and put side by side. */
export interface ToolUse {
  readonly item: ToolItem;
  readonly result: ToolResult | undefined;
  /** What the model was told, as text. */
  readonly told: string;
  readonly context: CardContext;
}

/** The result if it is one of this tool. */
export function resultOf<Tool extends ToolWithResult>(
  tool: Tool,
  result: ToolResult | undefined,
): ToolResultOf<Tool> | undefined {
  return result !== undefined && isFor(tool, result) ? result.result : undefined;
}

function isFor<Tool extends ToolWithResult>(
  tool: Tool,
  result: ToolResult,
): result is Extract<ToolResult, { tool: Tool }> & { readonly result: ToolResultOf<Tool> } {
  return result.tool === tool;
}

/** The text of a result, without its images. */
export function textOf(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** The text in whatever a tool calls its content: a string, or a list with text blocks in it. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) =>
      typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? [part.text] : [],
    )
    .join('\n');
}

const shownImages = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

/** Images as data addresses; only kinds that cannot carry script. */
export function imagesOf(blocks: readonly ContentBlock[]): string[] {
  return blocks.flatMap(block => {
    if (block.type !== 'image') return [];
    const { type, media_type: mediaType, data } = block.source;
    if (type !== 'base64' || mediaType === undefined || data === undefined || !shownImages.has(mediaType)) return [];
    return [`data:${mediaType};base64,${data}`];
  });
}
