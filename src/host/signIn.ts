import * as vscode from 'vscode';
import type { ExecutableSearch } from '../transport/findExecutable.ts';

/** Signing in is the CLI's own affair, with its own browser page: a terminal runs it where the person can see it. */
export async function signIn(
  find: () => Promise<ExecutableSearch>,
  environment: Readonly<Record<string, string>>,
): Promise<void> {
  const search = await find();
  if (search.found === undefined) {
    void vscode.window.showErrorMessage(
      vscode.l10n.t('The claude program was not found, so there is nothing to sign in to.'),
    );
    return;
  }
  const terminal = vscode.window.createTerminal({
    name: vscode.l10n.t('Sign in to Claude'),
    shellPath: search.found.path,
    shellArgs: ['/login'],
    // The same as for sessions: another config folder is another login.
    env: environment,
  });
  terminal.show();
}
