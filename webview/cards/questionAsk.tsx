import type { JSX } from 'preact';
import type { QuestionView } from '../../src/bridge/toolCard.ts';
import type { AskView, ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleCode, visibleProse } from '../markdown/visibleText.ts';
import { LineField } from './askFields.tsx';
import { AskButton, AskFrame } from './askFrame.tsx';
import type { AskControl } from './askFrame.tsx';
import type { AskDraft } from './askDrafts.ts';

/** The agent wants to know something: choices, free text, or neither. */
export function QuestionAsk({ tool, ask }: { tool: ToolView; ask: AskView }): JSX.Element {
  const app = useApp();
  const questions = tool.card.type === 'question' ? tool.card.questions : [];
  return (
    <AskFrame
      key={ask.askId}
      ask={ask}
      name={app.t('questionGroup')}
      what={control => (
        <div class="ask-what questions">
          {questions.map((question, index) => (
            <Question key={question.question} question={question} index={index} control={control} />
          ))}
        </div>
      )}
      buttons={control => {
        const answers = answersOf(questions, control.draft.value);
        return (
          <>
            <AskButton
              control={control}
              kind="primary"
              label={app.t('answer')}
              disabled={answers.length === 0}
              onPress={() => control.answer({ type: 'answers', answers: Object.fromEntries(answers) })}
            />
            <AskButton
              control={control}
              kind="secondary"
              label={app.t('skip')}
              onPress={() => control.answer({ type: 'answers', answers: {} })}
            />
          </>
        );
      }}
    />
  );
}

/** Answers by the full text of their question; several choices are one text. */
export function answersOf(questions: readonly QuestionView[], draft: AskDraft): [string, string][] {
  return questions.flatMap(({ question, multiSelect }): [string, string][] => {
    const chosen = draft.choices.get(question) ?? [];
    const other = (draft.other.get(question) ?? '').trim();
    const said = multiSelect && other !== '' ? [...chosen, other] : chosen.length > 0 ? chosen : [other];
    const answer = said.filter(part => part !== '').join(', ');
    return answer === '' ? [] : [[question, answer]];
  });
}

interface QuestionProps {
  readonly question: QuestionView;
  readonly index: number;
  readonly control: AskControl;
}

function Question({ question, index, control }: QuestionProps): JSX.Element {
  const app = useApp();
  const { choices, other } = control.draft.value;
  const text = question.question;
  const chosen = choices.get(text) ?? [];
  const choose = (label: string, on: boolean): void => {
    const rest = question.multiSelect ? chosen.filter(one => one !== label) : [];
    const kept = on ? [...rest, label] : rest;
    const inOrder = question.options.map(option => option.label).filter(one => kept.includes(one));
    control.change({ choices: new Map(choices).set(text, inOrder) });
  };
  const write = (value: string): void => {
    const clears = !question.multiSelect && value.trim() !== '';
    control.change({
      other: new Map(other).set(text, value),
      ...(clears ? { choices: new Map(choices).set(text, []) } : {}),
    });
  };
  return (
    <fieldset class="question">
      <legend dir="auto">
        {question.header !== '' && <span class="question-header">{visibleProse(question.header)}</span>}
        {visibleProse(text)}
      </legend>
      {question.options.map((option, at) => (
        <label key={at} class="choice">
          <input
            type={question.multiSelect ? 'checkbox' : 'radio'}
            name={`${control.ask.askId}:${index}`}
            aria-label={visibleProse(option.label)}
            checked={chosen.includes(option.label)}
            disabled={control.draft.value.sent}
            onInput={event => choose(option.label, event.currentTarget.checked)}
          />
          <span class="choice-text" dir="auto">
            <span>{visibleProse(option.label)}</span>
            {option.description !== '' && <span class="choice-description">{visibleProse(option.description)}</span>}
            {option.preview !== undefined && chosen.includes(option.label) && (
              <pre class="tool-text choice-preview" dir="ltr">
                {visibleCode(option.preview)}
              </pre>
            )}
          </span>
        </label>
      ))}
      <LineField control={control} label={app.t('other')} value={other.get(text) ?? ''} onChange={write} />
    </fieldset>
  );
}
