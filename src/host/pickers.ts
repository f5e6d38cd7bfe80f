import * as vscode from 'vscode';
import type { ChoiceView } from '../bridge/sessionView.ts';
import type { Chat } from './chat/chat.ts';
import { labelText } from './noticeText.ts';

export async function pickModel(chat: Chat): Promise<void> {
  const { models, model } = chat.view();
  const picked = await pick(models, model.value, vscode.l10n.t('Model for this session'));
  if (picked !== undefined) await chat.choices.setModel(picked);
}

export async function pickMode(chat: Chat): Promise<void> {
  const { modes, mode } = chat.view();
  const picked = await pick(modes, mode, vscode.l10n.t('Permission mode of this session'));
  if (picked !== undefined) await chat.choices.setMode(picked);
}

/** How hard the agent thinks. Models that have no such choice say so. */
export async function pickThinking(chat: Chat): Promise<void> {
  const { efforts, effort = '', models, model } = chat.view();
  if (efforts.length === 0 && models.length > 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} decides by itself how much it thinks', model.label));
    return;
  }
  const picked = await pick(efforts, effort, vscode.l10n.t('How hard the agent thinks in this session'));
  if (picked !== undefined) await chat.session?.settings.setEffort(picked);
}

async function pick(choices: readonly ChoiceView[], current: string, title: string): Promise<string | undefined> {
  if (choices.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The agent is still starting'));
    return undefined;
  }
  const items = choices.map(choice => ({
    label: labelText(choice.label),
    description: choice.value === current ? vscode.l10n.t('current') : '',
    detail: labelText(choice.description ?? ''),
    value: choice.value,
  }));
  return (await vscode.window.showQuickPick(items, { title, matchOnDetail: true }))?.value;
}
