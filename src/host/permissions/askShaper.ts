import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { ToolCard } from '../../bridge/toolCard.ts';
import type { AskNote } from '../../bridge/viewItem.ts';
import type { PermissionAsk } from '../../session/permissionAsk.ts';
import type { DeskChange } from '../../session/permissionDesk.ts';
import type { PlanComment } from '../../session/planAnswers.ts';
import type { ToolFields } from '../../session/proposal/updatedInput.ts';

/** What the card of a question shows beyond what the CLI said. */
export interface ShapedAsk {
  readonly card: ToolCard;
  readonly notes: readonly AskNote[];
  readonly hasDiff: boolean;
}

/** What an allow lets run. */
export interface ShapedAllow {
  /** Absent: the original, untouched. */
  readonly input?: ToolFields;
  /** What the agent is told about the change. */
  readonly note?: string;
}

/** The part of a chat that lets a person see and shape what they are asked about. */
export interface AskShaper extends Disposable {
  /** The card of this tool use looks different now. */
  readonly onDidChange: Event<string>;
  deskChanged(change: DeskChange): void;
  present(toolUseId: string): ShapedAsk | undefined;
  /**
   * What allowing this question lets run, with what the person changed in the editor. Undefined: not like this; the
   * person was told why and the question stays open.
   */
  allow(ask: PermissionAsk, leftOut: readonly number[]): Promise<ShapedAllow | undefined>;
  /** The plan as it stands in the editor; undefined when it was not changed there. */
  editedPlan(ask: PermissionAsk): string | undefined;
  /** What the person wrote beside the lines of the plan. */
  planComments(ask: PermissionAsk): readonly PlanComment[];
  chooseHunk(askId: string, hunk: number, take: boolean): Promise<void>;
  /** The conversation is over; its questions will not be heard of again. */
  reset(): void;
  /** Opens the diff, or the plan as a document. False: there is none to show. */
  show(askId: string): Promise<boolean>;
}
