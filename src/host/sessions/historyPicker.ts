import * as vscode from 'vscode';
import type { HistoryEntry, HistoryPlace } from '../../session/store/historyGroups.ts';
import { historyEntries } from '../../session/store/historyGroups.ts';
import type { SessionState } from '../../session/sessionState.ts';
import type { SessionActions } from './sessionActions.ts';
import { historyRow } from './historyRow.ts';
import type { PastSessions } from './pastSessions.ts';

export interface HistoryPickerOptions {
  readonly past: PastSessions;
  readonly actions: SessionActions;
  /** Real paths: the folders of the workspace and the other worktrees of their repositories. */
  readonly scope: () => Promise<{ readonly folders: readonly string[]; readonly worktrees: readonly string[] }>;
  /** What a session is doing in this window. */
  readonly stateOf: (sessionId: string) => SessionState['type'] | 'open' | undefined;
}

interface Row extends vscode.QuickPickItem {
  readonly entry?: HistoryEntry;
}

/** All sessions of the disk in one list that can be searched, each with what can be done to it. */
export async function showHistory(options: HistoryPickerOptions): Promise<HistoryEntry | undefined> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = vscode.l10n.t('Sessions');
  pick.placeholder = vscode.l10n.t('Search titles, first prompts and branches');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.buttons = [explainButton()];
  pick.busy = true;
  pick.show();
  const fill = async (): Promise<void> => {
    const [sessions, scope] = await Promise.all([options.past.all(), options.scope()]);
    pick.items = rows(historyEntries(sessions, scope), options);
    pick.busy = false;
  };
  try {
    return await new Promise<HistoryEntry | undefined>((resolve, reject) => {
      fill().catch(reject);
      pick.onDidAccept(() => resolve(pick.activeItems[0]?.entry));
      pick.onDidHide(() => resolve(undefined));
      pick.onDidTriggerButton(() => {
        options.actions.explain().catch(reject);
      });
      pick.onDidTriggerItemButton(({ item, button }) => {
        if (item.entry !== undefined) act(item.entry, button, options.actions).then(fill).catch(reject);
      });
    });
  } finally {
    pick.dispose();
  }
}

function rows(entries: readonly HistoryEntry[], options: HistoryPickerOptions): Row[] {
  const now = Date.now();
  const found: Row[] = [];
  let place: HistoryPlace | undefined;
  for (const entry of entries) {
    if (entry.place !== place) {
      ({ place } = entry);
      found.push({ label: placeText(place), kind: vscode.QuickPickItemKind.Separator });
    }
    const { sessionId } = entry.session;
    found.push({
      ...historyRow(entry, options.stateOf(sessionId), now, vscode.l10n.t),
      entry,
      buttons: itemButtons.map(({ icon, text }) => ({ iconPath: new vscode.ThemeIcon(icon), tooltip: text() })),
    });
  }
  if (found.length > 0) return found;
  return [{ label: vscode.l10n.t('There are no sessions yet'), alwaysShow: true }];
}

function placeText(place: HistoryPlace): string {
  switch (place) {
    case 'here':
      return vscode.l10n.t('This workspace');
    case 'worktree':
      return vscode.l10n.t('Worktrees');
    case 'elsewhere':
      return vscode.l10n.t('Other folders');
  }
}

interface ItemButton {
  readonly icon: string;
  readonly text: () => string;
  readonly run: (actions: SessionActions, entry: HistoryEntry) => Promise<void>;
}

const itemButtons: readonly ItemButton[] = [
  {
    icon: 'edit',
    text: () => vscode.l10n.t('Rename'),
    run: (actions, { session }) => actions.rename(session),
  },
  {
    icon: 'repo-forked',
    text: () => vscode.l10n.t('Fork'),
    run: (actions, { session }) => actions.fork(session),
  },
  {
    icon: 'export',
    text: () => vscode.l10n.t('Export'),
    run: (actions, { session }) => actions.exportSession(session),
  },
  {
    icon: 'copy',
    text: () => vscode.l10n.t('Copy session id'),
    run: (actions, { session }) => actions.copyId(session),
  },
  {
    icon: 'trash',
    text: () => vscode.l10n.t('Delete'),
    run: (actions, { session }) => actions.remove(session),
  },
];

async function act(entry: HistoryEntry, button: vscode.QuickInputButton, actions: SessionActions): Promise<void> {
  const icon = button.iconPath instanceof vscode.ThemeIcon ? button.iconPath.id : '';
  await itemButtons.find(one => one.icon === icon)?.run(actions, entry);
}

function explainButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('info'), tooltip: vscode.l10n.t('Why is a session not here?') };
}
