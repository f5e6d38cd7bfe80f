import type { ComponentChildren, JSX } from 'preact';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import { withPlaces } from '../markdown/placeLink.tsx';
import { visibleCode } from '../markdown/visibleText.ts';
import { Icon } from '../parts/icon.tsx';
import { ToolStatus } from './toolStatus.tsx';
import { firstLines, plainOutput } from './plainOutput.ts';

interface ToolLineProps {
  readonly tool: ToolView;
  /** The codicon of a line that cannot be opened. */
  readonly icon: string;
  /** Words that name the toggle; links go into `subject`, since a button may hold none. */
  readonly verb: string;
  readonly subject?: ComponentChildren;
  readonly end?: ComponentChildren;
  /** How it stands, when that is said elsewhere. */
  readonly quiet?: boolean;
  /** Open before anyone touched it. */
  readonly initially?: boolean;
  /** What is seen when the line is open. Without it the line has nothing to open. */
  readonly children?: ComponentChildren;
}

/** One dim line for a tool; the whole of it opens what is inside. A failure says what went wrong without being opened. */
export function ToolLine(props: ToolLineProps): JSX.Element {
  const app = useApp();
  const { tool, icon, verb, subject, end, quiet = false, initially = false, children } = props;
  const key = `tool:${tool.id}`;
  const opens = children !== undefined && children !== null && children !== false;
  const open = app.expansion(key, initially).value && opens;
  const bad = tool.status === 'failed' || tool.status === 'denied';
  const mark = <Icon name={opens ? (open ? 'chevron-down' : 'chevron-right') : icon} class="tool-icon" />;
  return (
    <div class={`tool tool-${tool.status}`}>
      <div class="line tool-line">
        {opens ? (
          <button
            type="button"
            class="tool-toggle"
            aria-expanded={open}
            onClick={() => app.state.toggle(key, initially)}
          >
            {mark}
            <span class="tool-verb">{verb}</span>
          </button>
        ) : (
          <span class="tool-toggle">
            {mark}
            <span class="tool-verb">{verb}</span>
          </span>
        )}
        <span class="line-what tool-subject">{subject}</span>
        {end}
        {!quiet && <ToolStatus tool={tool} />}
      </div>
      {bad && <Failure tool={tool} />}
      {open && <div class="tool-body">{children}</div>}
    </div>
  );
}

const failureLines = 8;

function Failure({ tool }: { tool: ToolView }): JSX.Element | null {
  const app = useApp();
  const key = `failure:${tool.id}`;
  const open = app.expansion(key).value;
  const text = plainOutput(tool.error ?? tool.answered?.note ?? '').trim();
  // A shell shows its output itself.
  if (text === '' || (tool.card.type === 'shell' && tool.card.exitCode !== undefined)) return null;
  const { shown, more } = open ? { shown: text, more: 0 } : firstLines(text, failureLines);
  return (
    <div class="tool-error">
      <span dir="auto">{withPlaces(shown, visibleCode)}</span>
      {(more > 0 || open) && (
        <button type="button" class="link-button" aria-expanded={open} onClick={() => app.state.toggle(key)}>
          {app.t(open ? 'showLess' : 'showMore')}
        </button>
      )}
    </div>
  );
}
