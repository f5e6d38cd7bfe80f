import * as vscode from 'vscode';
import type { AgentProgram } from './sessions/agentProgram.ts';

/** Signing in is the CLI's own affair, with its own browser page: a terminal runs it where the person can see it. */
export async function signIn(program: AgentProgram): Promise<void> {
  const search = await program.find();
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
    env: program.environment,
  });
  terminal.show();
}
