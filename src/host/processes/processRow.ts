import type { SessionState } from '../../session/sessionState.ts';
import { sizeText } from '../sessions/historyRow.ts';
import type { Translate } from '../chat/words.ts';
import type { ProcessUsage } from './processUsage.ts';
import { labelText } from '../noticeText.ts';

export interface ProcessFacts {
  readonly pid: number;
  readonly title: string;
  readonly version?: string;
  readonly cwd: string;
  readonly startedAt: number;
  readonly state: SessionState['type'] | 'spare';
  readonly stateSince: number;
  readonly usage?: ProcessUsage;
  /** The usage when it was last looked at, for the load since then. */
  readonly before?: { readonly usage: ProcessUsage; readonly at: number };
}

/** A process as a row of the list. */
export function processRow(
  facts: ProcessFacts,
  now: number,
  t: Translate,
): { label: string; description: string; detail: string } {
  const { usage, before } = facts;
  const load =
    usage === undefined || before === undefined || now <= before.at
      ? []
      : [t('CPU {0} %', Math.round(((usage.cpuSeconds - before.usage.cpuSeconds) * 100_000) / (now - before.at)))];
  return {
    label: labelText(facts.title),
    description: `pid ${facts.pid} · ${facts.version ?? t('version unknown')} · ${stateText(facts, now, t)}`,
    detail: [
      ...(usage === undefined ? [] : [sizeText(usage.memoryBytes)]),
      ...load,
      ...(usage === undefined ? [] : [t('CPU time {0} s', usage.cpuSeconds.toFixed(1))]),
      t('started {0} ago', durationText(now - facts.startedAt)),
      labelText(facts.cwd),
    ].join(' · '),
  };
}

function stateText({ state, stateSince }: ProcessFacts, now: number, t: Translate): string {
  const since = durationText(now - stateSince);
  switch (state) {
    case 'spare':
      return t('waiting for a new session');
    case 'starting':
      return t('starting');
    case 'idle':
      return t('idle for {0}', since);
    case 'working':
      return t('working for {0}', since);
    case 'awaitingPermission':
      return t('waiting for you for {0}', since);
    case 'stopped':
      return t('ending');
  }
}

export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
