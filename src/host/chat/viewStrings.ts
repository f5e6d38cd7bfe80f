import * as vscode from 'vscode';
import type { StringKey, ViewStrings } from '../../bridge/strings.ts';
import { englishStrings } from '../../bridge/strings.ts';

function isKey(key: string): key is StringKey {
  return key in englishStrings;
}

/** The view's words in the language of the window. */
export function viewStrings(): ViewStrings {
  const strings: Record<StringKey, string> = { ...englishStrings };
  for (const key of Object.keys(englishStrings)) {
    if (isKey(key)) strings[key] = vscode.l10n.t(englishStrings[key]);
  }
  return strings;
}
