import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { errorText } from './errorText.ts';

/** Every command of the manifest. The record type below makes a forgotten one fail to compile. */
export const commandIds = [
  'handrail.open',
  'handrail.newSession',
  'handrail.newSessionInEditor',
  'handrail.resumeSession',
  'handrail.continueSession',
  'handrail.forkSession',
  'handrail.renameSession',
  'handrail.exportSession',
  'handrail.showProcesses',
  'handrail.diagnose',
  'handrail.interrupt',
  'handrail.nextPrompt',
  'handrail.showProposal',
  'handrail.acceptProposal',
  'handrail.rejectProposal',
  'handrail.showRules',
  'handrail.login',
  'handrail.setModel',
  'handrail.setPermissionMode',
  'handrail.showLog',
] as const;

export type CommandId = (typeof commandIds)[number];
export type CommandTable = Readonly<Record<CommandId, () => unknown>>;

/** Registers the table. A command that fails says so to the person and to the log; it never fails in silence. */
export function registerCommands(table: CommandTable, logger: Logger): Disposable {
  const store = new DisposableStore();
  for (const id of commandIds) {
    store.add(
      vscode.commands.registerCommand(id, async () => {
        try {
          return await table[id]();
        } catch (error) {
          logger.error(`${id} failed`, error);
          void vscode.window.showErrorMessage(errorText(error));
          return undefined;
        }
      }),
    );
  }
  return store;
}
