import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useApp } from '../app/viewApp.ts';
import { IconButton } from '../parts/iconButton.tsx';
import { timeText } from '../parts/timeText.ts';

/** The small toolbar of a message, seen on hover and when the keyboard is in the message. */
export function MessageActions({ at, children }: { at: number; children: ComponentChildren }): JSX.Element {
  return (
    <div class="message-actions">
      {at > 0 && (
        <time class="message-time" dateTime={new Date(at).toISOString()}>
          {timeText(at)}
        </time>
      )}
      {children}
    </div>
  );
}

/** Copies, and says for a moment that it did. */
export function CopyButton({ text, label }: { text: string; label: string }): JSX.Element {
  const app = useApp();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? app.t('copied') : label}
      onClick={() => {
        app.post({ type: 'copy', text });
        setCopied(true);
      }}
    />
  );
}
