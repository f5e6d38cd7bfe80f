import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { HookRegistry } from '../../session/hooks.ts';
import type { AcceptedChanges } from '../../session/proposal/acceptedChanges.ts';
import { registerChangeNotes } from '../../session/proposal/acceptedChanges.ts';
import { proposedPath } from '../../session/proposal/fileProposal.ts';
import type { Chats, OpenQuestion } from '../chat/chats.ts';
import { readSetting } from '../settings.ts';
import type { AskShaper } from './askShaper.ts';
import { ChatProposals } from './chatProposals.ts';
import { DiffTabs } from './diffTabs.ts';
import { readFileOnDisk } from './fileOnDisk.ts';
import { KeyboardPlace } from './keyboardPlace.ts';
import type { PlanComments } from './planComments.ts';
import { ProposalCommands } from './proposalCommands.ts';
import { QuestionNotifier } from './questionNotifier.ts';

/** The editor's side of every question in the window: diffs, notifications, commands, and the notes for the agent. */
export class Permissions implements Disposable {
  /** Announced by every session. */
  readonly hooks = new HookRegistry();
  readonly changeNotes: AcceptedChanges;
  readonly keyboard: KeyboardPlace;
  readonly commands: ProposalCommands;
  readonly #owned = new DisposableStore();
  readonly #chats: Chats;
  readonly #logger: Logger;
  readonly #tabs: DiffTabs;
  readonly #shapers = new Set<ChatProposals>();
  #count = 0;
  #waiting = false;

  constructor(chats: Chats, logger: Logger) {
    this.#chats = chats;
    this.#logger = logger;
    this.changeNotes = this.#owned.add(registerChangeNotes(this.hooks));
    this.keyboard = this.#owned.add(new KeyboardPlace());
    this.#tabs = this.#owned.add(new DiffTabs(this.keyboard, logger));
    this.commands = new ProposalCommands(chats, () => this.#activeQuestion());
  }

  start(): void {
    this.keyboard.start();
    this.#tabs.start();
    this.#owned.add(this.#chats.onDidChange(() => this.#refresh()));
    const notifier = new QuestionNotifier({
      chats: this.#chats,
      when: () => readSetting('permissions.notify', undefined, this.#logger),
      hasDiff: ({ ask }) => proposedPath(ask.toolName, ask.input) !== undefined,
      showDiff: async ({ chat, ask }) => chat.questions.show(ask.id),
      logger: this.#logger,
    });
    this.#owned.add(notifier).start();
  }

  get planComments(): PlanComments {
    return this.#tabs.comments;
  }

  /** For one chat. `fail`: a question could not be shown. */
  shaper(cwd: string, tell: (message: string) => void, fail: (askId: string, message: string) => void): AskShaper {
    const shaper: ChatProposals = new ChatProposals({
      name: String(++this.#count),
      cwd,
      stage: this.#tabs,
      read: readFileOnDisk,
      open: () => readSetting('diff.open', undefined, this.#logger),
      fail,
      tell,
      ended: () => this.#shapers.delete(shaper),
      t: vscode.l10n.t,
      logger: this.#logger,
    });
    this.#shapers.add(shaper);
    return shaper;
  }

  dispose(): void {
    this.#owned.dispose();
  }

  #activeQuestion(): OpenQuestion | undefined {
    const staged = this.#tabs.activeId;
    if (staged === undefined) return undefined;
    for (const shaper of this.#shapers) {
      const askId = shaper.askOf(staged);
      if (askId !== undefined) return this.#chats.questions.find(({ ask }) => ask.id === askId);
    }
    return undefined;
  }

  #refresh(): void {
    const waiting = this.#chats.questions.some(({ ask }) => proposedPath(ask.toolName, ask.input) !== undefined);
    if (waiting === this.#waiting) return;
    this.#waiting = waiting;
    void vscode.commands.executeCommand('setContext', 'handrail.proposalWaiting', waiting);
  }
}
