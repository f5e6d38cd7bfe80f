import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { useApp } from '../app/viewApp.ts';
import { IconButton } from '../parts/iconButton.tsx';
import { CopyButton } from '../rows/messageActions.tsx';
import { useFold } from './foldState.ts';
import { useHighlight } from './highlight.ts';
import type { CodePiece } from './highlight.ts';
import { visibleCode, visibleProse } from './visibleText.ts';

/** How much of a long block is shown until someone asks for all of it. */
const shownLines = 40;
/** Lines of an open block are drawn in pieces, so that a new line touches only the last of them. */
const pieceLines = 100;

interface CodeBlockProps {
  readonly code: string;
  readonly language: string;
  /** Still being written: no colours yet. */
  readonly open: boolean;
}

/** Code with what people do with it: read, copy, put at the cursor. */
export function CodeBlock({ code, language, info, open }: CodeBlockProps & { readonly info: string }): JSX.Element {
  const app = useApp();
  const lines = useMemo(() => countLines(code), [code]);
  const folds = lines > shownLines;
  const [all, toggle] = useFold('code', code, folds);
  const shown = folds && !all ? firstLines(code, shownLines) : code;
  return (
    <div
      class="code-block"
      role="group"
      aria-label={language === '' ? app.t('codeBlockPlain') : app.t('codeBlock', language)}
    >
      <div class="code-head">
        <span class="code-language" title={visibleProse(info)}>
          {visibleProse(info)}
        </span>
        <CopyButton text={code} label={app.t('copy')} />
        <IconButton
          icon="insert"
          label={app.t('insertAtCursor')}
          onClick={() => app.post({ type: 'insertAtCursor', text: code })}
        />
      </div>
      <pre class="code-text" dir="ltr" tabIndex={0}>
        <code>
          <CodeText code={shown} language={language} open={open} />
        </code>
      </pre>
      {folds && (
        <button type="button" class="code-more link-button" aria-expanded={all} onClick={toggle}>
          {all ? app.t('showLess') : `${app.t('showMore')} · ${app.t('moreLines', lines - shownLines)}`}
        </button>
      )}
    </div>
  );
}

/** Code in colours when they are there, plain until then. */
export function CodeText({ code, language, open }: CodeBlockProps): JSX.Element {
  const app = useApp();
  const pieces = useHighlight(code, language, open, error => app.fault(error));
  if (pieces) return <>{pieces.map(colouredPiece)}</>;
  return <PlainCode code={code} />;
}

function colouredPiece({ text, token }: CodePiece, key: number): ComponentChildren {
  const shown = visibleCode(text);
  return token === undefined ? (
    shown
  ) : (
    <span key={key} class={`token-${token}`}>
      {shown}
    </span>
  );
}

function PlainCode({ code }: { code: string }): JSX.Element {
  const parts = splitLines(code, pieceLines);
  return (
    <>
      {parts.map((part, index) => (
        <CodePart key={index} text={part} />
      ))}
    </>
  );
}

function CodePart({ text }: { text: string }): JSX.Element {
  return useMemo(() => <span>{visibleCode(text)}</span>, [text]);
}

function countLines(text: string): number {
  let count = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function firstLines(text: string, count: number): string {
  const end = lineEnd(text, 0, count);
  return text.slice(0, end < 0 ? text.length : end);
}

/** Place of the line break after so many lines from a place, or -1. */
function lineEnd(text: string, from: number, count: number): number {
  let at = from - 1;
  for (let line = 0; line < count; line++) {
    at = text.indexOf('\n', at + 1);
    if (at < 0) return -1;
  }
  return at;
}

function splitLines(text: string, count: number): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let end = lineEnd(text, from, count); end >= 0; end = lineEnd(text, from, count)) {
    parts.push(text.slice(from, end + 1));
    from = end + 1;
  }
  parts.push(text.slice(from));
  return parts;
}
