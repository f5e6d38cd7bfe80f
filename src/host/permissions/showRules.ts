import * as vscode from 'vscode';
import type { Chat } from '../chat/chat.ts';
import { ruleEntries } from './ruleList.ts';

/** The permission rules in force, as a list that opens the file holding each. */
export async function showRules(chat: Chat, config: () => string): Promise<void> {
  const session = await chat.ensureSession();
  if (session === undefined) return;
  const { state } = await session.requests.listPermissionRules();
  const entries = ruleEntries(state, { cwd: chat.cwd, config: config() }, vscode.l10n.t);
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('No permission rules are in force'));
    return;
  }
  const picked = await vscode.window.showQuickPick(entries, {
    title: vscode.l10n.t('Permission rules in force'),
    placeHolder: vscode.l10n.t('Choose a rule to open the file that holds it'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  if (picked === undefined) return;
  if (picked.file === undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('This rule is not kept in a file: it comes from {0}.', picked.description),
    );
    return;
  }
  await vscode.window.showTextDocument(vscode.Uri.file(picked.file));
}
