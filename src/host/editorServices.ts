import * as vscode from 'vscode';
import type { ChatServices } from './chat/chatServices.ts';
import type { FileIndex } from './fileIndex.ts';
import { noticeText } from './noticeText.ts';
import { insidePath, resolvePath } from './paths.ts';

const allowedSchemes = new Set(['https', 'http', 'mailto']);

export interface EditorServicesOptions {
  readonly showLog: () => void;
  readonly signIn: () => Promise<void>;
  readonly files: FileIndex;
}

/** The editor as the chat sees it. */
export function editorServices(options: EditorServicesOptions): ChatServices {
  return {
    openFile,
    openLink,
    copy: async text => vscode.env.clipboard.writeText(text),
    insertAtCursor,
    completeFile: (query, folder) => options.files.complete(query, folder),
    showLog: options.showLog,
    openSettings: async query => {
      await vscode.commands.executeCommand('workbench.action.openSettings', query);
    },
    signIn: options.signIn,
    diagnose: async () => {
      await vscode.commands.executeCommand('handrail.diagnose');
    },
    tell: message => void vscode.window.showInformationMessage(noticeText(message)),
  };
}

async function openFile(path: string, folder: string, line?: number, column?: number): Promise<void> {
  const target = resolvePath(path, folder);
  if (insidePath(target, folder) === undefined && !(await confirmOutside(target))) return;
  const uri = vscode.Uri.file(target);
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(uri);
  } catch {
    void vscode.window.showWarningMessage(vscode.l10n.t('There is no file {0}', noticeText(target)));
    return;
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const place = new vscode.Position(Math.max(0, (line ?? 1) - 1), Math.max(0, (column ?? 1) - 1));
  const selection = line === undefined ? {} : { selection: new vscode.Range(place, place) };
  // Through the command, so that notebooks, images and other custom editors open as themselves.
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...selection });
}

async function confirmOutside(path: string): Promise<boolean> {
  const open = vscode.l10n.t('Open');
  const answer = await vscode.window.showWarningMessage(
    vscode.l10n.t('{0} is outside the folder of this session. Open it?', noticeText(path)),
    { modal: true },
    open,
  );
  return answer === open;
}

async function openLink(href: string): Promise<boolean> {
  let uri: vscode.Uri;
  try {
    uri = vscode.Uri.parse(href, true);
  } catch {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('This link cannot be read: {0}', noticeText(href.slice(0, 200))),
    );
    return false;
  }
  if (!allowedSchemes.has(uri.scheme)) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('Links of the kind “{0}” are not opened from the chat', uri.scheme),
    );
    return false;
  }
  return await vscode.env.openExternal(uri);
}

async function insertAtCursor(text: string): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file to insert the code into'));
    return;
  }
  await editor.edit(edit => {
    for (const selection of editor.selections) edit.replace(selection, text);
  });
}
