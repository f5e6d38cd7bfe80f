import { assertNever } from '../../base/assertNever.ts';
import type { AttachmentView, PromptView, ToolView, ViewItem } from '../../bridge/viewItem.ts';
import { plainFailure } from '../../protocol/toolResults.ts';
import { canonicalToolName } from '../../protocol/toolName.ts';
import type { AskOutcome, PermissionAsk } from '../../session/permissionAsk.ts';
import type { PromptItem, TranscriptItem, ToolItem } from '../../session/transcriptModel.ts';
import { splitContext } from '../context/contextText.ts';
import { cleanText } from './cleanText.ts';
import { presentAsk } from './presentAsk.ts';
import { presentNotice } from './presentNotice.ts';
import { toolCard } from './toolCards.ts';
import type { CardContext } from './toolUse.ts';
import { imagesOf, textOf } from './toolUse.ts';
import type { ShapedAsk } from '../permissions/askShaper.ts';
import type { Translate } from './words.ts';

export interface PresentContext extends CardContext {
  readonly t: Translate;
  /** The open question about a tool use, if there is one. */
  ask(toolUseId: string): PermissionAsk | undefined;
  /** What its card shows beyond what the CLI said: the hunks as they stand, and what to know before deciding. */
  shaped?(toolUseId: string): ShapedAsk | undefined;
  /** How the question about a tool use was answered. */
  outcome(toolUseId: string): AskOutcome | undefined;
}

/**
 * As `presentItem`, but an item that cannot be shown becomes a row that says so: one strange item must not keep the rest of
 * the conversation from being drawn.
 */
export function presentSafely(
  item: TranscriptItem,
  context: PresentContext,
  onError: (error: unknown) => void,
): ViewItem {
  try {
    return presentItem(item, context);
  } catch (error) {
    onError(error);
    const text = context.t('This part of the conversation cannot be shown. The log says why.');
    return { kind: 'notice', ...baseOf(item), level: 'warning', icon: 'warning', text, actions: [] };
  }
}

/** An item of the conversation as the view draws it. */
export function presentItem(item: TranscriptItem, context: PresentContext): ViewItem {
  switch (item.kind) {
    case 'prompt':
      return presentPrompt(item);
    case 'text':
      return {
        kind: 'text',
        ...baseOf(item),
        text: item.text,
        streaming: item.streaming,
        aborted: item.aborted,
      };
    case 'thinking':
      return {
        kind: 'thinking',
        ...baseOf(item),
        text: item.text,
        streaming: item.streaming,
        redacted: item.redacted,
        ...(item.durationMs === undefined ? {} : { durationMs: item.durationMs }),
        ...(item.estimatedTokens === undefined ? {} : { tokens: item.estimatedTokens }),
      };
    case 'tool':
      return presentTool(item, context);
    case 'notice':
      return presentNotice(item, context.t);
    default:
      return assertNever(item);
  }
}

function baseOf(item: TranscriptItem): { id: string; at: number; parent?: string } {
  const base = { id: item.id, at: item.at };
  return item.parentToolUseId === undefined ? base : { ...base, parent: item.parentToolUseId };
}

function presentPrompt(item: PromptItem): PromptView {
  const attachments: AttachmentView[] = imagesOf(item.attachments).map((preview, index) => ({
    id: `${item.id}:${index}`,
    kind: 'image',
    name: '',
    preview,
  }));
  const { words, pieces } = splitContext(item.text);
  pieces.forEach(({ what, name, text }, index) =>
    attachments.push({ id: `${item.id}:context:${index}`, kind: what, name: cleanText(name), text }),
  );
  return {
    kind: 'prompt',
    ...baseOf(item),
    text: words,
    attachments,
    state: item.state,
    synthetic: item.synthetic,
    rewindable: isRewindable(item),
  };
}

/** A prompt that had a turn of its own: folded and waiting ones left no state to go back to. */
function isRewindable({ state, synthetic, parentToolUseId }: PromptItem): boolean {
  const hadTurn = state === 'started' || state === 'completed' || state === 'interrupted';
  return hadTurn && !synthetic && parentToolUseId === undefined;
}

function presentTool(item: ToolItem, context: PresentContext): ToolView {
  const ask = context.ask(item.toolUseId);
  // The result knows best what was done; before it, or without one, there is only what was proposed and shaped.
  const shaped = item.state === 'done' ? undefined : context.shaped?.(item.toolUseId);
  const answered = answeredView(context.outcome(item.toolUseId));
  const error = item.state === 'failed' || item.state === 'denied' ? errorOf(item) : undefined;
  const durationMs = item.endedAt === undefined || item.at === 0 ? undefined : Math.max(0, item.endedAt - item.at);
  return {
    kind: 'tool',
    ...baseOf(item),
    name: cleanText(canonicalToolName(item.name)),
    status: item.state,
    card: shaped?.card ?? toolCard(item, context),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(item.at === 0 ? {} : { startedAt: item.at }),
    ...(error === undefined ? {} : { error }),
    ...(ask === undefined ? {} : { ask: presentAsk(ask, context.cwd, context.t, shaped) }),
    ...(answered === undefined ? {} : { answered }),
  };
}

function errorOf(item: ToolItem): string | undefined {
  const text = plainFailure(textOf(item.resultContent));
  return text === '' ? undefined : text.slice(0, 20_000);
}

const elicited = { accept: 'submitted', decline: 'declined', cancel: 'cancelled' } as const;

function answeredView(outcome: AskOutcome | undefined): ToolView['answered'] {
  switch (outcome?.type) {
    case 'allowed':
      return { decision: outcome.changed ? 'allowedWithChanges' : 'allowed' };
    case 'denied':
      return { decision: 'denied', note: outcome.message };
    case 'elicited':
      return { decision: elicited[outcome.action] };
    case 'failed':
    case 'withdrawn':
    case 'closed':
    case undefined:
      return undefined;
  }
}
