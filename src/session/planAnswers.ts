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

/** Keeps planning: the feedback is what the model reads. */
export function rejectPlan(feedback: string): PermissionDecision {
  if (feedback.trim() === '') throw new SessionError('invalidDecision', 'A plan is turned down with a word of why.');
  return { type: 'deny', message: feedback };
}
