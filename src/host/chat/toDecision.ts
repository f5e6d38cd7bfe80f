import type { ViewAnswer } from '../../bridge/viewMessages.ts';
import type { PermissionAsk, PermissionDecision } from '../../session/permissionAsk.ts';
import { approvePlan } from '../../session/planAnswers.ts';
import type { QuestionAnswers } from '../../session/questionAnswers.ts';
import { answerQuestions } from '../../session/questionAnswers.ts';
import { elicitationAnswer } from '../permissions/elicitation.ts';
import type { Translate } from './words.ts';

/** The answer of a card as a decision for the desk. Throws when the card's text cannot be what runs: the question stays open. */
export function toDecision(
  ask: PermissionAsk,
  answer: ViewAnswer,
  capabilities: ReadonlySet<string>,
  t: Translate,
): PermissionDecision {
  switch (answer.type) {
    case 'allow': {
      const updatedInput = answer.edited === undefined ? undefined : editedInput(ask, answer.edited, t);
      return {
        type: 'allow',
        ...(updatedInput === undefined ? {} : { updatedInput }),
        ...(answer.always === undefined || answer.always.length === 0 ? {} : { always: answer.always }),
      };
    }
    case 'deny': {
      const reason = answer.reason.trim();
      return {
        type: 'deny',
        // Read by the model, so it is in the model's language, not in the window's.
        message: reason === '' ? 'The user does not want this step. Ask what to do instead.' : reason,
        ...(answer.stop ? { interrupt: true } : {}),
      };
    }
    case 'answers':
      return answerQuestions(ask, questionAnswers(answer), capabilities);
    case 'elicitation':
      if (ask.elicitation === undefined) throw new Error(t('This answer does not fit the question.'));
      return { type: 'elicited', answer: elicitationAnswer(ask.elicitation, answer, t) };
    case 'plan':
      return approvePlan(ask, {
        mode: isMode(answer.mode) ? answer.mode : 'default',
        ...(answer.plan === undefined ? {} : { plan: answer.plan }),
      });
  }
}

/** The card has already joined what was ticked; each question has one text. */
function questionAnswers(answer: Extract<ViewAnswer, { type: 'answers' }>): QuestionAnswers {
  return Object.fromEntries(
    Object.entries(answer.answers).map(([question, choice]) => {
      const notes = answer.notes?.[question];
      return [question, { type: 'answered', choices: [choice], ...(notes === undefined ? {} : { notes }) }];
    }),
  );
}

const followingModes = ['default', 'acceptEdits', 'auto'] as const;

function isMode(mode: string | undefined): mode is (typeof followingModes)[number] {
  return followingModes.some(known => known === mode);
}

function editedInput(ask: PermissionAsk, edited: string, t: Translate): Record<string, unknown> {
  if (ask.toolName === 'Bash') return { ...ask.input, command: edited };
  let parsed: unknown;
  try {
    parsed = JSON.parse(edited);
  } catch (error) {
    throw new Error(t('The edited input is not valid JSON.'), { cause: error });
  }
  if (!isRecord(parsed)) throw new Error(t('The edited input is not an object.'));
  return parsed;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
