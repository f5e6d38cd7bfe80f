import type { PermissionMode } from '../protocol/permission.ts';
import { readToolInput } from '../protocol/toolInputs.ts';
import { SessionError } from './errors.ts';
import type { PermissionAsk, PermissionDecision } from './permissionAsk.ts';

/** The plan ExitPlanMode asks about; absent when the model never wrote one down. */
export function planOf(ask: Pick<PermissionAsk, 'toolName' | 'input'>): string | undefined {
  const read = readToolInput(ask.toolName, ask.input);
  return read.tool === 'ExitPlanMode' ? read.input.plan : undefined;
}

/** Approves a plan, as it is or as the person edited it. Without a mode the CLI would choose the one that follows. */
export function approvePlan(
  ask: Pick<PermissionAsk, 'toolName' | 'input'>,
  approval: { readonly mode: PermissionMode; readonly plan?: string },
): PermissionDecision {
  const edited = approval.plan !== undefined && approval.plan !== planOf(ask);
  return {
    type: 'allow',
    thenMode: approval.mode,
    ...(edited ? { updatedInput: { ...ask.input, plan: approval.plan } } : {}),
  };
}

/** What a person wrote beside the lines of a plan. */
export interface PlanComment {
  /** Counted from 1. */
  readonly line: number;
  readonly quote: string;
  readonly text: string;
}

/** What the agent reads about a plan: the person's words, their comments with the lines they are about, their own version. */
export function planFeedback(parts: {
  readonly words: string;
  readonly comments: readonly PlanComment[];
  readonly edited?: string | undefined;
}): string {
  const words = parts.words.trim();
  const comments = parts.comments.map(({ line, quote, text }) => {
    const quoted = quote.split('\n').map(one => `> ${one}`);
    // Without the empty line Markdown would take the comment for a part of the quote.
    return [`Line ${line}:`, ...quoted, '', text.trim()].join('\n');
  });
  return [
    ...(words === '' ? [] : [words]),
    ...(comments.length === 0 ? [] : ["The user's comments on the plan:", ...comments]),
    ...(parts.edited === undefined ? [] : [`The user's own version of the plan:\n${parts.edited}`]),
  ].join('\n\n');
}

/** Keeps planning: the feedback is what the model reads. */
export function rejectPlan(feedback: string): PermissionDecision {
  if (feedback.trim() === '') throw new SessionError('invalidDecision', 'A plan is turned down with a word of why.');
  return { type: 'deny', message: feedback };
}
