import type { JSX } from 'preact';
import type { ToolView } from '../../src/bridge/viewItem.ts';
import { useApp } from '../app/viewApp.ts';
import type { ViewApp } from '../app/viewApp.ts';
import { durationText } from '../parts/duration.ts';
import { useSeconds } from '../parts/ticker.ts';

export function isLive(tool: ToolView): boolean {
  return tool.status === 'running' || tool.status === 'streaming';
}

/** How a tool stands, at the end of its line. */
export function ToolStatus({ tool }: { tool: ToolView }): JSX.Element | null {
  const app = useApp();
  const now = useSeconds(isLive(tool) && tool.startedAt !== undefined);
  const parts = [answerText(app, tool), stateText(app, tool, now)].filter(part => part !== undefined);
  if (parts.length === 0) return null;
  const failed = tool.status === 'failed' || (tool.status === 'denied' && tool.card.type !== 'plan');
  const text = parts.join(' · ');
  return (
    <span class={`line-end${failed ? ' tool-failed' : ''}`} title={text}>
      {text}
    </span>
  );
}

/** Answers that say by themselves why nothing was done. */
const saysNo = new Set<unknown>(['denied', 'declined', 'cancelled']);

function stateText(app: ViewApp, tool: ToolView, now: number): string | undefined {
  switch (tool.status) {
    case 'streaming':
    case 'running': {
      const time = tool.startedAt === undefined ? 0 : now - tool.startedAt;
      return time < 1000 ? app.t('running') : `${app.t('running')} · ${durationText(app, time)}`;
    }
    case 'pending':
      return app.t('waiting');
    case 'backgrounded':
      return app.t('background');
    case 'failed':
      return tool.card.type === 'shell' && tool.card.exitCode !== undefined
        ? app.t('exitCode', tool.card.exitCode)
        : app.t('failed');
    case 'denied':
      return saysNo.has(tool.answered?.decision) ? undefined : refusedText(app, tool);
    case 'stopped':
      return app.t('stoppedHere');
    case 'done':
      return tool.durationMs === undefined || tool.durationMs < 50 ? undefined : durationText(app, tool.durationMs);
  }
}

function answerText(app: ViewApp, tool: ToolView): string | undefined {
  if (tool.answered?.decision === 'denied') return refusedText(app, tool);
  return tool.answered && app.t(tool.answered.decision);
}

/** A plan that is not approved yet was not refused. */
function refusedText(app: ViewApp, tool: ToolView): string {
  return app.t(tool.card.type === 'plan' ? 'keptPlanning' : 'denied');
}
