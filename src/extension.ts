import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import type { Chat } from './host/chat/chat.ts';
import { ChatEditors, chatPanelType } from './host/chat/chatEditors.ts';
import { ChatFactory } from './host/chat/chatFactory.ts';
import { Chats } from './host/chat/chats.ts';
import { ChatView, chatViewId } from './host/chat/chatView.ts';
import { registerCommands } from './host/commands.ts';
import { commandTable } from './host/commandTable.ts';
import { EditorContext } from './host/context/editorContext.ts';
import { editorServices } from './host/editorServices.ts';
import { FileIndex } from './host/fileIndex.ts';
import { Permissions } from './host/permissions/permissions.ts';
import { Rewinds } from './host/rewind/rewinds.ts';
import { AgentProgram } from './host/sessions/agentProgram.ts';
import { Sessions } from './host/sessions/sessions.ts';
import { SessionStarter } from './host/sessions/sessionStarter.ts';
import { SideBarMemory } from './host/sessions/sideBarMemory.ts';
import { tracedTransport } from './host/sessions/tracedTransport.ts';
import { SettingsWatch } from './host/settings.ts';
import { signIn } from './host/signIn.ts';
import { StatusContext } from './host/statusContext.ts';
import { startChildTransport } from './transport/childTransport.ts';
import { GuardianProcess } from './transport/processGuard.ts';

/** The chats of this window, so that deactivation can wait for their processes. */
let shutDown: (() => Promise<void>) | undefined;

/** The table of contents: builds every object, registers it, owns its end. */
export function activate(context: vscode.ExtensionContext): void {
  const owned = new DisposableStore();
  context.subscriptions.push(owned);
  // Not among the owned: it has to outlive the sessions that write to it while they end.
  const log = vscode.window.createOutputChannel('Handrail', { log: true });
  const { extensionUri } = context;
  const storage = context.globalStorageUri.fsPath;
  const version = versionOf(context);

  const chats = owned.add(new Chats());
  const activeChat = (): Chat => chats.active ?? view.chat;
  const permissions = owned.add(new Permissions(chats, log));
  const settings = owned.add(new SettingsWatch());
  const program = new AgentProgram(version, log);
  const sessions = owned.add(
    new Sessions({
      chats,
      storage,
      environment: () => program.wholeEnvironment,
      openTab: (target, folder) => editors.open({ target, ...(folder === undefined ? {} : { folder }) }),
      settings,
      logger: log,
    }),
  );
  const guard = owned.add(
    new GuardianProcess({ script: vscode.Uri.joinPath(extensionUri, 'dist', 'guardian.js').fsPath, logger: log }),
  );
  const starter = owned.add(
    new SessionStarter({
      find: () => program.find(),
      ledger: sessions.ledger,
      hooks: permissions.hooks,
      plan: launch => program.plan(launch),
      // Session and transport meet here and nowhere else.
      connect: plan => {
        const child = startChildTransport({ ...plan, guard, logger: log });
        const transport = tracedTransport(child, log, () => log.logLevel === vscode.LogLevel.Trace);
        return { transport, ...(child.pid === undefined ? {} : { pid: child.pid }) };
      },
      logger: log,
    }),
  );
  const rewinds: Rewinds = owned.add(
    new Rewinds({
      ...{ chats, hooks: permissions.hooks, storage, logger: log, activeChat },
      configFolder: () => sessions.configFolder(),
    }),
  );
  const files = owned.add(new FileIndex(log));
  const editing = owned.add(new EditorContext(log));
  const services = editorServices({ files, showLog: () => log.show(), signIn: () => signIn(program) });
  const memory = owned.add(new SideBarMemory(context.workspaceState));
  const factory = new ChatFactory({
    ...{ chats, permissions, rewinds, sessions, memory, program, starter, services, settings, logger: log },
    context: editing,
    openTab: start => editors.open(start),
  });

  const view: ChatView = owned.add(new ChatView(factory.create('sideBar', memory.start()), extensionUri, log));
  memory.follow(view.chat);
  owned.add(view.onDidChangeVisibility(() => chats.placesChanged()));
  owned.add(chats.add(view.chat, { visible: () => view.visible, active: () => false, reveal: () => view.reveal() }));
  const editors: ChatEditors = owned.add(
    new ChatEditors({ extensionUri, newChat: start => factory.create('editor', start), chats, logger: log }),
  );
  owned.add(new StatusContext(chats)).start();
  settings.start();
  permissions.start();
  rewinds.start();
  sessions.start();
  editing.start();

  owned.add(vscode.window.registerWebviewViewProvider(chatViewId, view));
  owned.add(vscode.window.registerWebviewPanelSerializer(chatPanelType, editors));
  const parts = {
    chats,
    view,
    editors,
    sessions,
    program,
    starter,
    permissions,
    rewinds,
    editing,
    activeChat,
    version,
  };
  owned.add(registerCommands(commandTable({ ...parts, log, logPath: context.logUri.fsPath }), log));
  shutDown = async () => {
    // All begun before the first wait: after it VS Code takes the objects of this window apart.
    const noted = sessions.closing();
    starter.dispose();
    const gone = chats.stopAll();
    try {
      await Promise.all([noted, gone]);
    } finally {
      log.dispose();
    }
  };
}

/** VS Code waits a few seconds for this: long enough for the agents to leave in order. */
export async function deactivate(): Promise<void> {
  await shutDown?.();
}

function versionOf(context: vscode.ExtensionContext): string {
  const manifest: unknown = context.extension.packageJSON;
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0';
}
