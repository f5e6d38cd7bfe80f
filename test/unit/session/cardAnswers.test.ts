import { describe, expect, it } from 'vitest';
import { SessionError } from '../../../src/session/errors.ts';
import { approvePlan, planOf, rejectPlan } from '../../../src/session/planAnswers.ts';
import { answerQuestions, questionsOf, UNANSWERED_CAPABILITY } from '../../../src/session/questionAnswers.ts';
import { answersOf, ask, readySession } from './sessionKit.ts';

const which = 'Which library shall be used for validation in the whole project?';
const targets = 'Targets?';
const input = {
  questions: [
    {
      question: which,
      header: 'Library',
      multiSelect: false,
      options: [
        { label: 'zod', description: 'schemas', preview: 'z.object({})' },
        { label: 'none', description: 'by hand' },
      ],
    },
    {
      question: targets,
      header: 'Targets',
      multiSelect: true,
      options: [
        { label: 'web', description: '' },
        { label: 'node', description: '' },
      ],
    },
  ],
};
const questionAsk = { toolName: 'AskUserQuestion', input };
const none = new Set<string>();
const able = new Set([UNANSWERED_CAPABILITY]);

describe('answers to questions', () => {
  it('are keyed by the full text of the question, several choices joined with a comma and a space', () => {
    const decision = answerQuestions(
      questionAsk,
      {
        [which]: { type: 'answered', choices: ['zod'] },
        [targets]: { type: 'answered', choices: ['web', 'node', 'a toaster'] },
      },
      none,
    );
    expect(decision).toEqual({
      type: 'allow',
      updatedInput: { ...input, answers: { [which]: 'zod', [targets]: 'web, node, a toaster' } },
    });
  });

  it('may be left out: the question is skipped, and said to be where the CLI understands that', () => {
    const answers = { [targets]: { type: 'answered', choices: ['web'] } } as const;
    expect(answerQuestions(questionAsk, answers, none)).toMatchObject({
      updatedInput: { answers: { [targets]: 'web' } },
    });
    expect(answerQuestions(questionAsk, answers, none)).not.toHaveProperty('updatedInput.annotations');
    expect(answerQuestions(questionAsk, answers, able)).toMatchObject({
      updatedInput: { answers: { [targets]: 'web' }, annotations: { [which]: { unanswered: 'skipped' } } },
    });
  });

  it('carry notes and the preview that was on view', () => {
    const decision = answerQuestions(
      questionAsk,
      {
        [which]: { type: 'answered', choices: ['zod'], preview: 'z.object({})', notes: 'version 4' },
        [targets]: { type: 'unanswered', why: 'replied_in_chat', notes: 'see below' },
      },
      able,
    );
    expect(decision).toMatchObject({
      updatedInput: {
        answers: { [which]: 'zod' },
        annotations: {
          [which]: { notes: 'version 4', preview: 'z.object({})' },
          [targets]: { notes: 'see below', unanswered: 'replied_in_chat' },
        },
      },
    });
  });

  it('are refused for a question nobody asked, for two choices where one is allowed, and for an empty choice', () => {
    const answer = (answers: Parameters<typeof answerQuestions>[1]) => () =>
      answerQuestions(questionAsk, answers, none);
    expect(answer({ 'Really?': { type: 'answered', choices: ['yes'] } })).toThrow(SessionError);
    expect(answer({ [which]: { type: 'answered', choices: ['zod', 'none'] } })).toThrow(SessionError);
    expect(answer({ [which]: { type: 'answered', choices: [' '] } })).toThrow(SessionError);
  });

  it('work for a question with a name that objects have of their own', () => {
    const odd = { toolName: 'AskUserQuestion', input: { questions: [{ question: '__proto__', options: [] }] } };
    expect(answerQuestions(odd, {}, none)).toMatchObject({ updatedInput: { answers: {} } });
    const answers = Object.fromEntries([['__proto__', { type: 'answered', choices: ['x'] } as const]]);
    expect(JSON.stringify(answerQuestions(odd, answers, none))).toContain('"answers":{"__proto__":"x"}');
  });

  it('are empty for an input without questions', () => {
    expect(questionsOf({ toolName: 'AskUserQuestion', input: {} })).toEqual([]);
    expect(answerQuestions({ toolName: 'AskUserQuestion', input: {} }, {}, able)).toEqual({
      type: 'allow',
      updatedInput: { answers: {} },
    });
  });
});

describe('a plan', () => {
  const plan = { plan: '# Plan', planFilePath: '/plans/a.md' };
  const planAsk = { toolName: 'ExitPlanMode', input: plan };

  it('is approved with the mode that follows and, if it was edited, the new text', async () => {
    const made = await readySession({ mode: 'plan' });
    made.peer.say(ask('r1', { tool_name: 'ExitPlanMode', input: plan, requires_user_interaction: true }));
    const open = made.session.desk.find('r1');
    if (open === undefined) throw new Error('no ask');
    made.session.desk.settle('r1', approvePlan(open, { mode: 'acceptEdits', plan: '# Better' }));
    expect(answersOf(made.peer, 'r1')).toMatchObject([
      {
        response: {
          behavior: 'allow',
          updatedInput: { plan: '# Better', planFilePath: '/plans/a.md' },
          updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
          decisionClassification: 'user_temporary',
        },
      },
    ]);
  });

  it('that was not edited goes back as it came', () => {
    expect(approvePlan(planAsk, { mode: 'default', plan: '# Plan' })).toEqual({ type: 'allow', thenMode: 'default' });
    expect(planOf(planAsk)).toBe('# Plan');
    expect(planOf({ toolName: 'ExitPlanMode', input: {} })).toBeUndefined();
  });

  it('is turned down with feedback the model reads, and not without a word', () => {
    expect(rejectPlan('Smaller steps')).toEqual({ type: 'deny', message: 'Smaller steps' });
    expect(() => rejectPlan(' ')).toThrow(SessionError);
  });
});
