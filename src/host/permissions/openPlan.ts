import type { Disposable } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { Translate } from '../chat/words.ts';
import type { ShapedAsk } from './askShaper.ts';
import type { ProposalStage } from './proposalStage.ts';

export interface OpenPlanOptions {
  readonly id: string;
  readonly ask: PermissionAsk;
  readonly plan: string;
  readonly stage: ProposalStage;
  readonly changed: () => void;
  readonly t: Translate;
  readonly logger: Logger;
}

/** A plan that waits for approval, as a document that can be edited. Opened on request only. */
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
    } as const;
    return { card, notes: [], hasDiff: false };
  }

  async show(): Promise<void> {
    const { id } = this;
    const { plan, stage, t } = this.#options;
    await stage.show({ id, path: 'plan.md', title: t('Plan (Handrail)'), right: this.#edited ?? plan }, 'asked');
  }

  dispose(): void {
    const { stage, logger } = this.#options;
    stage.close(this.id).catch((error: unknown) => logger.error('The plan could not be closed', error));
  }
}
