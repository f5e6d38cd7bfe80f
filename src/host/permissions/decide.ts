import type { ViewAnswer } from '../../bridge/viewMessages.ts';
import type { PermissionAsk, PermissionDecision } from '../../session/permissionAsk.ts';
import { planFeedback } from '../../session/planAnswers.ts';
import { commandNote } from '../../session/proposal/changeNote.ts';
import type { ToolFields } from '../../session/proposal/updatedInput.ts';
import { toDecision } from '../chat/toDecision.ts';
import type { Translate } from '../chat/words.ts';
import type { AskShaper } from './askShaper.ts';

export interface Decided {
  readonly decision: PermissionDecision;
  /** What the agent is told once the tool has run; absent when the person changed nothing. */
  readonly note?: string;
}

export interface DecideContext {
  readonly capabilities: ReadonlySet<string>;
  readonly shaper: AskShaper | undefined;
  readonly t: Translate;
}

/**
 * A person's answer as the decision for the CLI, with what they changed in the editor. Undefined: it cannot be carried out
 * like this; they were told why, and the question stays open.
 */
export async function decide(
  ask: PermissionAsk,
  answer: ViewAnswer,
  { capabilities, shaper, t }: DecideContext,
): Promise<Decided | undefined> {
  if (ask.kind === 'plan') return decidePlan(ask, answer, { capabilities, shaper, t });
  const decision = toDecision(ask, answer, capabilities, t);
  if (decision.type !== 'allow' || answer.type !== 'allow') return { decision };
  if (decision.updatedInput !== undefined) return { decision, ...noteOf(inputNote(ask, decision.updatedInput)) };
  const shaped = await shaper?.allow(ask, answer.leftOut ?? []);
  if (shaper !== undefined && shaped === undefined) return undefined;
  if (shaped?.input === undefined) return { decision };
  return { decision: { ...decision, updatedInput: shaped.input }, ...noteOf(shaped.note) };
}

/** Comments go to the agent either way: as the reason to plan on, or as a note beside the approval. */
function decidePlan(ask: PermissionAsk, answer: ViewAnswer, { capabilities, shaper, t }: DecideContext): Decided {
  const comments = shaper?.planComments(ask) ?? [];
  const plan = shaper?.editedPlan(ask);
  if (answer.type === 'deny') {
    const reason = planFeedback({ words: answer.reason, comments, edited: answer.plan ?? plan });
    return { decision: toDecision(ask, { ...answer, reason }, capabilities, t) };
  }
  const edited =
    answer.type === 'plan' && answer.plan === undefined && plan !== undefined ? { ...answer, plan } : answer;
  const note = comments.length === 0 ? undefined : planFeedback({ words: '', comments });
  return { decision: toDecision(ask, edited, capabilities, t), ...noteOf(note) };
}

function inputNote(ask: PermissionAsk, changed: ToolFields): string | undefined {
  const [before, after] = [ask.input['command'], changed['command']];
  if (ask.toolName === 'Bash' && typeof before === 'string' && typeof after === 'string') {
    return commandNote(before, after);
  }
  const json = (fields: ToolFields): string => JSON.stringify(fields, undefined, 2);
  return commandNote(json(ask.input), json(changed));
}

function noteOf(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}
