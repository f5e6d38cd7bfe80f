import * as vscode from 'vscode';

/** The last word before the agent does everything without asking. */
export async function confirmBypass(): Promise<boolean> {
  const yes = vscode.l10n.t('Stop Asking');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('Let the agent do everything without asking?'),
    {
      modal: true,
      detail: vscode.l10n.t(
        'In this mode the agent changes files and runs commands at once, without showing them first. ' +
          'Use it only where nothing of value can be lost.',
      ),
    },
    yes,
  );
  return answer === yes;
}
