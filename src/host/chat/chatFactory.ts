import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import type { Logger } from '../../base/logger.ts';
import { confirmBypass } from '../permissions/bypass.ts';
import { InitialMode } from '../permissions/initialMode.ts';
import type { Permissions } from '../permissions/permissions.ts';
import type { Rewinds } from '../rewind/rewinds.ts';
import type { AgentProgram } from '../sessions/agentProgram.ts';
import { askBeforeLeaving } from '../sessions/leaveTurn.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { SessionStarter } from '../sessions/sessionStarter.ts';
import type { SideBarMemory } from '../sessions/sideBarMemory.ts';
import type { SettingsWatch } from '../settings.ts';
import { readSetting } from '../settings.ts';
import { Chat } from './chat.ts';
import type { TabStart } from './chatEditors.ts';
import type { ChatContext } from './chatOptions.ts';
import type { Chats } from './chats.ts';
import type { ChatServices } from './chatServices.ts';
import { viewStrings } from './viewStrings.ts';

export interface ChatFactoryOptions {
  readonly chats: Chats;
  readonly permissions: Permissions;
  readonly rewinds: Rewinds;
  readonly sessions: Sessions;
  readonly memory: SideBarMemory;
  readonly program: AgentProgram;
  readonly starter: SessionStarter;
  readonly services: ChatServices;
  readonly context: ChatContext;
  readonly openTab: (start: TabStart) => void;
  readonly settings: SettingsWatch;
  readonly logger: Logger;
}

/** Makes chats, each with the settings of the folder that it works in. */
export class ChatFactory {
  readonly #options: ChatFactoryOptions;
  readonly #initialMode: InitialMode;

  constructor(options: ChatFactoryOptions) {
    this.#options = options;
    this.#initialMode = new InitialMode(options.logger);
  }

  create(placement: 'sideBar' | 'editor', { target, folder: wanted, draftKey }: TabStart): Chat {
    const {
      chats,
      permissions,
      rewinds,
      sessions,
      memory,
      program,
      starter,
      services,
      context,
      openTab,
      settings,
      logger,
    } = this.#options;
    const folder = wanted === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(wanted);
    const cwd = folder?.fsPath ?? homedir();
    const chat: Chat = new Chat({
      cwd,
      shaper: fail => permissions.shaper(cwd, message => services.tell(message), fail),
      changeNotes: permissions.changeNotes,
      rewind: rewinds,
      bypass: { offered: settings.keep(() => program.mayBypass), confirm: confirmBypass },
      keyboard: here => {
        if (here) chats.focused(chat);
        if (placement === 'sideBar') permissions.keyboard.inChat(here);
      },
      start: request => starter.start(request),
      services,
      context,
      past: sessions.past,
      drafts: sessions.drafts,
      draftKey:
        draftKey ??
        (placement === 'sideBar'
          ? memory.draftKey(cwd, vscode.workspace.workspaceFile?.toString(), sessions.drafts)
          : `new-${randomUUID()}`),
      ...(target === undefined ? {} : { restore: target }),
      showElsewhere: (sessionId, but) => sessions.showElsewhere(sessionId, but),
      openTab: (other, tabFolder) => openTab({ folder: tabFolder, ...(other === undefined ? {} : { target: other }) }),
      leaving: askBeforeLeaving,
      strings: viewStrings,
      viewOptions: () => ({ placement, sendKey: readSetting('chat.sendKey', folder, logger) }),
      initial: settings.keep(() => ({
        model: readSetting('model', folder, logger),
        mode: this.#initialMode.of(folder),
      })),
      t: vscode.l10n.t,
      logger,
    });
    return chat;
  }
}
