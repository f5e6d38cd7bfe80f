import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { AskNote } from '../../bridge/viewItem.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { PlanComment } from '../../session/planAnswers.ts';
import type { Translate } from '../chat/words.ts';
import type { ShapedAsk } from './askShaper.ts';
import type { Appearance, ProposalStage } from './proposalStage.ts';

export interface OpenPlanOptions {
  readonly id: string;
  readonly ask: PermissionAsk;
  readonly plan: string;
  readonly stage: ProposalStage;
  readonly changed: () => void;
  readonly t: Translate;
  readonly logger: Logger;
}

/** A plan that waits for approval, as a document that can be edited and commented on. */
export class OpenPlan implements Disposable {
  readonly id: string;
  readonly ask: PermissionAsk;
  readonly #options: OpenPlanOptions;
  #edited: string | undefined;

  constructor(options: OpenPlanOptions) {
    this.id = options.id;
    this.ask = options.ask;
    this.#options = options;
  }

  /** The text as changed in the editor; undefined when it is as the agent wrote it. */
  get edited(): string | undefined {
    const inEditor = this.#options.stage.rightOf(this.id);
    if (inEditor !== undefined) this.edited = inEditor;
    return this.#edited;
  }

  set edited(text: string | undefined) {
    const next = text === this.#options.plan ? undefined : text;
    if (next === this.#edited) return;
    this.#edited = next;
    this.#options.changed();
  }

  present(): ShapedAsk {
    const card = {
      type: 'plan',
      markdown: this.#edited ?? this.#options.plan,
      edited: this.#edited !== undefined,
      comments: this.comments.length,
    } as const;
    return { card, notes: this.#notes(), hasDiff: false };
  }

  get comments(): readonly PlanComment[] {
    return this.#options.stage.commentsOn(this.id);
  }

  /** The card looks different. */
  commented(): void {
    this.#options.changed();
  }

  async show(how: Appearance): Promise<void> {
    const { id } = this;
    const { plan, stage, t } = this.#options;
    await stage.show({ id, path: 'plan.md', title: t('Plan (Handrail)'), right: this.#edited ?? plan }, how);
  }

  #notes(): AskNote[] {
    const { t } = this.#options;
    const count = this.comments.length;
    if (count === 0) return [];
    const text =
      count === 1
        ? t('Your comment in the document goes to the agent with your answer.')
        : t('Your {0} comments in the document go to the agent with your answer.', count);
    return [{ level: 'info', text }];
  }

  dispose(): void {
    const { stage, logger } = this.#options;
    stage.close(this.id).catch((error: unknown) => logger.error('The plan could not be closed', error));
  }
}
