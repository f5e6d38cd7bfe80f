import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ChoiceView } from '../../src/bridge/sessionView.ts';
import type { AskView, ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { Markdown } from '../markdown/markdown.tsx';
import { Icon } from '../parts/icon.tsx';
import { LineField } from './askFields.tsx';
import { AskButton, AskFrame } from './askFrame.tsx';
import type { AskControl } from './askFrame.tsx';

/** Modes in which a plan can be carried out. */
const following = new Set(['default', 'acceptEdits', 'auto']);

/** The agent has a plan: approve it, change it, or say what is missing. */
export function PlanAsk({ tool, ask }: { tool: ToolView; ask: AskView }): JSX.Element {
  const app = useApp();
  const plan = tool.card.type === 'plan' ? tool.card.markdown : '';
  const [needsWord, setNeedsWord] = useState(false);
  return (
    <AskFrame
      key={ask.askId}
      ask={ask}
      name={app.t('planGroup')}
      what={control => <PlanText plan={plan} control={control} />}
      buttons={control => (
        <>
          <AskButton
            control={control}
            kind={ask.suggestAllow ? 'primary' : 'secondary'}
            label={app.t('approvePlan')}
            onPress={() => approve(app, plan, control)}
          />
          <AskButton
            control={control}
            kind="secondary"
            label={app.t('keepPlanning')}
            onPress={() => setNeedsWord(!keepPlanning(tool, plan, control))}
          />
          <ModeChoice control={control} />
        </>
      )}
      below={control => (
        <div class="ask-field">
          <LineField
            control={control}
            label={app.t('planFeedback')}
            value={control.draft.value.reason}
            onChange={reason => control.change({ reason })}
          />
          {needsWord && control.draft.value.reason.trim() === '' && (
            <p class="ask-problem" role="alert">
              {app.t('planFeedbackNeeded')}
            </p>
          )}
        </div>
      )}
    />
  );
}

/** False: nothing was said, neither in words nor beside or in the plan. */
function keepPlanning({ card }: ToolView, plan: string, control: AskControl): boolean {
  const reason = control.draft.peek().reason.trim();
  const changed = changedPlan(plan, control);
  const inDocument = card.type === 'plan' && (card.edited || (card.comments ?? 0) > 0);
  if (reason === '' && changed.plan === undefined && !inDocument) return false;
  control.answer({ type: 'deny', reason, stop: false, ...changed });
  return true;
}

/** The plan as changed on the card; what was changed in the document the host knows itself. */
function changedPlan(plan: string, control: AskControl): { readonly plan?: string } {
  const { plan: edited } = control.draft.peek();
  return edited === undefined || edited === plan ? {} : { plan: edited };
}

function approve(app: ViewApp, plan: string, control: AskControl): void {
  const { mode } = control.draft.peek();
  const next = mode ?? modesAfter(app)[0]?.value;
  control.answer({
    type: 'plan',
    ...changedPlan(plan, control),
    ...(next === undefined ? {} : { mode: next }),
  });
}

function modesAfter(app: ViewApp): readonly ChoiceView[] {
  return app.sync.session.value.modes.filter(mode => following.has(mode.value));
}

function PlanText({ plan, control }: { plan: string; control: AskControl }): JSX.Element {
  const app = useApp();
  const { plan: edited, editingPlan, sent } = control.draft.value;
  const text = edited ?? plan;
  return (
    <>
      <div class="card-head">
        <Icon name="list-ordered" />
        <span class="card-title">{app.t('planGroup')}</span>
        {edited === undefined && !editingPlan && (
          <button
            type="button"
            class="link-button"
            onClick={() => app.post({ type: 'showProposal', askId: control.ask.askId })}
          >
            {app.t('openPlanInEditor')}
          </button>
        )}
        <button
          type="button"
          class="link-button"
          aria-pressed={editingPlan}
          onClick={() => control.change({ editingPlan: !editingPlan })}
        >
          {app.t(editingPlan ? 'showPlan' : 'editPlan')}
        </button>
      </div>
      <div class="ask-what plan">
        {editingPlan ? (
          <textarea
            class="ask-input ask-code plan-input"
            dir="auto"
            aria-label={app.t('planText')}
            disabled={sent}
            value={text}
            onInput={event => control.change({ plan: event.currentTarget.value })}
          />
        ) : text.trim() === '' ? (
          <p class="ask-description">{app.t('emptyPlan')}</p>
        ) : (
          <Markdown text={text} streaming={false} of={control.ask.askId} />
        )}
      </div>
    </>
  );
}

function ModeChoice({ control }: { control: AskControl }): JSX.Element | null {
  const app = useApp();
  const modes = modesAfter(app);
  if (modes.length < 2) return null;
  return (
    <label class="ask-mode">
      <span>{app.t('modeAfterPlan')}</span>
      <select
        class="ask-select"
        aria-label={app.t('modeAfterPlan')}
        disabled={control.draft.value.sent}
        value={control.draft.value.mode ?? modes[0]?.value}
        onChange={event => control.change({ mode: event.currentTarget.value })}
      >
        {modes.map(mode => (
          <option key={mode.value} value={mode.value}>
            {mode.label}
          </option>
        ))}
      </select>
    </label>
  );
}
