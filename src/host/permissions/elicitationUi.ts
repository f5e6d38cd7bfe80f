import * as vscode from 'vscode';
import { labelText } from '../noticeText.ts';
import type { ElicitationUi } from './elicitation.ts';
import type { FormField } from './elicitationForm.ts';

/** Notifications, lists and input boxes of VS Code. */
export const elicitationUi: ElicitationUi = {
  async offer(text, actions, signal) {
    const choice = vscode.window.showInformationMessage(text, ...actions);
    const aborted = new Promise<undefined>(resolve => {
      if (signal.aborted) resolve(undefined);
      else signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    // VS Code cannot take a notification back: a button that is pressed too late only says so.
    void choice.then(late => {
      if (late !== undefined && signal.aborted) this.tell(vscode.l10n.t('This question is already answered.'));
    });
    return Promise.race([choice, aborted]);
  },

  async askField(field, title, signal) {
    const source = new vscode.CancellationTokenSource();
    const stop = (): void => source.cancel();
    if (signal.aborted) return undefined;
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await askField(field, title, source.token);
    } finally {
      signal.removeEventListener('abort', stop);
      source.dispose();
    }
  },

  async openPage(url) {
    return vscode.env.openExternal(vscode.Uri.parse(url, true));
  },

  tell(text) {
    void vscode.window.showInformationMessage(text);
  },

  t: vscode.l10n.t,
};

async function askField(field: FormField, title: string, token: vscode.CancellationToken): Promise<string | undefined> {
  const placeHolder = field.description === '' ? field.title : field.description;
  const options = { title, ignoreFocusOut: true };
  const choices = field.choices.map(({ value, label }) => ({ value, label: labelText(label) }));
  switch (field.kind) {
    case 'yesNo': {
      const items = [
        { label: vscode.l10n.t('Yes'), value: 'true' },
        { label: vscode.l10n.t('No'), value: 'false' },
      ];
      return (await vscode.window.showQuickPick(items, { ...options, placeHolder }, token))?.value;
    }
    case 'choice':
      return (await vscode.window.showQuickPick(choices, { ...options, placeHolder }, token))?.value;
    case 'choices': {
      const many = { ...options, placeHolder, canPickMany: true } as const;
      const picked = await vscode.window.showQuickPick(choices, many, token);
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
