import type { ComponentChildren, JSX } from 'preact';
import type { DiffHunk, DiffLine, FileLink } from '../../src/bridge/toolCard.ts';
import { useApp } from '../app/viewApp.ts';
import { visibleCode } from '../markdown/visibleText.ts';
import { PlaceLink } from '../markdown/placeLink.tsx';

const shownLines = 40;
const signs = { context: ' ', added: '+', removed: '−' } as const;

interface DiffProps {
  readonly file: FileLink;
  readonly hunks: readonly DiffHunk[];
  readonly omittedLines: number;
  /** Names whether the person asked for the whole, over unmounts. */
  readonly foldKey: string;
  /** What stands above a hunk; the place of the hunk when not given. */
  readonly hunkHead?: (hunk: DiffHunk, index: number) => ComponentChildren;
  readonly isLeftOut?: (index: number) => boolean;
}

/** Lines with their numbers, hunk by hunk. */
export function DiffView({ file, hunks, omittedLines, foldKey, hunkHead, isLeftOut }: DiffProps): JSX.Element {
  const app = useApp();
  const open = app.expansion(foldKey).value;
  const total = hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
  const folds = total > shownLines + 5;
  let left = folds && !open ? shownLines : Infinity;
  return (
    <>
      <div class="diff" role="group" aria-label={app.t('diffOf', visibleCode(file.label))} tabIndex={0} dir="ltr">
        {hunks.map((hunk, index) => {
          const lines = hunk.lines.slice(0, Math.max(0, left));
          left -= hunk.lines.length;
          if (lines.length === 0 && !hunkHead) return null;
          return (
            <div key={index} class={`hunk${isLeftOut?.(index) === true ? ' hunk-left-out' : ''}`}>
              {hunkHead ? hunkHead(hunk, index) : hunks.length > 1 && <HunkPlace file={file} hunk={hunk} />}
              {lines.map((line, at) => (
                <Line key={at} line={line} />
              ))}
            </div>
          );
        })}
      </div>
      {(folds || omittedLines > 0) && (
        <p class="tool-more">
          {folds && (
            <button type="button" class="link-button" aria-expanded={open} onClick={() => app.state.toggle(foldKey)}>
              {open ? app.t('showLess') : `${app.t('showMore')} · ${app.t('moreLines', total - shownLines)}`}
            </button>
          )}
          {omittedLines > 0 && (!folds || open) && <span>{app.t('moreLines', omittedLines.toLocaleString())}</span>}
        </p>
      )}
    </>
  );
}

function HunkPlace({ file, hunk }: { file: FileLink; hunk: DiffHunk }): JSX.Element {
  const app = useApp();
  return (
    <div class="hunk-head">
      <PlaceLink place={{ path: file.path, line: Math.max(1, hunk.line) }}>{app.t('lineNumber', hunk.line)}</PlaceLink>
    </div>
  );
}

function Line({ line }: { line: DiffLine }): JSX.Element {
  return (
    <div class={`diff-line diff-${line.type}`}>
      <span class="diff-number">{line.type === 'removed' ? line.oldLine : line.newLine}</span>
      <span class="diff-sign">{signs[line.type]}</span>
      <span class="diff-text">{visibleCode(line.text)}</span>
    </div>
  );
}

/** How many lines come and go. */
export function DiffCount({ added, removed }: { added: number; removed: number }): JSX.Element {
  return (
    <span class="diff-count line-end">
      {added > 0 && <span class="count-added">+{added}</span>}
      {removed > 0 && <span class="count-removed">−{removed}</span>}
    </span>
  );
}
