import * as vscode from 'vscode';
import type { ContextUsage } from '../protocol/hostAnswers.ts';
import type { Chat } from './chat/chat.ts';
import { usageRows } from './chat/usageRows.ts';

/** What fills the context of a session, biggest first. */
export async function showContextUsage(chat: Chat): Promise<void> {
  const { session } = chat;
  if (session === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The agent is not running'));
    return;
  }
  // The summary counts by itself; the full answer would ask the service for every part.
  const usage: ContextUsage = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: vscode.l10n.t('Reading the context') },
    () => session.requests.getContextUsage('summary'),
  );
  const title = vscode.l10n.t(
    'Context: {0} of {1} tokens',
    usage.totalTokens.toLocaleString(),
    usage.maxTokens.toLocaleString(),
  );
  const rows = usageRows(usage, vscode.l10n.t);
  await vscode.window.showQuickPick([...rows], { title, placeHolder: vscode.l10n.t('What fills the context') });
}
