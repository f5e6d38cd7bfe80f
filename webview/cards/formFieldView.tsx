import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { fieldProblem } from '../../src/bridge/formField.ts';
import type { FieldValue, FormField } from '../../src/bridge/formField.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleProse } from '../markdown/visibleText.ts';
import type { AskDraft } from './askDrafts.ts';
import type { AskControl } from './askFrame.tsx';

/** What stands in a field: what the person put there, or what was there before. */
export function valueIn({ key, kind, preset }: FormField, draft: AskDraft): FieldValue {
  switch (kind) {
    case 'yesNo':
      return draft.choices.get(key)?.includes('true') ?? preset;
    case 'choices':
      return draft.choices.get(key) ?? preset;
    default:
      return draft.other.get(key) ?? preset;
  }
}

interface FieldProps {
  readonly field: FormField;
  readonly control: AskControl;
}

/** One field of a form, with what is wrong beside it: at once where something was put in, of empty ones when it was `tried` to send them. */
export function FormFieldView({ field, control, tried }: FieldProps & { readonly tried: boolean }): JSX.Element {
  const app = useApp();
  const id = useId();
  const value = valueIn(field, control.draft.value);
  const problem = fieldProblem(field, value);
  const shown = problem !== undefined && (tried || (value !== '' && touched(field, control)));
  const about = [field.description === '' ? [] : [`${id}-about`], shown ? [`${id}-problem`] : []].flat();
  const described = about.length === 0 ? {} : { 'aria-describedby': about.join(' ') };
  const input: InputProps = {
    field,
    control,
    value,
    aria: {
      'aria-label': visibleProse(field.title),
      'aria-required': field.required,
      'aria-invalid': shown,
      ...described,
    },
  };
  return (
    <div class="ask-field form-field">
      {field.kind !== 'yesNo' && <FieldTitle field={field} />}
      {field.description !== '' && (
        <p id={`${id}-about`} class="field-about" dir="auto">
          {visibleProse(field.description)}
        </p>
      )}
      <FieldInput {...input} />
      {shown && (
        <p id={`${id}-problem`} class="ask-problem" role="alert">
          {app.t(...problem)}
        </p>
      )}
    </div>
  );
}

function FieldTitle({ field }: { readonly field: FormField }): JSX.Element {
  const app = useApp();
  return (
    <span class="field-title" dir="auto">
      {visibleProse(field.title)}
      {field.required && field.kind !== 'yesNo' && <span class="field-required"> {app.t('required')}</span>}
    </span>
  );
}

function touched({ key }: FormField, { draft }: AskControl): boolean {
  return draft.value.other.has(key) || draft.value.choices.has(key);
}

interface InputProps extends FieldProps {
  readonly value: FieldValue;
  readonly aria: {
    readonly 'aria-label': string;
    readonly 'aria-required': boolean;
    readonly 'aria-invalid': boolean;
    readonly 'aria-describedby'?: string;
  };
}

function FieldInput(props: InputProps): JSX.Element {
  switch (props.field.kind) {
    case 'yesNo':
      return <Tick {...props} />;
    case 'choice':
      return <Choice {...props} />;
    case 'choices':
      return <Choices {...props} />;
    case 'text':
    case 'number':
    case 'integer':
      return <TypedText {...props} />;
  }
}

function TypedText({ field, control, value, aria }: InputProps): JSX.Element {
  const write = (text: string): void =>
    control.change({ other: new Map(control.draft.peek().other).set(field.key, text) });
  const shared = {
    class: 'ask-input',
    dir: 'auto',
    disabled: control.draft.value.sent,
    value: String(value),
    ...aria,
  } as const;
  // Words may have several lines; an address, a date or a number has one.
  return field.kind === 'text' && field.format === undefined ? (
    <textarea {...shared} rows={1} onInput={event => write(event.currentTarget.value)} />
  ) : (
    <input {...shared} type="text" autocomplete="off" onInput={event => write(event.currentTarget.value)} />
  );
}

function Choice({ field, control, value, aria }: InputProps): JSX.Element {
  const app = useApp();
  return (
    <select
      class="ask-select field-select"
      disabled={control.draft.value.sent}
      value={String(value)}
      onChange={event =>
        control.change({ other: new Map(control.draft.peek().other).set(field.key, event.currentTarget.value) })
      }
      {...aria}
    >
      {(!field.required || field.preset === '') && <option value="">{app.t('noChoice')}</option>}
      {field.choices.map(choice => (
        <option key={choice.value} value={choice.value}>
          {visibleProse(choice.label)}
        </option>
      ))}
    </select>
  );
}

function Choices({ field, control, value, aria }: InputProps): JSX.Element {
  const chosen = typeof value === 'object' ? value : [];
  const choose = (one: string, on: boolean): void => {
    const kept = field.choices.map(choice => choice.value).filter(each => (each === one ? on : chosen.includes(each)));
    control.change({ choices: new Map(control.draft.peek().choices).set(field.key, kept) });
  };
  return (
    <div class="field-choices" role="group" {...aria}>
      {field.choices.map(choice => (
        <label key={choice.value} class="choice">
          <input
            type="checkbox"
            aria-label={visibleProse(choice.label)}
            checked={chosen.includes(choice.value)}
            disabled={control.draft.value.sent}
            onInput={event => choose(choice.value, event.currentTarget.checked)}
          />
          <span class="choice-text" dir="auto">
            {visibleProse(choice.label)}
          </span>
        </label>
      ))}
    </div>
  );
}

function Tick({ field, control, value, aria }: InputProps): JSX.Element {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={value === true}
        disabled={control.draft.value.sent}
        onInput={event =>
          control.change({
            choices: new Map(control.draft.peek().choices).set(field.key, event.currentTarget.checked ? ['true'] : []),
          })
        }
        {...aria}
      />
      <FieldTitle field={field} />
    </label>
  );
}
