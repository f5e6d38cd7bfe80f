import type { StepView } from './toolCard.ts';
import type { ActionView } from './viewItem.ts';

/** The agent's list of steps as it stands. Very long lists are cut; the counts are of all. */
export interface ChecklistView {
  readonly entries: readonly StepView[];
  readonly done: number;
  readonly total: number;
}

export interface ChoiceView {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

export interface TaskView {
  readonly taskId: string;
  readonly description: string;
  readonly status: string;
  readonly startedAt: number;
  readonly stoppable: boolean;
}

export interface QueuedView {
  readonly id: string;
  readonly text: string;
}

export interface CommandView {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
}

/** Something that keeps the session from working, or that one should know before going on: a card above the composer. */
export interface ErrorCard {
  /** An error when absent. */
  readonly level?: 'warning' | 'info';
  readonly title: string;
  readonly message: string;
  /** One line for each thing that was tried. */
  readonly tried: readonly string[];
  readonly detail?: string;
  readonly actions: readonly ActionView[];
}

/** All of the session that is not an item. Replaced whole: it is small. */
export interface SessionView {
  readonly state: 'none' | 'starting' | 'idle' | 'working' | 'awaitingPermission' | 'stopped';
  readonly title: string;
  readonly turnStartedAt?: number;
  readonly model: { readonly value: string; readonly label: string };
  readonly models: readonly ChoiceView[];
  readonly mode: string;
  readonly modes: readonly ChoiceView[];
  readonly effort?: string;
  readonly efforts: readonly ChoiceView[];
  readonly context?: { readonly usedTokens: number; readonly maxTokens: number };
  readonly costUsd?: number;
  readonly queue: readonly QueuedView[];
  readonly tasks: readonly TaskView[];
  /** Absent when the agent keeps no list, or has finished one and gone on. */
  readonly checklist?: ChecklistView;
  readonly commands: readonly CommandView[];
  readonly error?: ErrorCard;
  /** Open questions, oldest first. */
  readonly openAsks: readonly string[];
  readonly recent: readonly { readonly sessionId: string; readonly title: string; readonly at: number }[];
  /** What to come back to after a restart of the window; the view keeps it and hands it back. */
  readonly resume?: ResumeView;
}

export interface ResumeView {
  readonly folder: string;
  /** Under what the host keeps the draft of a conversation that has not begun. */
  readonly draftKey?: string;
  /** Absent while nothing was said. */
  readonly sessionId?: string;
  /** The session is to be branched with the next prompt, not continued. */
  readonly fork?: boolean;
  /** Branched off after this message. */
  readonly at?: string;
  /** Chosen for this session by the person. */
  readonly model?: string;
}
