import type { ChecklistView } from '../../bridge/sessionView.ts';
import type { Checklist } from '../../session/transcript/checklist.ts';
import { isChecklistTool, readChecklist } from '../../session/transcript/checklist.ts';
import type { TranscriptChange, TranscriptItem } from '../../session/transcriptModel.ts';
import { cleanText } from './cleanText.ts';

/** Beyond these a list is cut: it goes to the view with every change of the session. */
const mostSteps = 100;
const longestStep = 300;

/**
 * The present list of steps of one conversation. Read anew from the items, but only when something that bears on it has
 * changed and somebody asks.
 */
export class StepList {
  readonly #items: () => readonly TranscriptItem[];
  #read: Checklist | undefined;
  #known = false;
  /** Tool uses that were drawn with a task's number, because nobody had told its subject yet. */
  readonly #nameless = new Map<string, string>();

  constructor(items: () => readonly TranscriptItem[]) {
    this.#items = items;
  }

  /** Whether the list may be another now. */
  change(change: TranscriptChange): boolean {
    switch (change.type) {
      case 'added':
      case 'updated':
        return this.#bears(change.item) && this.#stale();
      case 'removed':
        return this.#known && this.#stale();
      case 'reset':
        this.#known = false;
        return this.#stale();
      case 'grew':
      case 'tasks':
      case 'usage':
        return false;
    }
  }

  get view(): ChecklistView | undefined {
    const { steps } = this.#now();
    if (steps.length === 0) return undefined;
    return {
      entries: steps
        .slice(0, mostSteps)
        .map(({ text, state }) => ({ text: cleanText(text).slice(0, longestStep), state })),
      done: steps.filter(step => step.state === 'completed').length,
      total: steps.length,
    };
  }

  subject(taskId: string, toolUseId: string): string | undefined {
    const subject = this.#now().subjects.get(taskId);
    if (subject === undefined) this.#nameless.set(toolUseId, taskId);
    return subject;
  }

  /** Tool uses whose task has got a name since they were drawn. */
  takeNamed(): readonly string[] {
    if (this.#nameless.size === 0) return [];
    const { subjects } = this.#now();
    const named = [...this.#nameless].flatMap(([toolUseId, taskId]) => (subjects.has(taskId) ? [toolUseId] : []));
    for (const toolUseId of named) this.#nameless.delete(toolUseId);
    return named;
  }

  /** Prompts matter only once there is a list: they end one that is done. */
  #bears(item: TranscriptItem): boolean {
    if (item.parentToolUseId !== undefined) return false;
    if (item.kind === 'prompt') return this.#known;
    const isStep = item.kind === 'tool' && isChecklistTool(item.name);
    if (isStep) this.#known = true;
    return isStep;
  }

  #stale(): true {
    this.#read = undefined;
    return true;
  }

  #now(): Checklist {
    this.#read ??= readChecklist(this.#items());
    if (this.#read.steps.length > 0 || this.#read.subjects.size > 0) this.#known = true;
    return this.#read;
  }
}
