import type { JSX } from 'preact';
import type { SessionView } from '../../src/bridge/sessionView.ts';
import { useApp } from '../app/viewApp.ts';
import { PopupButton } from '../parts/popup.tsx';

/** How full the context is and what the session has cost, always in sight; the numbers behind it on request. */
export function ContextMeter({ session }: { session: SessionView }): JSX.Element {
  const app = useApp();
  const { context, costUsd } = session;
  const share = context && context.maxTokens > 0 ? Math.min(1, context.usedTokens / context.maxTokens) : undefined;
  const percent = share === undefined ? app.t('contextUnknown') : `${Math.round(share * 100)}%`;
  const cost = costUsd === undefined ? undefined : costText(costUsd);
  return (
    <PopupButton
      class="context-button"
      label={app.t('contextButton', percent)}
      kind="dialog"
      face={
        <>
          <span class={`meter ${meterLevel(share)}`} aria-hidden="true">
            <span class="meter-fill" style={{ width: `${(share ?? 0) * 100}%` }} />
          </span>
          <span class="context-number">{share === undefined ? '–' : percent}</span>
          {cost !== undefined && <span class="cost only-wide">{cost}</span>}
        </>
      }
    >
      {() => (
        <div class="popup-text">
          <div>{app.t('contextButton', percent)}</div>
          {context && (
            <div class="dim">
              {app.t('contextDetail', context.usedTokens.toLocaleString(), context.maxTokens.toLocaleString())}
            </div>
          )}
          {cost !== undefined && <div class="dim">{app.t('cost', cost)}</div>}
        </div>
      )}
    </PopupButton>
  );
}

function meterLevel(share: number | undefined): string {
  if (share === undefined || share < 0.7) return 'meter-low';
  return share < 0.9 ? 'meter-high' : 'meter-full';
}

function costText(dollars: number): string {
  return `$${dollars < 10 ? dollars.toFixed(2) : dollars.toFixed(1)}`;
}
