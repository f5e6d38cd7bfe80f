import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { Chat } from './host/chat/chat.ts';
import { Chats } from './host/chat/chats.ts';
import type { TabStart } from './host/chat/chatEditors.ts';
import { ChatEditors, chatPanelType, pickFolder } from './host/chat/chatEditors.ts';
import { ChatView, chatViewId } from './host/chat/chatView.ts';
import { viewStrings } from './host/chat/viewStrings.ts';
import { registerCommands } from './host/commands.ts';
import { editorServices } from './host/editorServices.ts';
import { FileIndex } from './host/fileIndex.ts';
import { confirmBypass } from './host/permissions/bypass.ts';
import { askElicitation } from './host/permissions/elicitation.ts';
import { Permissions } from './host/permissions/permissions.ts';
import { showNextQuestion } from './host/permissions/questionNotifier.ts';
import { showRules } from './host/permissions/showRules.ts';
import { pickMode, pickModel } from './host/pickers.ts';
import { diagnose } from './host/processes/diagnose.ts';
import { showProcesses } from './host/processes/processPicker.ts';
import { draftKeyOf } from './host/sessions/draftBook.ts';
import { Sessions } from './host/sessions/sessions.ts';
import { SessionStarter } from './host/sessions/sessionStarter.ts';
import { fileOf, Rewinds } from './host/rewind/rewinds.ts';
import { tracedTransport } from './host/sessions/tracedTransport.ts';
import { readSetting } from './host/settings.ts';
import { signIn } from './host/signIn.ts';
import { StatusContext } from './host/statusContext.ts';
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
  // Not among the owned: it has to outlive the sessions that write to it while they end.
  const log = vscode.window.createOutputChannel('Handrail', { log: true });
  const { extensionUri } = context;
  const manifest: unknown = context.extension.packageJSON;
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : '0';

  // Session and transport meet here and nowhere else.
  const guard = owned.add(
    new GuardianProcess({ script: vscode.Uri.joinPath(extensionUri, 'dist', 'guardian.js').fsPath, logger: log }),
  );
  const environment = (): Record<string, string> => readSetting('claude.environment', undefined, log);
  const wholeEnvironment = (): Record<string, string | undefined> => ({ ...process.env, ...environment() });
  const find = () =>
    findExecutable({ setting: readSetting('claude.executable', undefined, log), env: wholeEnvironment() });
  const chats = owned.add(new Chats());
  const permissions = owned.add(new Permissions(chats, log));
  const mayBypass = (): boolean => readSetting('permissions.allowBypass', undefined, log);
  const sessions = owned.add(
    new Sessions({
      chats,
      storage: context.globalStorageUri.fsPath,
      environment: wholeEnvironment,
      openTab: (target, folder) => editors.open({ target, ...(folder === undefined ? {} : { folder }) }),
      logger: log,
    }),
  );
  const { ledger, past } = sessions;
  const starter = new SessionStarter({
    find,
    ledger,
    hooks: permissions.hooks,
    elicitation: askElicitation,
    plan: ({ executable, cwd, from, mode, model }) => ({
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
    }),
    connect: plan => {
      const child = startChildTransport({ ...plan, guard, logger: log });
      const transport = tracedTransport(child, log, () => log.logLevel === vscode.LogLevel.Trace);
      return { transport, ...(child.pid === undefined ? {} : { pid: child.pid }) };
    },
    logger: log,
  });
  owned.add(starter);

  const rewinds: Rewinds = owned.add(
    new Rewinds({
      ...{ chats, hooks: permissions.hooks, storage: context.globalStorageUri.fsPath, logger: log },
      configFolder: () => sessions.configFolder(),
      activeChat: () => activeChat(),
    }),
  );
  const files = owned.add(new FileIndex(log));
  const services = editorServices({ files, showLog: () => log.show(), signIn: () => signIn(find, environment()) });
  const newChat = (placement: 'sideBar' | 'editor', start: TabStart): Chat => {
    const { folder: wanted, target: restore } = start;
    const folder = wanted === undefined ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.file(wanted);
    const cwd = folder?.fsPath ?? homedir();
    return new Chat({
      cwd,
      shaper: fail => permissions.shaper(cwd, message => services.tell(message), fail),
      changeNotes: permissions.changeNotes,
      rewind: rewinds,
      bypass: { offered: mayBypass, confirm: confirmBypass },
      keyboard: here => (placement === 'sideBar' ? permissions.keyboard.inChat(here) : undefined),
      start: request => starter.start(request),
      services,
      past,
      drafts: sessions.drafts,
      draftKey: start.draftKey ?? (placement === 'sideBar' ? draftKeyOf(cwd) : `new-${randomUUID()}`),
      ...(restore === undefined ? {} : { restore }),
      showElsewhere: (sessionId, but) => sessions.showElsewhere(sessionId, but),
      openFork: (target, forkFolder) => editors.open({ target, folder: forkFolder }),
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

  const shownBefore = context.workspaceState.get<string>(sideBarSession);
  const sideBarChat = owned.add(
    newChat('sideBar', shownBefore === undefined ? {} : { target: { sessionId: shownBefore } }),
  );
  const view = owned.add(new ChatView(sideBarChat, extensionUri, log));
  owned.add(sideBarChat.onDidChange(() => void context.workspaceState.update(sideBarSession, sideBarChat.sessionId)));
  owned.add(view.onDidChangeVisibility(() => chats.placesChanged()));
  owned.add(chats.add(sideBarChat, { visible: () => view.visible, active: () => false, reveal: () => view.reveal() }));
  const editors: ChatEditors = owned.add(
    new ChatEditors({
      extensionUri,
      newChat: start => newChat('editor', start),
      chats,
      logger: log,
    }),
  );
  const activeChat = (): Chat => chats.active ?? sideBarChat;
  owned.add(new StatusContext(chats)).start();
  permissions.start();
  rewinds.start();
  sessions.start();

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
        'handrail.newSessionInEditor': async () => {
          const folder = await pickFolder();
          if (folder !== undefined) editors.open({ folder }).focusComposer();
        },
        'handrail.resumeSession': () => sessions.pick(activeChat()),
        'handrail.continueSession': async () => {
          const chat = activeChat();
          await chats.reveal(chat);
          await sessions.continueLast(chat);
        },
        'handrail.forkSession': () => activeChat().fork(),
        'handrail.renameSession': () => sessions.rename(activeChat()),
        'handrail.exportSession': () => sessions.exportSession(activeChat()),
        'handrail.showProcesses': () =>
          showProcesses({ ledger, chats, spare: { pid: () => starter.sparePid, stop: () => starter.stopSpare() } }),
        'handrail.diagnose': () =>
          diagnose({
            ...{
              version,
              find,
              chats,
              ledger,
              past,
              logPath: context.logUri.fsPath,
              signIn: () => signIn(find, environment()),
              logger: log,
            },
            configFolder: () => sessions.configFolder(),
          }),
        'handrail.interrupt': () => activeChat().interrupt(),
        'handrail.nextPrompt': () => showNextQuestion(chats),
        'handrail.showProposal': () => permissions.commands.show(),
        'handrail.acceptProposal': () => permissions.commands.accept(),
        'handrail.rejectProposal': () => permissions.commands.reject(),
        'handrail.showRules': () => showRules(activeChat(), () => sessions.configFolder()),
        'handrail.rewindFiles': (...values) => rewinds.commands.rewindFiles(fileOf(values)),
        'handrail.undoRewind': () => rewinds.commands.undoRewind(),
        'handrail.reviewTurn': () => rewinds.review.open(),
        'handrail.login': () => signIn(find, environment()),
        'handrail.setModel': () => pickModel(activeChat()),
        'handrail.setPermissionMode': () => pickMode(activeChat()),
        'handrail.showLog': () => log.show(),
      },
      log,
    ),
  );
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
