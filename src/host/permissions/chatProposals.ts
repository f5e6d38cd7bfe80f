import * as nodePath from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { PlanComment } from '../../session/planAnswers.ts';
import { planOf } from '../../session/planAnswers.ts';
import { proposedPath } from '../../session/proposal/fileProposal.ts';
import type { Translate } from '../chat/words.ts';
import { errorText } from '../errorText.ts';
import type { AskShaper, ShapedAllow, ShapedAsk } from './askShaper.ts';
import type { FileOnDisk } from './fileOnDisk.ts';
import { OpenPlan } from './openPlan.ts';
import { OpenProposal } from './openProposal.ts';
import type { ProposalStage } from './proposalStage.ts';
import { refusalText } from './proposalTexts.ts';

export interface ChatProposalsOptions {
  /** Names the chat among those of the window. */
  readonly name: string;
  readonly cwd: string;
  readonly stage: ProposalStage;
  readonly read: (path: string) => Promise<FileOnDisk>;
  /** When a diff opens by itself. */
  readonly open: () => 'onRequest' | 'automatically';
  /** The question could not be prepared: neither yes nor no, but an error to the CLI. */
  readonly fail: (askId: string, message: string) => void;
  readonly tell: (message: string) => void;
  /** The chat is gone. */
  readonly ended?: () => void;
  readonly t: Translate;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/** Answered proposals whose card is kept: the tool's own result comes later, or never. */
const mostAnswered = 50;

/** The proposals of one chat: each open question about a file, its diff, and what the person makes of it. */
export class ChatProposals implements AskShaper {
  readonly #options: ChatProposalsOptions;
  readonly #clock: Clock;
  readonly #owned = new DisposableStore();
  readonly #changes: Emitter<string>;
  readonly #open = new Map<string, OpenProposal>();
  readonly #plans = new Map<string, OpenPlan>();
  /** By tool use. */
  readonly #answered = new Map<string, ShapedAsk>();
  /** The question whose diff is in the chat's tab. */
  #shown: string | undefined;
  #count = 0;

  constructor(options: ChatProposalsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#changes = this.#owned.add(
      new Emitter(error => options.logger.error('A listener of proposals failed', error)),
    );
    this.#owned.add(options.stage.onDidEdit(({ id, text }) => this.#edited(id, text)));
    this.#owned.add(
      options.stage.onDidComment(id => {
        for (const plan of this.#plans.values()) if (plan.id === id) plan.commented();
      }),
    );
  }

  get onDidChange(): Event<string> {
    return this.#changes.event;
  }

  deskChanged(change: DeskChange): void {
    const { ask } = change;
    if (change.type === 'opened') {
      this.#opened(ask);
      return;
    }
    const kept = this.#open.get(ask.id)?.decided(change.outcome.type === 'allowed');
    if (kept !== undefined) this.#keep(ask, kept);
    const wasShown = this.#shown === ask.id;
    this.#take(ask.id)?.dispose();
    const next = [...this.#open.keys()][0];
    if (wasShown && next !== undefined) void this.#showQuietly(next);
  }

  present(toolUseId: string): ShapedAsk | undefined {
    for (const proposal of this.#open.values()) {
      if (proposal.ask.toolUseId === toolUseId) return proposal.present();
    }
    for (const plan of this.#plans.values()) {
      if (plan.ask.toolUseId === toolUseId) return plan.present();
    }
    return this.#answered.get(toolUseId);
  }

  async allow(ask: PermissionAsk, leftOut: readonly number[]): Promise<ShapedAllow | undefined> {
    const open = this.#open.get(ask.id);
    if (open === undefined) return {};
    const accepted = await open.accept(leftOut);
    const { t, tell } = this.#options;
    switch (accepted?.type) {
      case undefined:
      case 'unchanged':
        return {};
      case 'changed':
        return { input: accepted.input, ...(accepted.note === undefined ? {} : { note: accepted.note }) };
      case 'stale':
        tell(t('The file has just changed on disk. Look at the diff again before you accept it.'));
        return undefined;
      case 'nothing':
        tell(t('Nothing of the proposal is left to accept. Take a hunk, or deny.'));
        return undefined;
      case 'refused':
        tell(refusalText(accepted.code, t));
        return undefined;
    }
  }

  /** The question whose text is on the stage under this id. */
  askOf(staged: string): string | undefined {
    return [...this.#open.values(), ...this.#plans.values()].find(({ id }) => id === staged)?.ask.id;
  }

  editedPlan(ask: PermissionAsk): string | undefined {
    return this.#plans.get(ask.id)?.edited;
  }

  planComments(ask: PermissionAsk): readonly PlanComment[] {
    return this.#plans.get(ask.id)?.comments ?? [];
  }

  async chooseHunk(askId: string, hunk: number, take: boolean): Promise<void> {
    await this.#open.get(askId)?.choose(hunk, take);
  }

  async show(askId: string): Promise<boolean> {
    const plan = this.#plans.get(askId);
    if (plan !== undefined) {
      await plan.show('asked');
      return true;
    }
    return this.#show(askId, 'asked');
  }

  reset(): void {
    for (const id of [...this.#open.keys(), ...this.#plans.keys()]) this.#take(id)?.dispose();
    this.#answered.clear();
  }

  dispose(): void {
    this.reset();
    this.#owned.dispose();
    this.#options.ended?.();
  }

  #opened(ask: PermissionAsk): void {
    const { stage, read, cwd, t, logger } = this.#options;
    const changed = (): void => {
      if (ask.toolUseId !== undefined) this.#changes.fire(ask.toolUseId);
    };
    const id = `${this.#options.name}-${++this.#count}`;
    if (ask.kind === 'plan') {
      const plan = new OpenPlan({ id, ask, plan: planOf(ask) ?? '', stage, changed, t, logger });
      this.#plans.set(ask.id, plan);
      if (planOf(ask) !== undefined) void this.#quietly(() => plan.show('quietly'));
      return;
    }
    const path = proposedPath(ask.toolName, ask.input);
    if (path === undefined) return;
    const proposal = new OpenProposal({
      ...{ id, ask, cwd, stage, t, logger, changed },
      read: () => read(nodePath.resolve(cwd, path)),
      path: nodePath.resolve(cwd, path),
    });
    this.#open.set(ask.id, proposal);
    void this.#prepare(proposal);
  }

  async #prepare(proposal: OpenProposal): Promise<void> {
    const { ask } = proposal;
    try {
      await proposal.prepare();
    } catch (error) {
      this.#options.logger.error('A proposal could not be prepared', error);
      this.#options.fail(ask.id, errorText(error));
      return;
    }
    const read = this.#clock.now() - ask.openedAt;
    if (this.#shown !== undefined || !(await this.#showQuietly(ask.id))) return;
    const shown = this.#clock.now() - ask.openedAt;
    this.#options.logger.info(`The diff was open ${shown} ms after its question, ${read} ms of them to read the file`);
  }

  async #showQuietly(askId: string): Promise<boolean> {
    return (await this.#quietly(() => this.#show(askId, 'quietly'))) === true;
  }

  /** Opens by itself, if that is wanted. The card is there either way, so a failure only has to be told. */
  async #quietly<T>(show: () => Promise<T>): Promise<T | undefined> {
    const { open, logger, tell } = this.#options;
    if (open() !== 'automatically') return undefined;
    try {
      return await show();
    } catch (error) {
      logger.error('A proposal could not be opened in the editor', error);
      tell(errorText(error));
      return undefined;
    }
  }

  /** One tab for the chat: what is shown next takes the place of what was shown. */
  async #show(askId: string, how: 'asked' | 'quietly'): Promise<boolean> {
    const open = this.#open.get(askId);
    const pending = await open?.ready;
    if (open === undefined || pending?.hasDiff !== true || !this.#open.has(askId)) return false;
    const before = this.#shown === undefined ? undefined : this.#open.get(this.#shown);
    this.#shown = askId;
    await open.show(how);
    if (before !== undefined && before !== open) await this.#options.stage.close(before.id);
    return true;
  }

  #take(askId: string): Disposable | undefined {
    if (this.#shown === askId) this.#shown = undefined;
    const found = this.#open.get(askId) ?? this.#plans.get(askId);
    this.#open.delete(askId);
    this.#plans.delete(askId);
    return found;
  }

  #keep(ask: PermissionAsk, shaped: ShapedAsk): void {
    if (ask.toolUseId === undefined) return;
    this.#answered.set(ask.toolUseId, shaped);
    const [oldest] = this.#answered.keys();
    if (this.#answered.size > mostAnswered && oldest !== undefined) this.#answered.delete(oldest);
  }

  #edited(id: string, text: string): void {
    for (const one of [...this.#open.values(), ...this.#plans.values()]) if (one.id === id) one.edited = text;
  }
}
