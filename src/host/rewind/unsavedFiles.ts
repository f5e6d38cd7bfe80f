import * as vscode from 'vscode';
import { noticeText } from '../noticeText.ts';
import { nameList } from './rewindWords.ts';

/** Paths of files that are open with changes which are not saved. */
export function unsavedPaths(): ReadonlySet<string> {
  const open = vscode.workspace.textDocuments.filter(document => document.isDirty && document.uri.scheme === 'file');
  return new Set(open.map(document => document.uri.fsPath));
}

/** Saves what is not saved of these files. False: one of them would not be saved. */
export async function saveFiles(paths: readonly string[]): Promise<boolean> {
  for (const document of vscode.workspace.textDocuments) {
    if (document.isDirty && paths.includes(document.uri.fsPath) && !(await document.save())) return false;
  }
  return true;
}

/** Files with unsaved changes come first: they are saved, so that the way back holds them too. False: not now. */
export async function askToSave(paths: readonly string[], saveAndGoOn: string): Promise<boolean> {
  if (paths.length === 0) return true;
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('These files have changes that are not saved: {0}', noticeText(nameList(paths, vscode.l10n.t))),
    { modal: true, detail: vscode.l10n.t('They are saved first, so that Undo can bring them back.') },
    saveAndGoOn,
  );
  return answer === saveAndGoOn && (await saveFiles(paths));
}
