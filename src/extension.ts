import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { Chat } from './host/chat/chat.ts';
import { Chats } from './host/chat/chats.ts';
import { ChatEditors, chatPanelType } from './host/chat/chatEditors.ts';
import { ChatView, chatViewId } from './host/chat/chatView.ts';
import { viewStrings } from './host/chat/viewStrings.ts';
import { registerCommands } from './host/commands.ts';
import { configFolder, DiskSessionFiles } from './host/disk/sessionFiles.ts';
import { editorServices } from './host/editorServices.ts';
import { FileIndex } from './host/fileIndex.ts';
import { confirmBypass } from './host/permissions/bypass.ts';
import { askElicitation } from './host/permissions/elicitation.ts';
import { Permissions } from './host/permissions/permissions.ts';
import { showNextQuestion } from './host/permissions/questionNotifier.ts';
import { showRules } from './host/permissions/showRules.ts';
import { pickMode, pickModel, pickSession } from './host/pickers.ts';
import { PastSessions } from './host/sessions/pastSessions.ts';
import { SessionStarter } from './host/sessions/sessionStarter.ts';
import { tracedTransport } from './host/sessions/tracedTransport.ts';
import { readSetting } from './host/settings.ts';
import { signIn } from './host/signIn.ts';
import { StatusContext } from './host/statusContext.ts';
import { SessionStore } from './session/store/sessionStore.ts';
import { startChildTransport } from './transport/childTransport.ts';
import { cliEnvironment } from './transport/environment.ts';
import { findExecutable } from './transport/findExecutable.ts';
import { cliArguments } from './transport/flags.ts';
import { GuardianProcess } from './transport/processGuard.ts';

/** The chats of this window, so that deactivation can wait for their processes. */
let shutDown: (() => Promise<void>) | undefined;

/** Which session the side bar of this workspace showed last. */
const sideBarSession = 'handrail.sideBarSession';

/** The table of contents: builds every object, registers it, owns its end. */
export function activate(context: vscode.ExtensionContext): void {
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  const log = owned.add(vscode.window.createOutputChannel('Handrail', { log: true }));
  const { extensionUri } = context;
  const manifest: unknown = context.extension.packageJSON;
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0';

  // Session and transport meet here and nowhere else.
  const guard = owned.add(
    new GuardianProcess({ script: vscode.Uri.joinPath(extensionUri, 'dist', 'guardian.js').fsPath, logger: log }),
  );
  const environment = (): Record<string, string> => readSetting('claude.environment', undefined, log);
  const find = () =>
    findExecutable({
      setting: readSetting('claude.executable', undefined, log),
      env: { ...process.env, ...environment() },
    });
  const chats = owned.add(new Chats());
  const permissions = owned.add(new Permissions(chats, log));
  const mayBypass = (): boolean => readSetting('permissions.allowBypass', undefined, log);
  const starter = new SessionStarter({
    find,
    hooks: permissions.hooks,
    elicitation: askElicitation,
    connect: ({ executable, cwd, from, mode, model }) =>
      tracedTransport(
        startChildTransport({
          command: executable,
          args: cliArguments({
            start: from,
            permissionMode: mode,
            allowBypass: mayBypass(),
            ...(model === '' ? {} : { model }),
            extra: readSetting('claude.extraArguments', undefined, log),
          }),
          cwd,
          env: cliEnvironment(process.env, { version, cwd, extra: environment() }),
          guard,
          logger: log,
        }),
        log,
        () => log.logLevel === vscode.LogLevel.Trace,
      ),
    logger: log,
  });

  const files = owned.add(new FileIndex(log));
  const services = editorServices({ files, showLog: () => log.show(), signIn: () => signIn(find) });
  const past = new PastSessions(
    new SessionStore(new DiskSessionFiles(configFolder({ ...process.env, ...environment() }))),
  );
  const newChat = (placement: 'sideBar' | 'editor', restore?: string): Chat => {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const cwd = folder?.fsPath ?? homedir();
    return new Chat({
      cwd,
      shaper: fail => permissions.shaper(cwd, message => services.tell(message), fail),
      changeNotes: permissions.changeNotes,
      bypass: { offered: mayBypass, confirm: confirmBypass },
      used: () => (placement === 'sideBar' ? permissions.keyboard.chatUsed() : undefined),
      start: request => starter.start(request),
      services,
      past,
      ...(restore === undefined ? {} : { restore }),
      strings: viewStrings,
      viewOptions: () => ({ placement, sendKey: readSetting('chat.sendKey', folder, log) }),
      initial: () => ({
        model: readSetting('model', folder, log),
        mode: readSetting('permissions.initialMode', folder, log),
      }),
      t: vscode.l10n.t,
      logger: log,
    });
  };

  const sideBarChat = owned.add(newChat('sideBar', context.workspaceState.get(sideBarSession)));
  const view = owned.add(new ChatView(sideBarChat, extensionUri, log));
  owned.add(sideBarChat.onDidChange(() => void context.workspaceState.update(sideBarSession, sideBarChat.sessionId)));
  owned.add(view.onDidChangeVisibility(() => chats.placesChanged()));
  owned.add(chats.add(sideBarChat, { visible: () => view.visible, active: () => false, reveal: () => view.reveal() }));
  const editors = owned.add(new ChatEditors({ extensionUri, newChat: () => newChat('editor'), chats, logger: log }));
  const activeChat = (): Chat => chats.active ?? sideBarChat;
  owned.add(new StatusContext(chats)).start();
  permissions.start();

  owned.add(vscode.window.registerWebviewViewProvider(chatViewId, view));
  owned.add(vscode.window.registerWebviewPanelSerializer(chatPanelType, editors));
  owned.add(
    registerCommands(
      {
        'handrail.open': () => view.reveal(),
        'handrail.newSession': async () => {
          await view.reveal();
          await sideBarChat.newSession();
        },
        'handrail.newSessionInEditor': () => editors.open().focusComposer(),
        'handrail.resumeSession': async () => {
          const chat = activeChat();
          await chats.reveal(chat);
          await pickSession(chat, past);
        },
        'handrail.interrupt': () => activeChat().interrupt(),
        'handrail.nextPrompt': () => showNextQuestion(chats),
        'handrail.showProposal': () => permissions.commands.show(),
        'handrail.acceptProposal': () => permissions.commands.accept(),
        'handrail.rejectProposal': () => permissions.commands.reject(),
        'handrail.showRules': () => showRules(activeChat(), () => configFolder({ ...process.env, ...environment() })),
        'handrail.login': () => signIn(find),
        'handrail.setModel': () => pickModel(activeChat()),
        'handrail.setPermissionMode': () => pickMode(activeChat()),
        'handrail.showLog': () => log.show(),
      },
      log,
    ),
  );
  shutDown = () => chats.stopAll();
}

/** VS Code waits a few seconds for this: long enough for the agents to leave in order. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}
