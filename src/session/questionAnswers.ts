import type { Question } from '../protocol/toolInputs.ts';
import { readToolInput } from '../protocol/toolInputs.ts';
import { SessionError } from './errors.ts';
import type { PermissionAsk, PermissionDecision } from './permissionAsk.ts';

/** Why a question has no answer. */
export type Unanswered = 'skipped' | 'replied_in_chat' | 'dismissed';

/** What a person said to one question of AskUserQuestion. */
export type QuestionAnswer =
  | {
      readonly type: 'answered';
      /** Labels of the chosen options, and free text as one more; several only where several may be chosen. */
      readonly choices: readonly string[];
      readonly notes?: string;
      /** The preview that was on view when the choice was made. */
      readonly preview?: string;
    }
  | { readonly type: 'unanswered'; readonly why: Unanswered; readonly notes?: string };

/** Answers by the full text of their question. A question that is not named is skipped. */
export type QuestionAnswers = Readonly<Record<string, QuestionAnswer>>;

/** The CLI that names this capability reads why a question has no answer; others would be confused by it. */
export const UNANSWERED_CAPABILITY = 'ask_user_question_unanswered_v1';

export function questionsOf(ask: Pick<PermissionAsk, 'toolName' | 'input'>): readonly Question[] {
  const read = readToolInput(ask.toolName, ask.input);
  return read.tool === 'AskUserQuestion' ? read.input.questions : [];
}

/**
 * The decision that carries a person's answers: the questions as they came, with the answers beside them. Answers to
 * questions that were not asked, and several choices where one is allowed, throw `invalidDecision`.
 */
export function answerQuestions(
  ask: Pick<PermissionAsk, 'toolName' | 'input'>,
  answers: QuestionAnswers,
  capabilities: ReadonlySet<string>,
): PermissionDecision {
  const questions = questionsOf(ask);
  const asked = new Set(questions.map(question => question.question));
  const stray = Object.keys(answers).find(text => !asked.has(text));
  if (stray !== undefined) throw new SessionError('invalidDecision', `This was not asked: ${stray}`);
  const given: [string, string][] = [];
  const annotations: [string, Record<string, string>][] = [];
  for (const question of questions) {
    const answer = answerTo(question, answers);
    if (answer.type === 'answered') given.push([question.question, joined(question, answer.choices)]);
    const annotation = annotationOf(answer, capabilities);
    if (Object.keys(annotation).length > 0) annotations.push([question.question, annotation]);
  }
  return {
    type: 'allow',
    updatedInput: {
      ...ask.input,
      // Built from entries: a question may be called anything, `__proto__` too.
      answers: Object.fromEntries(given),
      ...(annotations.length === 0 ? {} : { annotations: Object.fromEntries(annotations) }),
    },
  };
}

function answerTo(question: Question, answers: QuestionAnswers): QuestionAnswer {
  const own = Object.hasOwn(answers, question.question) ? answers[question.question] : undefined;
  return own ?? { type: 'unanswered', why: 'skipped' };
}

function joined(question: Question, choices: readonly string[]): string {
  const said = choices.map(choice => choice.trim()).filter(choice => choice !== '');
  if (said.length === 0) throw new SessionError('invalidDecision', `No answer was chosen to: ${question.question}`);
  if (said.length > 1 && question.multiSelect !== true) {
    throw new SessionError('invalidDecision', `Only one answer is possible to: ${question.question}`);
  }
  return said.join(', ');
}

function annotationOf(answer: QuestionAnswer, capabilities: ReadonlySet<string>): Record<string, string> {
  const told = answer.type === 'unanswered' && capabilities.has(UNANSWERED_CAPABILITY);
  return {
    ...(answer.notes === undefined || answer.notes === '' ? {} : { notes: answer.notes }),
    ...(answer.type === 'answered' && answer.preview !== undefined ? { preview: answer.preview } : {}),
    ...(told ? { unanswered: answer.why } : {}),
  };
}
