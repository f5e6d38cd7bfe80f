import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { effect } from '@preact/signals';
import type { Disposable } from '../../src/base/disposable.ts';
import { SentenceReader } from './sentenceReader.ts';
import { spokenText } from './spokenText.ts';
import { useApp } from './viewApp.ts';
import type { ViewApp } from './viewApp.ts';

/** Sentences that come in quick succession are read out together. */
const pause = 400;

/** Says politely, in whole sentences, what a sighted person sees happen. */
export function Announcer(): JSX.Element {
  const app = useApp();
  const [text, setText] = useState('');
  const waiting = useRef<string[]>([]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const say = (sentence: string): void => {
      waiting.current.push(sentence);
      timer ??= setTimeout(() => {
        timer = undefined;
        setText(waiting.current.join(' '));
        waiting.current = [];
      }, pause);
    };
    const listening = listen(app, say);
    return () => {
      clearTimeout(timer);
      listening.dispose();
    };
  }, [app]);
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {text}
    </div>
  );
}

function codeWords(app: ViewApp, language: string): string {
  return language === '' ? app.t('codeBlockPlain') : app.t('codeBlock', language);
}

function listen(app: ViewApp, say: (sentence: string) => void): Disposable {
  const reader = new SentenceReader();
  let state = app.sync.session.peek().state;
  const stop = effect(() => {
    const session = app.sync.session.value;
    if (session.state === state) return;
    state = session.state;
    if (state === 'awaitingPermission') say(app.t('waitingForYou'));
    else if (state === 'working') say(app.t('working'));
    else if (state === 'stopped') say(app.t('stoppedHere'));
  });
  const revisions = app.sync.onRevision(() => {
    const last = app.conversation.itemAt(app.conversation.total.peek() - 1);
    if (last?.kind !== 'text') return;
    for (const heard of reader.read(last.id, last.text, !last.streaming)) {
      const words = 'sentence' in heard ? spokenText(heard.sentence) : codeWords(app, heard.code);
      if (words !== '') say(words);
    }
  });
  return {
    dispose() {
      stop();
      revisions.dispose();
    },
  };
}
