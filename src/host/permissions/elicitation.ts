import * as vscode from 'vscode';
import type { ElicitationAnswer, ElicitationRequest } from '../../protocol/cliRequests.ts';
import type { ElicitationHandler } from '../../session/elicitation.ts';
import { cleanText } from '../chat/cleanText.ts';
import { noticeText } from '../noticeText.ts';
import type { FormField } from './elicitationForm.ts';
import { formFields, valueOf } from './elicitationForm.ts';

const cancelled: ElicitationAnswer = { action: 'cancel' };
const declined: ElicitationAnswer = { action: 'decline' };

/**
 * Asks what an MCP server wants to know. First a notification that takes nothing from the person; only when they choose to
 * answer do the fields come, one by one. Leaving a field leaves the whole: nothing half-filled is sent.
 */
export const askElicitation: ElicitationHandler = async (request, signal) => {
  if (request.mode === 'url') return askForPage(request);
  const fields = formFields(request);
  if (fields === undefined) return declined;
  const answer = vscode.l10n.t('Answer…');
  const decline = vscode.l10n.t('Decline');
  const choice = await vscode.window.showInformationMessage(sentence(request), answer, decline);
  if (choice === undefined || signal.aborted) return cancelled;
  if (choice === decline) return declined;
  const source = new vscode.CancellationTokenSource();
  const stop = (): void => source.cancel();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await askFields(fields, request, source.token);
  } finally {
    signal.removeEventListener('abort', stop);
    source.dispose();
  }
};

async function askForPage(request: ElicitationRequest): Promise<ElicitationAnswer> {
  const url = request.url !== undefined && URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return declined;
  const open = vscode.l10n.t('Open Page');
  const decline = vscode.l10n.t('Decline');
  const text = vscode.l10n.t('{0} It wants to open a page of {1}.', sentence(request), url.host);
  const choice = await vscode.window.showInformationMessage(text, open, decline);
  if (choice === decline) return declined;
  if (choice !== open) return cancelled;
  const opened = await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
  return opened ? { action: 'accept' } : cancelled;
}

async function askFields(
  fields: readonly FormField[],
  request: ElicitationRequest,
  token: vscode.CancellationToken,
): Promise<ElicitationAnswer> {
  const content: Record<string, unknown> = {};
  for (const [at, field] of fields.entries()) {
    const title = `${cleanText(request.mcp_server_name)} (${at + 1}/${fields.length}): ${field.title}`;
    const text = await askField(field, title, token);
    if (text === undefined || token.isCancellationRequested) return cancelled;
    if (text !== '' || field.required) content[field.key] = valueOf(field, text);
  }
  return { action: 'accept', content };
}

async function askField(field: FormField, title: string, token: vscode.CancellationToken): Promise<string | undefined> {
  const placeHolder = field.description === '' ? field.title : field.description;
  const options = { title, ignoreFocusOut: true };
  switch (field.kind) {
    case 'yesNo': {
      const items = [
        { label: vscode.l10n.t('Yes'), value: 'true' },
        { label: vscode.l10n.t('No'), value: 'false' },
      ];
      return (await vscode.window.showQuickPick(items, { ...options, placeHolder }, token))?.value;
    }
    case 'choice':
      return (await vscode.window.showQuickPick([...field.choices], { ...options, placeHolder }, token))?.value;
    case 'choices': {
      const many = { ...options, placeHolder, canPickMany: true } as const;
      const picked = await vscode.window.showQuickPick([...field.choices], many, token);
      return picked?.map(({ value }) => value).join('\n');
    }
    case 'text':
    case 'number':
    case 'integer':
      return vscode.window.showInputBox(
        {
          ...options,
          prompt: placeHolder,
          value: field.preset,
          validateInput: text => field.problem(text, vscode.l10n.t),
        },
        token,
      );
  }
}

function sentence(request: ElicitationRequest): string {
  const server = noticeText(request.display_name ?? request.mcp_server_name);
  return vscode.l10n.t('{0} asks: {1}', server, noticeText(request.message).slice(0, 500));
}
