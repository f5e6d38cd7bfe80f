import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import type { ViewOptions } from '../../src/bridge/hostMessages.ts';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { AttachmentChips } from './attachmentChips.tsx';
import { ComposerControl } from './composerControl.ts';
import { ComposerToolbar } from './composerToolbar.tsx';
import { SuggestionBox, suggestionId } from './suggestionBox.tsx';
import { argumentHint } from './trigger.ts';

const listId = 'composer-suggestions';

/** Where the person writes. */
export function Composer(): JSX.Element {
  const app = useApp();
  const control = useMemo(() => new ComposerControl(app), [app]);
  const dropping = useSignal(false);
  useEffect(() => {
    const started = control.start();
    return () => started.dispose();
  }, [control]);

  const text = app.state.draft.value;
  const attachments = app.state.attachments.value;
  const list = control.suggestions.list.value;
  const hint = argumentHint(app.sync.session.value.commands, text);
  return (
    <div
      class={`composer${dropping.value ? ' composer-drop' : ''}`}
      onDragOver={event => {
        event.preventDefault();
        dropping.value = true;
      }}
      onDragLeave={() => (dropping.value = false)}
      onDrop={event => {
        event.preventDefault();
        dropping.value = false;
        if (event.dataTransfer) control.take(event.dataTransfer);
      }}
    >
      {list && <SuggestionBox id={listId} list={list} onPick={entry => control.pick(entry)} />}
      {control.draft.problem.value !== undefined && (
        <div class="composer-problem" role="alert">
          <Icon name="warning" />
          <span>{control.draft.problem.value}</span>
        </div>
      )}
      <AttachmentChips
        selection={app.selectionFor(text)}
        attachments={attachments}
        onRemove={one => control.draft.remove(one)}
      />
      <TextField control={control} />
      {hint !== undefined && <div class="composer-hint">{hint}</div>}
      <ComposerToolbar
        canSend={(text.trim() !== '' || attachments.length > 0) && app.drafts.ready.value}
        onSend={() => control.submit()}
        onAddContext={() => control.addContext()}
      />
    </div>
  );
}

function TextField({ control }: { control: ComposerControl }): JSX.Element {
  const app = useApp();
  const list = control.suggestions.list.value;
  const { state } = app.sync.session.value;
  const placeholder =
    state === 'working' || state === 'awaitingPermission'
      ? app.t('queuePlaceholder', sendKeyName(app.sync.options.value.sendKey))
      : app.t('composerPlaceholder');
  useLayoutEffect(() => control.drawn());
  return (
    <div class="composer-field">
      <textarea
        ref={field => control.attachTo(field)}
        class="composer-text"
        rows={1}
        dir="auto"
        aria-label={app.t('composerName')}
        placeholder={placeholder}
        aria-autocomplete="list"
        aria-controls={list ? listId : undefined}
        aria-activedescendant={list ? suggestionId(listId, list.active) : undefined}
        value={app.state.draft.value}
        onInput={event => control.input(event.currentTarget.value)}
        onKeyDown={event => {
          if (control.press(event)) event.preventDefault();
        }}
        onClick={() => control.look()}
        onBlur={() => control.suggestions.close()}
        onPaste={event => {
          if (event.clipboardData && control.take(event.clipboardData)) event.preventDefault();
        }}
      />
      <div class="composer-placeholder" aria-hidden="true">
        {placeholder}
      </div>
    </div>
  );
}

/** The key that sends, as it is written on the keyboard. */
function sendKeyName(sendKey: ViewOptions['sendKey']): string {
  if (sendKey === 'enter') return 'Enter';
  return /^Mac/.test(navigator.platform) ? '⌘Enter' : 'Ctrl+Enter';
}
