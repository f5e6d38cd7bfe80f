import type { JSX, TargetedDragEvent, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { useApp } from '../app/viewApp.ts';
import { Icon } from '../parts/icon.tsx';
import { attachImage, filesFromUriList } from './attachFiles.ts';
import { AttachmentChips } from './attachmentChips.tsx';
import { ComposerToolbar } from './composerToolbar.tsx';
import { Draft } from './draft.ts';
import { keyAction } from './keys.ts';
import { SuggestionBox, suggestionId } from './suggestionBox.tsx';
import { Suggestions } from './suggestions.ts';
import type { Suggestion } from './suggestions.ts';
import { argumentHint, complete } from './trigger.ts';
import { attachProblem } from './attachProblem.ts';

const listId = 'composer-suggestions';

/** Where the person writes. */
export function Composer(): JSX.Element {
  const app = useApp();
  const draft = useMemo(() => new Draft(app), [app]);
  const suggestions = useMemo(() => new Suggestions(app), [app]);
  const area = useRef<HTMLTextAreaElement>(null);
  /** Where the caret has to be once the text is in the page. */
  const caret = useRef<number | undefined>(undefined);
  const problem = useSignal<string | undefined>(undefined);
  const dropping = useSignal(false);
  const text = app.state.draft.value;
  const list = suggestions.list.value;

  useLayoutEffect(() => {
    if (caret.current === undefined || !area.current) return;
    area.current.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  useEffect(() => {
    const listening = [
      app.onComposerAction(action => {
        caret.current = draft.take(action, area.current?.selectionStart ?? draft.text.length);
        area.current?.focus();
      }),
      app.onFocus(target => {
        if (target === 'composer') area.current?.focus();
      }),
    ];
    return () => {
      for (const one of listening) one.dispose();
      suggestions.dispose();
    };
  }, [app, draft, suggestions]);

  const pick = (entry: Suggestion): void => {
    const open = suggestions.list.peek();
    if (!open) return;
    const done = complete(draft.text, open.trigger, entry.insert);
    draft.text = done.text;
    caret.current = done.caret;
    area.current?.focus();
    if (entry.goesOn) suggestions.update(done.text, done.caret);
    else suggestions.close();
  };
  const submit = (): void => {
    if (draft.send(false)) problem.value = undefined;
    suggestions.close();
    area.current?.focus();
  };
  const attach = async (files: readonly File[]): Promise<void> => {
    problem.value = undefined;
    for (const file of files) {
      const result = await attachImage(file, () => crypto.randomUUID());
      if (result.type === 'attached') draft.attach([result.attachment]);
      else problem.value = attachProblem(app, result);
    }
  };
  const look = (): void => {
    const element = area.current;
    if (element) suggestions.update(element.value, element.selectionStart);
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLTextAreaElement>): void => {
    const element = event.currentTarget;
    const action = keyAction(event, {
      sendKey: app.sync.options.peek().sendKey,
      listOpen: suggestions.list.peek() !== undefined,
      onFirstLine: !element.value.slice(0, element.selectionStart).includes('\n'),
      onLastLine: !element.value.slice(element.selectionEnd).includes('\n'),
    });
    switch (action) {
      case 'send':
        submit();
        break;
      case 'pick': {
        const open = suggestions.list.peek();
        const entry = open?.entries[open.active];
        if (entry) pick(entry);
        break;
      }
      case 'next':
        suggestions.move(1);
        break;
      case 'previous':
        suggestions.move(-1);
        break;
      case 'dismiss':
        suggestions.dismiss();
        break;
      case 'older':
        if (!draft.older()) return;
        caret.current = draft.text.length;
        break;
      case 'newer':
        if (!draft.newer()) return;
        caret.current = draft.text.length;
        break;
      case undefined:
        return;
    }
    event.preventDefault();
  };
  const onDrop = (event: TargetedDragEvent<HTMLDivElement>): void => {
    event.preventDefault();
    dropping.value = false;
    const data = event.dataTransfer;
    if (!data) return;
    const uris = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
    const files = filesFromUriList(uris, () => crypto.randomUUID());
    if (files.length > 0) draft.attach(files);
    else attach([...data.files]).catch((error: unknown) => app.fault(error));
  };

  const hint = argumentHint(app.sync.session.value.commands, text);
  return (
    <div
      class={`composer${dropping.value ? ' composer-drop' : ''}`}
      onDragOver={event => {
        event.preventDefault();
        dropping.value = true;
      }}
      onDragLeave={() => (dropping.value = false)}
      onDrop={onDrop}
    >
      {list && <SuggestionBox id={listId} list={list} onPick={pick} />}
      {problem.value !== undefined && (
        <div class="composer-problem" role="alert">
          <Icon name="warning" />
          <span>{problem.value}</span>
        </div>
      )}
      <AttachmentChips attachments={app.state.attachments.value} onRemove={one => draft.remove(one)} />
      <div class="composer-field">
        <textarea
          ref={area}
          class="composer-text"
          rows={1}
          dir="auto"
          aria-label={app.t('composerName')}
          placeholder={app.t('composerPlaceholder')}
          aria-autocomplete="list"
          aria-controls={list ? listId : undefined}
          aria-activedescendant={list ? suggestionId(listId, list.active) : undefined}
          value={text}
          onInput={event => {
            draft.text = event.currentTarget.value;
            look();
          }}
          onKeyDown={onKeyDown}
          onClick={look}
          onBlur={() => suggestions.close()}
          onPaste={event => {
            const files = [...(event.clipboardData?.files ?? [])];
            if (files.length === 0) return;
            event.preventDefault();
            attach(files).catch((error: unknown) => app.fault(error));
          }}
        />
        <div class="composer-placeholder" aria-hidden="true">
          {app.t('composerPlaceholder')}
        </div>
      </div>
      {hint !== undefined && <div class="composer-hint">{hint}</div>}
      <ComposerToolbar
        canSend={text.trim() !== '' || app.state.attachments.value.length > 0}
        onSend={submit}
        onAddContext={() => {
          caret.current = draft.take({ type: 'insertText', text: '@' }, area.current?.selectionStart ?? text.length);
          area.current?.focus();
          suggestions.update(draft.text, caret.current);
        }}
      />
    </div>
  );
}
