import type { HistoryEntry } from '../../session/store/historyGroups.ts';
import type { SessionState } from '../../session/sessionState.ts';
import type { Translate } from '../chat/words.ts';
import { labelText } from '../noticeText.ts';

export interface HistoryRow {
  readonly label: string;
  readonly description: string;
  readonly detail: string;
}

/** A session as a row of the list: what it is called, how it stands, how it began, where and how big. */
export function historyRow(
  { session, place }: HistoryEntry,
  state: SessionState['type'] | 'open' | undefined,
  now: number,
  t: Translate,
): HistoryRow {
  const first = session.firstPrompt === undefined || session.firstPrompt === session.title ? [] : [session.firstPrompt];
  const folder = place === 'here' || session.cwd === undefined ? [] : [session.cwd];
  const branch = session.branch === undefined ? [] : [`$(git-branch) ${labelText(session.branch)}`];
  return {
    label: labelText(session.title),
    description: [...stateText(state, t), ageText(now - session.modifiedAt, t)].join(' · '),
    detail: [...first.map(labelText), ...branch, sizeText(session.size), ...folder.map(labelText)].join(' · '),
  };
}

function stateText(state: SessionState['type'] | 'open' | undefined, t: Translate): string[] {
  switch (state) {
    case 'working':
    case 'starting':
      return [`$(sync) ${t('running')}`];
    case 'awaitingPermission':
      return [`$(question) ${t('waiting for you')}`];
    case 'idle':
    case 'open':
    case 'stopped':
      return [t('open')];
    case undefined:
      return [];
  }
}

export function ageText(ageMs: number, t: Translate): string {
  const minutes = Math.floor(ageMs / 60_000);
  if (minutes < 1) return t('just now');
  if (minutes < 60) return t('{0} min ago', minutes);
  if (minutes < 48 * 60) return t('{0} h ago', Math.floor(minutes / 60));
  return t('{0} days ago', Math.floor(minutes / 1_440));
}

export function sizeText(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}
