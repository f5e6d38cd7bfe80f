import type { JSX } from 'preact';
import type { AskView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { hiddenCharacters } from '../markdown/visibleText.ts';
import type { AskControl } from './askFrame.tsx';

/** Longer input is shown and not offered for change: a text field of that size would stop the page. */
export const longestEditable = 200_000;

/** What runs, as text that can be changed. What is wrong with it is said at once. */
export function EditableInput({ control }: { control: AskControl }): JSX.Element | null {
  const app = useApp();
  const { editable } = control.ask;
  if (editable === undefined || editable.value.length > longestEditable) return null;
  const { edited, sent, fromBefore } = control.draft.value;
  const value = edited ?? editable.value;
  const problem = inputProblem(app, control.ask, value);
  const hidden = hiddenCharacters(value);
  const label = app.t(editable.field === 'command' ? 'commandField' : 'inputField');
  return (
    <div class="ask-field">
      <textarea
        class="ask-input ask-code"
        dir="ltr"
        aria-label={label}
        aria-invalid={problem !== undefined}
        spellcheck={false}
        autocomplete="off"
        rows={1}
        disabled={sent}
        value={value}
        onInput={event => control.change({ edited: event.currentTarget.value })}
      />
      {value !== editable.value && (
        <button type="button" class="link-button ask-undo" onClick={() => control.change({ edited: editable.value })}>
          {app.t('undoMyChanges')}
        </button>
      )}
      {fromBefore === true && value !== editable.value && <p class="ask-description">{app.t('changedBefore')}</p>}
      {problem !== undefined && (
        <p class="ask-problem" role="alert">
          {problem}
        </p>
      )}
      {hidden.length > 0 && (
        <p class="ask-problem" role="alert">
          {app.t('hiddenCharacters', hidden.join(', '))}
        </p>
      )}
    </div>
  );
}

/** Why the text cannot be run as it is. */
export function inputProblem(app: ViewApp, ask: AskView, value: string): string | undefined {
  if (ask.editable === undefined || value === ask.editable.value) return undefined;
  if (ask.editable.field === 'command') return value.trim() === '' ? app.t('emptyCommand') : undefined;
  try {
    const parsed: unknown = JSON.parse(value);
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
    return isObject ? undefined : app.t('inputNotObject');
  } catch (error) {
    return app.t('invalidJson', error instanceof Error ? error.message : String(error));
  }
}

interface LineFieldProps {
  readonly control: AskControl;
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Enter in a field that is not empty. */
  readonly onEnter?: () => void;
}

/** A line of free text that grows when it needs to. */
export function LineField({ control, label, value, onChange, onEnter }: LineFieldProps): JSX.Element {
  return (
    <textarea
      class="ask-input"
      dir="auto"
      aria-label={label}
      placeholder={label}
      rows={1}
      disabled={control.draft.value.sent}
      value={value}
      onInput={event => onChange(event.currentTarget.value)}
      onKeyDown={event => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !onEnter) return;
        event.preventDefault();
        if (value.trim() !== '') onEnter();
      }}
    />
  );
}
