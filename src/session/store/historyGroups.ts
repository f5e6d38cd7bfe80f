import { isProjectOf } from './projectKey.ts';
import type { SessionSummary } from './sessionSummary.ts';

/** Where a session belongs, seen from the folder that a person works in. */
export type HistoryPlace = 'here' | 'worktree' | 'elsewhere';

export interface HistoryEntry {
  readonly place: HistoryPlace;
  readonly session: SessionSummary;
}

export interface HistoryScope {
  /** Real paths of the folders of this workspace. */
  readonly folders: readonly string[];
  /** Real paths of the other worktrees of the same repositories. */
  readonly worktrees: readonly string[];
}

const order: readonly HistoryPlace[] = ['here', 'worktree', 'elsewhere'];

/** The sessions a list offers: this workspace's first, then those of its worktrees, then all others; each newest first. */
export function historyEntries(sessions: readonly SessionSummary[], scope: HistoryScope): readonly HistoryEntry[] {
  const places = new Map<string, HistoryPlace>();
  const placeOf = (project: string): HistoryPlace => {
    const known = places.get(project);
    if (known !== undefined) return known;
    const isOf = (paths: readonly string[]): boolean => paths.some(path => isProjectOf(project, path));
    const place = isOf(scope.folders) ? 'here' : isOf(scope.worktrees) ? 'worktree' : 'elsewhere';
    places.set(project, place);
    return place;
  };
  return sessions
    .filter(session => session.hiddenReason === undefined)
    .map(session => ({ place: placeOf(session.project), session }))
    .sort((a, b) => order.indexOf(a.place) - order.indexOf(b.place) || b.session.modifiedAt - a.session.modifiedAt);
}
