import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import type { PermissionModeFlag } from '../../transport/flags.ts';
import { readSetting } from '../settings.ts';

/**
 * The mode that sessions begin in. The one without questions only where the person allows it for their machine and asks
 * for it in their own settings: a folder that somebody shares must not switch the questions off. Otherwise it is ignored,
 * and that is said once.
 */
export class InitialMode {
  readonly #logger: Logger;
  readonly #told = new Set<string>();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  of(folder: vscode.Uri | undefined): PermissionModeFlag {
    const mode = readSetting('permissions.initialMode', folder, this.#logger);
    if (mode !== 'bypassPermissions') return mode;
    if (!readSetting('permissions.allowBypass', undefined, this.#logger)) {
      this.#tell(
        vscode.l10n.t(
          'Sessions ask before each step: “handrail.permissions.initialMode” is “bypassPermissions”, but “handrail.permissions.allowBypass” is off.',
        ),
      );
      return 'default';
    }
    const { workspaceValue, workspaceFolderValue } =
      vscode.workspace.getConfiguration('handrail', folder).inspect('permissions.initialMode') ?? {};
    if (workspaceValue === mode || workspaceFolderValue === mode) {
      this.#tell(
        vscode.l10n.t(
          'Sessions ask before each step: “bypassPermissions” in “handrail.permissions.initialMode” counts in your user settings only, not in those of a workspace.',
        ),
      );
      return 'default';
    }
    return mode;
  }

  #tell(problem: string): void {
    if (this.#told.has(problem)) return;
    this.#told.add(problem);
    this.#logger.warn(problem);
    void vscode.window.showWarningMessage(problem);
  }
}
