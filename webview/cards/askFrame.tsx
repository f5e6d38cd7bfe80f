import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Signal } from '@preact/signals';
import type { ViewAnswer } from '../../src/bridge/viewMessages.ts';
import type { AskNote, AskView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { visibleCode } from '../markdown/visibleText.ts';
import { Icon } from '../parts/icon.tsx';
import { AccidentGuard } from './accidentGuard.ts';
import { askDraft } from './askDrafts.ts';
import type { AskDraft } from './askDrafts.ts';

/** When the host has not closed the question by then, it was not taken: the card can be used again. */
const answerTime = 4_000;
/** A press that could not have been meant is said to be ignored for so long. */
const ignoredTime = 2_500;

/** What the parts of an ask card share. */
export interface AskControl {
  readonly ask: AskView;
  readonly draft: Signal<AskDraft>;
  change(change: Partial<AskDraft>): void;
  /** Runs only when the press can have been meant. */
  meant(action: () => void): () => void;
  answer(answer: ViewAnswer): void;
}

interface FrameProps {
  readonly ask: AskView;
  readonly name: string;
  readonly what: (control: AskControl) => ComponentChildren;
  readonly buttons: (control: AskControl) => ComponentChildren;
  /** Fields that belong to the buttons and may grow without moving them. */
  readonly below?: (control: AskControl) => ComponentChildren;
}

/** An open question: what will happen, why it is asked, what can be done, in this order. It never takes the keyboard. */
export function AskFrame({ ask, name, what, buttons, below }: FrameProps): JSX.Element {
  const app = useApp();
  const card = useRef<HTMLDivElement>(null);
  const row = useRef<HTMLDivElement>(null);
  const guard = useMemo(() => new AccidentGuard(), [ask.askId]);
  const [ignored, ignore] = useBriefly(ignoredTime);
  const control = useControl(ask, guard, ignore);
  useLayoutEffect(() => {
    if (!card.current || !row.current) return undefined;
    const attached = guard.attach(card.current, row.current);
    return () => attached.dispose();
  }, [guard]);
  useEffect(() => {
    const focus = app.onFocus(target => {
      if (typeof target !== 'object' || target.askId !== ask.askId) return;
      card.current?.scrollIntoView({ block: 'nearest' });
      card.current?.focus();
    });
    return () => focus.dispose();
  }, [app, ask.askId]);
  return (
    <div ref={card} class="card ask" role="group" aria-label={name} tabIndex={-1} data-ask={ask.askId}>
      {what(control)}
      <div class="ask-body">
        <AskNotes notes={ask.notes ?? []} />
        <WhyAsked ask={ask} />
        <div ref={row} class="buttons ask-buttons">
          {buttons(control)}
          <span class="ask-ignored" role="status">
            {ignored && app.t('notMeant')}
          </span>
        </div>
        {below?.(control)}
      </div>
    </div>
  );
}

/** What to know before deciding: said before the buttons, not after. */
function AskNotes({ notes }: { notes: readonly AskNote[] }): JSX.Element | null {
  if (notes.length === 0) return null;
  return (
    <ul class="ask-notes">
      {notes.map(({ level, text }) => (
        <li key={text} class={`ask-note ask-note-${level}`} dir="auto">
          <Icon name={level} />
          <span>{visibleCode(text)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Something that is so for a moment after it was called for. */
function useBriefly(time: number): readonly [boolean, () => void] {
  const [since, setSince] = useState<number | undefined>(undefined);
  useEffect(() => {
    if (since === undefined) return undefined;
    const timer = setTimeout(() => setSince(undefined), time);
    return () => clearTimeout(timer);
  }, [since, time]);
  return [since !== undefined, () => setSince(Date.now())];
}

/** Longer inputs are not kept for a question that may come again. */
const longestAbout = 20_000;

/** What is asked, of which session; `undefined` where nothing can be changed. */
function aboutOf(app: ViewApp, { title, editable }: AskView): string | undefined {
  if (editable === undefined || editable.value.length > longestAbout) return undefined;
  return JSON.stringify([app.sync.session.peek().resume?.sessionId, title, editable.value]);
}

function useControl(ask: AskView, guard: AccidentGuard, onIgnored: () => void): AskControl {
  const app = useApp();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const draft = askDraft(app, ask.askId, aboutOf(app, ask));
  const change = (part: Partial<AskDraft>): void => {
    draft.value = { ...draft.peek(), ...part };
  };
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      // Whoever sees the card again may answer again.
      if (draft.peek().sent) draft.value = { ...draft.peek(), sent: false };
    },
    [draft],
  );
  return {
    ask,
    draft,
    change,
    meant: action => () => {
      if (draft.peek().sent) return;
      if (guard.isMeant()) action();
      else onIgnored();
    },
    answer(answer) {
      change({ sent: true });
      app.post({ type: 'answer', askId: ask.askId, answer });
      timer.current = setTimeout(() => change({ sent: false }), answerTime);
    },
  };
}

function WhyAsked({ ask }: { ask: AskView }): JSX.Element | null {
  const app = useApp();
  const key = `why:${ask.askId}`;
  const open = app.expansion(key).value;
  const { reason, cwd, description, fromSubagent } = ask;
  const details = [
    reason?.text,
    fromSubagent ? app.t('askedBySubagent') : undefined,
    description,
    cwd === undefined ? undefined : app.t('workingDirectory', cwd),
  ].filter(detail => detail !== undefined);
  if (details.length === 0) return null;
  return (
    <div class="why">
      {!open && reason?.usual === false && (
        <span class="why-short" dir="auto">
          {visibleCode(reason.text)}{' '}
        </span>
      )}
      <button type="button" class="link-button" aria-expanded={open} onClick={() => app.state.toggle(key)}>
        {app.t('whyAsked')}
      </button>
      {open && (
        <ul class="why-details">
          {details.map(detail => (
            <li key={detail} dir="auto">
              {visibleCode(detail)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface AskButtonProps {
  readonly control: AskControl;
  readonly label: string;
  readonly onPress: () => void;
  readonly kind: 'primary' | 'secondary' | 'link';
  readonly disabled?: boolean;
  readonly expanded?: boolean;
}

/** A button of an ask card: it does nothing before it can have been meant. */
export function AskButton({ control, label, onPress, kind, disabled, expanded }: AskButtonProps): JSX.Element {
  const name = kind === 'link' ? 'link-button' : kind === 'primary' ? 'button' : 'button button-secondary';
  return (
    <button
      type="button"
      class={name}
      disabled={disabled === true}
      // Not `disabled`: that would take the keyboard away from where the person is.
      aria-disabled={control.draft.value.sent}
      aria-expanded={expanded}
      onClick={control.meant(onPress)}
    >
      {label}
    </button>
  );
}
