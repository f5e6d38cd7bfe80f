import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import '../styles/find.css';
import { useApp } from '../app/viewApp.ts';
import type { Scroller } from '../list/scroller.ts';
import { IconButton } from '../parts/iconButton.tsx';
import { Finder } from './finder.ts';

/** A pause in the conversation's growth after which matches are counted again. */
const growPause = 500;

/** The search of the conversation, once somebody asks for it. */
export function Find({ scroller }: { scroller: Scroller }): JSX.Element | null {
  const app = useApp();
  const [open, setOpen] = useState(false);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const listening = app.onFocus(target => {
      if (target !== 'find') return;
      setOpen(true);
      setAsked(count => count + 1);
    });
    const onKey = (event: KeyboardEvent): void => {
      if (!isFindKey(event)) return;
      event.preventDefault();
      // VS Code does not know which of its views has the keyboard when that is in a page, and would search an editor.
      event.stopPropagation();
      app.focus('find');
    };
    document.addEventListener('keydown', onKey, { capture: true });
    return () => {
      listening.dispose();
      document.removeEventListener('keydown', onKey, { capture: true });
    };
  }, [app]);
  return open ? <FindBar scroller={scroller} asked={asked} onClose={() => setOpen(false)} /> : null;
}

function isFindKey(event: KeyboardEvent): boolean {
  const mac = navigator.platform.startsWith('Mac');
  const main = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  return main && !event.altKey && !event.shiftKey && !event.isComposing && event.key.toLowerCase() === 'f';
}

interface FindBarProps {
  readonly scroller: Scroller;
  /** How often it was asked for: each time the field gets the keyboard. */
  readonly asked: number;
  readonly onClose: () => void;
}

function FindBar({ scroller, asked, onClose }: FindBarProps): JSX.Element {
  const app = useApp();
  const field = useRef<HTMLInputElement>(null);
  const finder = useMemo(() => new Finder(app, scroller), [app, scroller]);
  const before = useMemo(() => document.activeElement, []);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, [asked]);
  useEffect(() => watch(scroller, finder), [scroller, finder]);
  useEffect(() => {
    if (finder.query.peek() !== '') finder.again(growPause, false);
  }, [finder, app.conversation.total.value]);
  const close = (): void => {
    onClose();
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus();
    else app.focus('composer');
  };
  return (
    <div class="find" role="search">
      <input
        ref={field}
        type="text"
        class="find-field"
        aria-label={app.t('find')}
        placeholder={app.t('find')}
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        value={finder.query.value}
        onInput={event => finder.type(event.currentTarget.value)}
        onKeyDown={event => pressed(event, finder, close)}
      />
      <FindCount finder={finder} />
      <IconButton icon="arrow-up" label={app.t('findPrevious')} onClick={() => finder.step(-1)} />
      <IconButton icon="arrow-down" label={app.t('findNext')} onClick={() => finder.step(1)} />
      <IconButton icon="close" label={app.t('findClose')} onClick={close} />
    </div>
  );
}

function FindCount({ finder }: { finder: Finder }): JSX.Element {
  const app = useApp();
  const { count } = finder;
  const total = finder.found.value.more ? `${count}+` : count;
  const text = count === 0 ? app.t('findNone') : app.t('findCount', finder.at.value + 1, total);
  return (
    <span class={`find-count${count === 0 ? ' find-none' : ''}`} role="status">
      {finder.query.value.trim() === '' ? '' : text}
    </span>
  );
}

function pressed(event: TargetedKeyboardEvent<HTMLInputElement>, finder: Finder, close: () => void): void {
  // With another key they mean something else, to the person or to VS Code.
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') close();
  else if (event.key === 'Enter') finder.step(event.shiftKey ? -1 : 1);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Keeps the marks in step with what is drawn, at most once a frame. */
function watch(scroller: Scroller, finder: Finder): () => void {
  let waits = false;
  const markSoon = (): void => {
    if (waits) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      finder.mark();
    });
  };
  const observer = new MutationObserver(markSoon);
  const { page } = scroller;
  page?.addEventListener('scroll', markSoon, { passive: true });
  if (page) observer.observe(page, { childList: true, subtree: true, characterData: true });
  return () => {
    observer.disconnect();
    page?.removeEventListener('scroll', markSoon);
    finder.dispose();
  };
}
