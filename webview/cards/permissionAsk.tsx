import type { JSX } from 'preact';
import type { DiffHunk, ToolCard } from '../../src/bridge/toolCard.ts';
import type { AskView, ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { PlaceLink } from '../markdown/placeLink.tsx';
import { visibleCode } from '../markdown/visibleText.ts';
import { Icon } from '../parts/icon.tsx';
import { EditableInput, inputProblem, LineField, longestEditable } from './askFields.tsx';
import { AskButton, AskFrame } from './askFrame.tsx';
import type { AskControl } from './askFrame.tsx';
import { CutTextView } from './cutTextView.tsx';
import { DiffCount, DiffView } from './diffView.tsx';
import { FileLinkView } from './fileLinkView.tsx';
import { verbOf } from './words.ts';

type Edit = Extract<ToolCard, { readonly type: 'edit' }>;

/** May a tool do what it is about to do? */
export function PermissionAsk({ tool, ask }: { tool: ToolView; ask: AskView }): JSX.Element {
  const app = useApp();
  return (
    <AskFrame
      key={ask.askId}
      ask={ask}
      name={app.t('permissionGroup', tool.name)}
      what={control => <WhatWillHappen tool={tool} control={control} />}
      buttons={control => <Buttons tool={tool} control={control} />}
      below={control => <Below control={control} />}
    />
  );
}

function WhatWillHappen({ tool, control }: { tool: ToolView; control: AskControl }): JSX.Element {
  const app = useApp();
  const { ask } = control;
  const { card } = tool;
  if (card.type === 'edit') {
    return (
      <>
        <div class="card-head">
          <Icon name={card.created ? 'new-file' : 'edit'} />
          <span class="card-title">
            {verbOf(app.t(card.created ? 'createdFile' : 'editedFile'))} <FileLinkView file={card.file} />
          </span>
          <DiffCount {...countOf(card, control.draft.value.leftOut)} />
        </div>
        <AskDiff tool={tool} card={card} control={control} />
      </>
    );
  }
  return (
    <>
      <div class="card-head">
        <Icon name={card.type === 'shell' ? 'terminal' : card.type === 'web' ? 'globe' : 'tools'} />
        <span class="card-title" dir="auto">
          {visibleCode(ask.title)}
        </span>
      </div>
      <div class="ask-what">
        {ask.description !== undefined && (
          <p class="ask-description" dir="auto">
            {visibleCode(ask.description)}
          </p>
        )}
        <EditableInput control={control} />
        {ask.cwd !== undefined && (
          <p class="ask-place" dir="ltr">
            {app.t('workingDirectory', visibleCode(ask.cwd))}
          </p>
        )}
        <LongInput tool={tool} control={control} />
      </div>
    </>
  );
}

/** Input that is too long for a field, or that the host offers no field for. */
function LongInput({ tool, control }: { tool: ToolView; control: AskControl }): JSX.Element | null {
  const app = useApp();
  const { card } = tool;
  const { editable } = control.ask;
  if (editable !== undefined && editable.value.length <= longestEditable) return null;
  const cut =
    card.type === 'mcp' || card.type === 'other'
      ? card.input
      : editable && { text: editable.value.slice(0, 16_000), omitted: editable.value.length - 16_000 };
  if (cut === undefined) return null;
  return <CutTextView itemId={tool.id} part="input" cut={cut} label={app.t('input')} />;
}

function AskDiff({ tool, card, control }: { tool: ToolView; card: Edit; control: AskControl }): JSX.Element {
  const app = useApp();
  const { leftOut, sent } = control.draft.value;
  const toggle = (index: number): void => {
    const state = card.hunks[index]?.state;
    if (state !== undefined) {
      // The right side of the diff is the truth; the tick follows it.
      app.post({ type: 'chooseHunk', askId: control.ask.askId, hunk: index, take: state !== 'taken' });
      return;
    }
    const next = leftOut.includes(index) ? leftOut.filter(one => one !== index) : [...leftOut, index];
    control.change({ leftOut: next.sort((a, b) => a - b) });
  };
  return (
    <DiffView
      file={card.file}
      hunks={card.hunks}
      omittedLines={card.omittedLines}
      foldKey={`diff:${tool.id}`}
      isLeftOut={index => stateOf(card, leftOut, index) === 'left'}
      {...(card.created
        ? {}
        : {
            hunkHead: (hunk: DiffHunk, index: number) => (
              <HunkChoice
                path={card.file.path}
                hunk={hunk}
                state={stateOf(card, leftOut, index)}
                disabled={sent}
                onToggle={control.meant(() => toggle(index))}
              />
            ),
          })}
    />
  );
}

/** Lines that will be written. The host counts without the hunks it knows to be left out; the card takes off its own. */
function countOf(card: Edit, leftOut: readonly number[]): { added: number; removed: number } {
  const ours = card.hunks.filter((hunk, index) => hunk.state === undefined && leftOut.includes(index));
  const count = (type: 'added' | 'removed'): number =>
    ours.reduce((sum, hunk) => sum + hunk.lines.filter(line => line.type === type).length, 0);
  return { added: card.added - count('added'), removed: card.removed - count('removed') };
}

type HunkState = NonNullable<DiffHunk['state']>;

/** Where the host does not say, the draft of the card does. */
function stateOf(card: Edit, leftOut: readonly number[], index: number): HunkState {
  return card.hunks[index]?.state ?? (leftOut.includes(index) ? 'left' : 'taken');
}

interface HunkChoiceProps {
  readonly path: string;
  readonly hunk: DiffHunk;
  readonly state: HunkState;
  readonly disabled: boolean;
  readonly onToggle: () => void;
}

function HunkChoice({ path, hunk, state, disabled, onToggle }: HunkChoiceProps): JSX.Element {
  const app = useApp();
  const line = Math.max(1, hunk.line);
  return (
    <div class="hunk-head">
      <input
        type="checkbox"
        aria-label={app.t('hunkAtLine', line)}
        checked={state === 'taken'}
        indeterminate={state === 'changed'}
        disabled={disabled}
        onClick={event => {
          // The draft alone decides what is ticked.
          event.preventDefault();
          onToggle();
        }}
      />
      <PlaceLink place={{ path, line }}>{app.t('lineNumber', line)}</PlaceLink>
      {state === 'left' && <span>{app.t('leftOut')}</span>}
      {state === 'changed' && <span>{app.t('hunkChanged')}</span>}
    </div>
  );
}

function Buttons({ tool, control }: { tool: ToolView; control: AskControl }): JSX.Element {
  const app = useApp();
  const { ask, draft } = control;
  const { edited, reason, checked } = draft.value;
  const blocked = allowProblem(tool, control) !== undefined || !isInputGood(app, control);
  const key = `always:${ask.askId}`;
  const open = app.expansion(key).value;
  const mayAllow = !blocked && (ask.oneClick || checked);
  return (
    <>
      <AskButton
        control={control}
        kind={ask.suggestAllow ? 'primary' : 'secondary'}
        label={app.t('allow')}
        disabled={!mayAllow}
        onPress={() => allow(control)}
      />
      <AskButton
        control={control}
        kind="secondary"
        label={app.t('deny')}
        onPress={() => control.answer({ type: 'deny', reason, stop: false })}
      />
      {ask.hasDiff && (
        <AskButton
          control={control}
          kind="secondary"
          label={app.t('showDiff')}
          onPress={() => app.post({ type: 'showProposal', askId: ask.askId })}
        />
      )}
      {ask.always.length > 0 && (
        <AskButton
          control={control}
          kind="link"
          label={app.t('alwaysAllow')}
          expanded={open}
          disabled={!mayAllow}
          onPress={() => app.state.toggle(key)}
        />
      )}
      {blocked && edited === undefined && <p class="ask-problem">{allowProblem(tool, control) ?? ''}</p>}
    </>
  );
}

function isInputGood(app: ReturnType<typeof useApp>, control: AskControl): boolean {
  const { edited } = control.draft.value;
  return edited === undefined || inputProblem(app, control.ask, edited) === undefined;
}

/** Why nothing would happen on Allow. */
function allowProblem(tool: ToolView, control: AskControl): string | undefined {
  const app = useApp();
  const { card } = tool;
  if (card.type !== 'edit' || card.hunks.length === 0 || card.omittedLines > 0) return undefined;
  const { leftOut } = control.draft.value;
  const allLeft = card.hunks.every((_, index) => stateOf(card, leftOut, index) === 'left');
  return allLeft ? app.t('everyHunkLeftOut') : undefined;
}

function allow(control: AskControl, always?: number): void {
  const { edited, leftOut } = control.draft.peek();
  const changed = edited !== undefined && edited !== control.ask.editable?.value;
  control.answer({
    type: 'allow',
    ...(changed ? { edited } : {}),
    ...(leftOut.length > 0 ? { leftOut: [...leftOut] } : {}),
    ...(always === undefined ? {} : { always: [always] }),
  });
}

function Below({ control }: { control: AskControl }): JSX.Element {
  const app = useApp();
  const { ask, draft } = control;
  const { reason, checked, sent } = draft.value;
  const open = app.expansion(`always:${ask.askId}`).value;
  const deny = (stop: boolean): void => control.answer({ type: 'deny', reason, stop });
  return (
    <>
      {open && ask.always.length > 0 && (
        <ul class="always" aria-label={app.t('alwaysAllowList')}>
          {ask.always.map(({ index, label, where }) => (
            <li key={index}>
              <button
                type="button"
                class="always-choice"
                disabled={sent || !isInputGood(app, control) || !(ask.oneClick || checked)}
                onClick={control.meant(() => allow(control, index))}
              >
                <span dir="auto">{visibleCode(label)}</span>
                <span class="choice-description">{where}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {!ask.oneClick && (
        <label class="choice">
          <input
            type="checkbox"
            checked={checked}
            disabled={sent}
            onInput={event => control.change({ checked: event.currentTarget.checked })}
          />
          <span>{app.t('checkedThis')}</span>
        </label>
      )}
      <div class="ask-reason">
        <LineField
          control={control}
          label={app.t('tellWhy')}
          value={reason}
          onChange={value => control.change({ reason: value })}
          onEnter={control.meant(() => deny(false))}
        />
        <AskButton control={control} kind="link" label={app.t('denyAndStop')} onPress={() => deny(true)} />
      </div>
    </>
  );
}
