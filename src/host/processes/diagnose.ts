import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { Chats } from '../chat/chats.ts';
import { isMissing } from '../../base/errorCode.ts';
import { inBackground } from '../inBackground.ts';
import type { PastSessions } from '../sessions/pastSessions.ts';
import type { ExecutableSearch } from '../../transport/findExecutable.ts';
import { diagnosis } from './diagnosis.ts';
import type { DiagnosisFacts } from './diagnosis.ts';
import type { ProcessLedger } from './processLedger.ts';

export interface DiagnoseOptions {
  readonly version: string;
  readonly find: () => Promise<ExecutableSearch>;
  readonly chats: Chats;
  readonly ledger: ProcessLedger;
  readonly past: PastSessions;
  readonly configFolder: () => string;
  readonly logPath: string;
  readonly signIn: () => Promise<void>;
  readonly logger: Logger;
}

/** Shows what works and what does not as a document, and offers what would help. */
export async function diagnose(options: DiagnoseOptions): Promise<void> {
  const { markdown, fix } = diagnosis(await gather(options), vscode.l10n.t);
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content: markdown });
  await vscode.window.showTextDocument(document, { preview: true });
  const copy = vscode.l10n.t('Copy');
  const repair = fix === 'signIn' ? vscode.l10n.t('Sign in') : vscode.l10n.t('Open settings');
  const said =
    fix === undefined ? vscode.l10n.t('The diagnosis is ready.') : vscode.l10n.t('The diagnosis found a fault.');
  const offer = async (): Promise<void> => {
    const choice = await vscode.window.showInformationMessage(said, ...(fix === undefined ? [copy] : [repair, copy]));
    if (choice === copy) await vscode.env.clipboard.writeText(markdown);
    else if (choice === repair && fix === 'signIn') await options.signIn();
    else if (choice === repair)
      await vscode.commands.executeCommand('workbench.action.openSettings', 'handrail.claude');
  };
  inBackground(offer(), options.logger);
}

async function gather(options: DiagnoseOptions): Promise<DiagnosisFacts> {
  const info = options.chats.all.map(chat => chat.session?.info).find(one => one?.account !== undefined);
  const path = options.configFolder();
  const [search, git, there, sessions] = await Promise.all([
    options.find(),
    gitVersion(),
    exists(path),
    options.past.all(),
  ]);
  const { remoteName } = vscode.env;
  return {
    versions: { handrail: options.version, vscode: vscode.version, node: process.versions.node },
    platform: `${process.platform} ${process.arch}`,
    ...(remoteName === undefined ? {} : { remote: remoteName }),
    search,
    ...(info?.account === undefined ? {} : { account: info.account }),
    ...(info?.loggedIn === undefined ? {} : { loggedIn: info.loggedIn }),
    ...(info?.cliVersion === undefined ? {} : { agentVersion: info.cliVersion }),
    processes: options.ledger.all.length,
    ...(git === undefined ? {} : { git }),
    configFolder: { path, there, sessions: sessions.length },
    folders: (vscode.workspace.workspaceFolders ?? []).map(folder => folder.uri.fsPath),
    settings: changedSettings(),
    logPath: options.logPath,
  };
}

/** Names and values of what was set. Of the agent's environment only the names: the values may be keys. */
function changedSettings(): Record<string, string> {
  const configuration = vscode.workspace.getConfiguration('handrail');
  const found: Record<string, string> = {};
  const declared: unknown = vscode.extensions.getExtension('handrail-vscode.handrail')?.packageJSON;
  for (const name of settingNames(declared)) {
    const seen = configuration.inspect<unknown>(name);
    const value = seen?.workspaceFolderValue ?? seen?.workspaceValue ?? seen?.globalValue;
    if (value === undefined) continue;
    const shown = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : value;
    found[`handrail.${name}`] = JSON.stringify(shown);
  }
  return found;
}

function settingNames(manifest: unknown): string[] {
  const at = (value: unknown, name: string): unknown =>
    typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
  const properties = at(at(at(manifest, 'contributes'), 'configuration'), 'properties');
  if (typeof properties !== 'object' || properties === null) return [];
  return Object.keys(properties).map(name => name.replace(/^handrail\./, ''));
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function gitVersion(): Promise<string | undefined> {
  return new Promise(resolve => {
    execFile('git', ['--version'], { timeout: 3_000, windowsHide: true }, (error, stdout) => {
      resolve(error ? undefined : stdout.trim());
    });
  });
}
