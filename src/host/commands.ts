import * as vscode from 'vscode';
import type { Disposable } from '../base/disposable.ts';
import { DisposableStore } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { tellFailure } from './inBackground.ts';

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
  // The same, of the side bar's chat: the buttons of a view do not say whose they are.
  'handrail.resumeSessionInSideBar',
  'handrail.continueSessionInSideBar',
  'handrail.forkSessionInSideBar',
  'handrail.renameSessionInSideBar',
  'handrail.exportSessionInSideBar',
  'handrail.showProcesses',
  'handrail.diagnose',
  'handrail.interrupt',
  'handrail.nextPrompt',
  'handrail.find',
  'handrail.showProposal',
  'handrail.acceptProposal',
  'handrail.rejectProposal',
  'handrail.addPlanComment',
  'handrail.removePlanComment',
  'handrail.showRules',
  'handrail.rewindFiles',
  'handrail.undoRewind',
  'handrail.reviewTurn',
  'handrail.login',
  'handrail.setModel',
  'handrail.setPermissionMode',
  'handrail.setThinking',
  'handrail.addSelection',
  'handrail.addFile',
  'handrail.addProblems',
  'handrail.showContextUsage',
  'handrail.showLog',
] as const;

export type CommandId = (typeof commandIds)[number];
/** What VS Code hands over depends on where a command was called from: a stranger's values, to be looked at. */
export type CommandTable = Readonly<Record<CommandId, (...values: readonly unknown[]) => unknown>>;

/** Registers the table. A command that fails says so to the person and to the log; it never fails in silence. */
export function registerCommands(table: CommandTable, logger: Logger): Disposable {
  const store = new DisposableStore();
  for (const id of commandIds) {
    store.add(
      vscode.commands.registerCommand(id, async (...values: readonly unknown[]) => {
        try {
          return await table[id](...values);
        } catch (error) {
          tellFailure(error, `${id} failed`, logger);
          return undefined;
        }
      }),
    );
  }
  return store;
}
