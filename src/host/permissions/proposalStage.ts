import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import type { PlanComment } from '../../session/planAnswers.ts';

/** Texts to be shown side by side, or a single one to be edited. */
export interface StagedText {
  /** Names it for the life of the window. */
  readonly id: string;
  /** Shown above the text; its last part gives the editor the language. */
  readonly path: string;
  readonly title: string;
  /** Absent: a document of its own, not a comparison. */
  readonly left?: string;
  readonly right: string;
}

/**
 * `asked`: a person wants to see it now, and it may take the keyboard. `quietly`: it comes by itself and takes nothing
 * from what the person is doing.
 */
export type Appearance = 'asked' | 'quietly';

/** The editor, as far as proposals need it. An interface, so that the rest can be tested without VS Code. */
export interface ProposalStage {
  show(text: StagedText, how: Appearance): Promise<void>;
  /** New texts for what is on the stage; nothing happens to what is not. */
  update(text: StagedText): Promise<void>;
  /** The right side as the editor holds it this moment; undefined when it is not on the stage. */
  rightOf(id: string): string | undefined;
  /** The person edited the right side. */
  readonly onDidEdit: Event<{ readonly id: string; readonly text: string }>;
  /** What the person wrote beside its lines. */
  commentsOn(id: string): readonly PlanComment[];
  /** They wrote or removed a comment. */
  readonly onDidComment: Event<string>;
  /** Takes it away without asking anything. */
  close(id: string): Promise<void>;
  /** Calls when the file, or the editor's unsaved text of it, may have become another one. */
  watch(path: string, changed: () => void): Disposable;
  hasUnsaved(path: string): boolean;
}
