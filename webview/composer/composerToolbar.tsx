import type { JSX } from 'preact';
import type { ChoiceView, SessionView } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { Choices } from '../parts/choiceMenu.tsx';
import { Icon } from '../parts/icon.tsx';
import { IconButton } from '../parts/iconButton.tsx';
import { PopupButton } from '../parts/popup.tsx';
import { ContextMeter } from './contextMeter.tsx';

interface ToolbarProps {
  readonly canSend: boolean;
  readonly onSend: () => void;
  readonly onAddContext: () => void;
}

/** Below the text: what the agent runs with, what it has used, and the way to send or stop. */
export function ComposerToolbar({ canSend, onSend, onAddContext }: ToolbarProps): JSX.Element {
  const app = useApp();
  const session = app.sync.session.value;
  const runs = session.state === 'working' || session.state === 'awaitingPermission';
  return (
    <div class="composer-bar">
      <IconButton icon="add" class="add-context" label={app.t('addContext')} onClick={onAddContext} />
      <div class="composer-choices">
        <Picks session={session} />
      </div>
      <ContextMeter session={session} />
      {runs && (
        <button
          type="button"
          class={`round-button${canSend ? ' round-secondary' : ''}`}
          aria-label={app.t('stop')}
          title={app.t('stop')}
          onClick={() => app.post({ type: 'stop' })}
        >
          <span class="stop-mark" aria-hidden="true" />
        </button>
      )}
      {(!runs || canSend) && (
        <button
          type="button"
          class="round-button"
          aria-label={app.t('send')}
          title={app.t(runs ? 'sendQueues' : 'send')}
          aria-disabled={!canSend}
          onClick={onSend}
        >
          <Icon name="arrow-up" />
        </button>
      )}
    </div>
  );
}

function Picks({ session }: { session: SessionView }): JSX.Element {
  const app = useApp();
  const modelLabel = session.model.label || app.t('defaultChoice');
  const modeLabel = labelOf(session.modes, session.mode) || app.t('defaultChoice');
  return (
    <>
      <PopupButton
        label={app.t('modelButton', modelLabel)}
        kind="menu"
        face={<Face text={modelLabel} />}
        disabled={session.models.length === 0}
      >
        {close => (
          <Choices
            choices={session.models}
            value={session.model.value}
            onChoose={value => {
              app.post({ type: 'setModel', value });
              close();
            }}
          />
        )}
      </PopupButton>
      <PopupButton
        label={app.t('modeButton', modeLabel)}
        kind="menu"
        face={<Face text={modeLabel} />}
        disabled={session.modes.length === 0}
      >
        {close => (
          <Choices
            choices={session.modes}
            value={session.mode}
            onChoose={value => {
              app.post({ type: 'setMode', value });
              close();
            }}
          />
        )}
      </PopupButton>
      <EffortPick session={session} />
    </>
  );
}

/** Effort stands on its own where there is room, and behind the dots where there is not. */
function EffortPick({ session }: { session: SessionView }): JSX.Element | null {
  const app = useApp();
  if (session.efforts.length === 0) return null;
  const label = session.effort === undefined ? app.t('defaultChoice') : labelOf(session.efforts, session.effort);
  const name = app.t('effortButton', label);
  const menu = (close: () => void): JSX.Element => (
    <Choices
      choices={session.efforts}
      value={session.effort}
      onChoose={value => {
        app.post({ type: 'setEffort', value });
        close();
      }}
    />
  );
  return (
    <>
      <PopupButton class="only-wide" label={name} kind="menu" face={<Face text={name} />}>
        {menu}
      </PopupButton>
      <PopupButton class="only-narrow" label={name} kind="menu" face={<Icon name="ellipsis" />}>
        {close => (
          <>
            <div class="popup-heading" aria-hidden="true">
              {name}
            </div>
            {menu(close)}
          </>
        )}
      </PopupButton>
    </>
  );
}

function Face({ text }: { text: string }): JSX.Element {
  return (
    <>
      <span class="bar-text">{text}</span>
      <Icon name="chevron-down" />
    </>
  );
}

function labelOf(choices: readonly ChoiceView[], value: string): string {
  return choices.find(choice => choice.value === value)?.label ?? value;
}
