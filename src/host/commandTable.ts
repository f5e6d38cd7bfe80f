import type { LogOutputChannel } from 'vscode';
import type { Chat } from './chat/chat.ts';
import type { ChatEditors } from './chat/chatEditors.ts';
import { pickFolder } from './chat/chatEditors.ts';
import type { Chats } from './chat/chats.ts';
import type { ChatView } from './chat/chatView.ts';
import type { CommandTable } from './commands.ts';
import { ContextCommands } from './context/contextCommands.ts';
import type { EditorContext } from './context/editorContext.ts';
import { showContextUsage } from './contextUsage.ts';
import type { Permissions } from './permissions/permissions.ts';
import { showNextQuestion } from './permissions/questionNotifier.ts';
import { showRules } from './permissions/showRules.ts';
import { pickMode, pickModel, pickThinking } from './pickers.ts';
import { diagnose } from './processes/diagnose.ts';
import { showProcesses } from './processes/processPicker.ts';
import type { Rewinds } from './rewind/rewinds.ts';
import { fileOf } from './rewind/rewinds.ts';
import type { AgentProgram } from './sessions/agentProgram.ts';
import type { Sessions } from './sessions/sessions.ts';
import type { SessionStarter } from './sessions/sessionStarter.ts';
import { signIn } from './signIn.ts';

export interface CommandParts {
  readonly chats: Chats;
  readonly view: ChatView;
  readonly editors: ChatEditors;
  readonly sessions: Sessions;
  readonly program: AgentProgram;
  readonly starter: SessionStarter;
  readonly permissions: Permissions;
  readonly rewinds: Rewinds;
  readonly editing: EditorContext;
  /** The chat that a command without a target means. */
  readonly activeChat: () => Chat;
  readonly version: string;
  readonly logPath: string;
  readonly log: LogOutputChannel;
}

/** What each command does. */
export function commandTable(parts: CommandParts): CommandTable {
  const { chats, view, editors, sessions, program, starter, permissions, rewinds, activeChat, log } = parts;
  const { ledger, past } = sessions;
  const additions = new ContextCommands({
    context: parts.editing,
    chat: activeChat,
    reveal: chat => chats.reveal(chat),
  });
  const resume = (chat: Chat): Promise<void> => sessions.pick(chat);
  const goOn = async (chat: Chat): Promise<void> => {
    await chats.reveal(chat);
    await sessions.continueLast(chat);
  };
  return {
    'handrail.open': () => view.reveal(),
    'handrail.newSession': async () => {
      await view.reveal();
      await view.chat.newSession();
    },
    'handrail.newSessionInEditor': async () => {
      const folder = await pickFolder();
      if (folder !== undefined) editors.open({ folder }).composer.focus();
    },
    'handrail.resumeSession': () => resume(activeChat()),
    'handrail.resumeSessionInSideBar': () => resume(view.chat),
    'handrail.continueSession': () => goOn(activeChat()),
    'handrail.continueSessionInSideBar': () => goOn(view.chat),
    'handrail.forkSession': () => activeChat().fork(),
    'handrail.forkSessionInSideBar': () => view.chat.fork(),
    'handrail.renameSession': () => sessions.rename(activeChat()),
    'handrail.renameSessionInSideBar': () => sessions.rename(view.chat),
    'handrail.exportSession': () => sessions.exportSession(activeChat()),
    'handrail.exportSessionInSideBar': () => sessions.exportSession(view.chat),
    'handrail.showProcesses': () =>
      showProcesses({ ledger, chats, spare: { pid: () => starter.sparePid, stop: () => starter.stopSpare() } }),
    'handrail.diagnose': () =>
      diagnose({
        ...{ version: parts.version, chats, ledger, past, logPath: parts.logPath, logger: log },
        find: () => program.find(),
        signIn: () => signIn(program),
        configFolder: () => sessions.configFolder(),
      }),
    'handrail.interrupt': () => activeChat().interrupt(),
    'handrail.nextPrompt': () => showNextQuestion(chats),
    'handrail.find': where => find(where, parts),
    'handrail.showProposal': () => permissions.commands.show(),
    'handrail.acceptProposal': () => permissions.commands.accept(),
    'handrail.rejectProposal': () => permissions.commands.reject(),
    'handrail.addPlanComment': (...values) => permissions.planComments.add(values[0]),
    'handrail.removePlanComment': (...values) => permissions.planComments.remove(values[0]),
    'handrail.showRules': () => showRules(activeChat(), () => sessions.configFolder()),
    'handrail.rewindFiles': (...values) => rewinds.commands.rewindFiles(fileOf(values)),
    'handrail.undoRewind': () => rewinds.undoing.undoRewind(),
    'handrail.reviewTurn': () => rewinds.review.open(),
    'handrail.login': () => signIn(program),
    'handrail.setModel': () => pickModel(activeChat()),
    'handrail.setPermissionMode': () => pickMode(activeChat()),
    'handrail.setThinking': () => pickThinking(activeChat()),
    'handrail.addSelection': () => additions.addSelection(),
    'handrail.addFile': (...values) => additions.addFile(values),
    'handrail.addProblems': () => additions.addProblems(),
    'handrail.showContextUsage': () => showContextUsage(activeChat()),
    'handrail.showLog': () => log.show(),
  };
}

/** From a key pressed in a chat, the chat has the keyboard and is named; from elsewhere it is brought to the front first. */
async function find(where: unknown, { chats, view, activeChat }: CommandParts): Promise<void> {
  const chat = where === 'sideBar' ? view.chat : activeChat();
  if (where !== 'sideBar' && where !== 'editor') await chats.reveal(chat);
  chat.focusFind();
}
