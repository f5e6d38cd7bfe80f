import * as vscode from 'vscode';

/** What a person wants when a turn still runs in the conversation that they go away from. */
export type Leaving = 'stop' | 'tab' | 'stay';

/** Asks whether a running turn ends, or the other conversation opens beside it. */
export async function askBeforeLeaving(): Promise<Leaving> {
  const tab = vscode.l10n.t('Open in Editor Tab');
  const stop = vscode.l10n.t('Stop and Open Here');
  const choice = await vscode.window.showWarningMessage(
    vscode.l10n.t('The agent is still at work in this conversation.'),
    {
      modal: true,
      detail: vscode.l10n.t('It can go on while the other conversation opens in a tab of its own.'),
    },
    tab,
    stop,
  );
  return choice === tab ? 'tab' : choice === stop ? 'stop' : 'stay';
}
