import type { HostUserMessage, PromptBlock } from '../protocol/hostFrame.ts';

/** What a person sends: text, or blocks when there is more than text. */
export type PromptContent = string | readonly PromptBlock[];

export interface PromptOptions {
  /** The id it is to have, for whoever has to know it beforehand; never one that was used before. */
  readonly uuid?: string;
  /**
   * While a turn runs: `next` (the CLI's default) joins it at the next tool, `later` waits for a turn of its own, `now`
   * ends the running turn.
   */
  readonly priority?: 'now' | 'next' | 'later';
  /** Written by the extension, not typed: no `@file` expansion, no slash commands. */
  readonly composed?: boolean;
}

/**
 * `completed`: a turn took it in. `cancelled`: taken back, or its turn was stopped or failed. `undelivered`: the CLI never
 * began with it; the text is in the report and must not be lost.
 */
export type PromptOutcome = 'completed' | 'cancelled' | 'undelivered';

export interface PromptHandle {
  /** Id of the prompt in the transcript, the queue and the checkpoints. */
  readonly uuid: string;
  /** True as soon as the agent has begun with it, false if it ended without. Never rejects. */
  readonly begun: Promise<boolean>;
  /** Never rejects. */
  readonly done: Promise<PromptOutcome>;
}

/** A prompt that was handed over and that the CLI has not finished. */
export interface OpenPrompt {
  readonly uuid: string;
  readonly text: string;
  readonly content: PromptContent;
  readonly sentAt: number;
  /** `sent`: written, not yet acknowledged. `queued`: waits for the running turn. `started`: being worked on. */
  readonly state: 'sent' | 'queued' | 'started';
}

/** A prompt the CLI never began with, for the composer to hold again. A new try gets a new uuid. */
export interface UndeliveredPrompt {
  readonly uuid: string;
  readonly text: string;
  readonly content: PromptContent;
}

export function textOf(content: PromptContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
}

/** Everything but the text. */
export function attachmentsOf(content: PromptContent): readonly PromptBlock[] {
  return typeof content === 'string' ? [] : content.filter(block => block.type !== 'text');
}

export function toUserMessage(uuid: string, content: PromptContent, options: PromptOptions): HostUserMessage {
  return {
    type: 'user',
    message: { role: 'user', content: typeof content === 'string' ? [{ type: 'text', text: content }] : [...content] },
    parent_tool_use_id: null,
    session_id: '',
    uuid,
    origin: { kind: 'human' },
    ...(options.priority === undefined ? {} : { priority: options.priority }),
    ...(options.composed === true ? { client_composed: true } : {}),
  };
}
