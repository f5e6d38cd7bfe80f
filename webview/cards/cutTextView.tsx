import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { CutText } from '../../src/bridge/toolCard.ts';
import type { FullPart } from '../app/viewApp.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { withPlaces } from '../markdown/placeLink.tsx';
import { visibleCode } from '../markdown/visibleText.ts';
import { firstLines, plainOutput } from './plainOutput.ts';

/** Lines shown at first, and after each "Show more": a huge output is opened in steps. */
const steps = [12, 400, 4_000, 40_000] as const;

interface CutTextProps {
  readonly itemId: string;
  readonly part: FullPart;
  readonly cut: CutText;
  readonly label: string;
  readonly class?: string;
}

/** A long text of a tool: its beginning, and the rest on demand, read from the host when it holds more than we do. */
export function CutTextView({ itemId, part, cut, label, class: extra }: CutTextProps): JSX.Element {
  const app = useApp();
  const [full, setFull] = useState<string | undefined>(undefined);
  const [failure, setFailure] = useState<string | undefined>(undefined);
  const key = `cut:${itemId}:${part}`;
  const step = openSteps(app, key);
  const { shown, more } = firstLines(plainOutput(full ?? cut.text), steps[step] ?? Infinity);
  const missing = full === undefined && cut.omitted > 0;
  useEffect(() => {
    if (step === 0 || !missing) return;
    setFailure(undefined);
    app.readFull(itemId, part).then(setFull, (error: unknown) => {
      setFailure(error instanceof Error ? error.message : String(error));
    });
  }, [step]);
  const showLess = (): void => {
    for (let open = step - 1; open >= 0; open--) app.state.toggle(`${key}:${open}`);
  };
  const name = extra === undefined ? 'tool-text' : `tool-text ${extra}`;
  return (
    <>
      <pre class={name} dir="ltr" role="group" aria-label={label} tabIndex={0}>
        {withPlaces(shown, visibleCode)}
      </pre>
      {failure !== undefined && <p class="tool-error">{app.t('fullTextFailed', failure)}</p>}
      <p class="tool-more">
        {(more > 0 || missing) && (
          <button type="button" class="link-button" onClick={() => app.state.toggle(`${key}:${step}`)}>
            {app.t('showMore')}
            {more > 0 && !missing && ` · ${app.t('moreLines', more.toLocaleString())}`}
          </button>
        )}
        {step > 0 && (
          <button type="button" class="link-button" onClick={showLess}>
            {app.t('showLess')}
          </button>
        )}
      </p>
    </>
  );
}

/** How often more was asked for; remembered while the row is out of the page. */
function openSteps(app: ViewApp, key: string): number {
  let step = 0;
  while (step < steps.length && app.expansion(`${key}:${step}`).value) step++;
  return step;
}
