import type { ContentBlock, ToolResultBlock } from '../../protocol/contentBlock.ts';
import type { ToolItem } from '../transcriptModel.ts';
import { readUserText } from './markers.ts';
import type { NoticeBoard } from './noticeBoard.ts';
import type { PromptBook, PromptText } from './promptBook.ts';
import type { Speech } from './speech.ts';
import type { ToolBook } from './toolBook.ts';

/** A message in the user's name, from a frame or from a line of a transcript. */
export interface Heard {
  readonly content: readonly ContentBlock[];
  readonly uuid: string | undefined;
  readonly at: number;
  readonly parentToolUseId: string | undefined;
  /** Made by the CLI, not by a person. */
  readonly synthetic: boolean;
  readonly compactSummary: boolean;
  readonly toolUseResult?: unknown;
  readonly toolMeta: readonly ToolMeta[];
}

/** Why a tool ran or did not. Without an id it is about the only tool of the message. */
export interface ToolMeta {
  readonly id?: string;
  readonly decision?: NonNullable<ToolItem['decision']>;
  readonly notRun?: string;
}

/** Where prompts go: live ones have a queue, those of a transcript do not. */
export type PromptSink = (prompt: PromptText, at: number) => void;

/** Takes apart what comes as `user`: tool results, prompts, and the many things that are neither. */
export class UserSpeech {
  readonly #speech: Speech;
  readonly #prompts: PromptBook;
  readonly #tools: ToolBook;
  readonly #notices: NoticeBoard;
  #sequence = 0;

  constructor(speech: Speech, prompts: PromptBook, tools: ToolBook, notices: NoticeBoard) {
    this.#speech = speech;
    this.#prompts = prompts;
    this.#tools = tools;
    this.#notices = notices;
  }

  hear(heard: Heard, prompted: PromptSink): void {
    const results: ToolResultBlock[] = [];
    const rest: ContentBlock[] = [];
    for (const block of heard.content) {
      if (block.type === 'tool_result') results.push(block);
      else rest.push(block);
    }
    for (const result of results) this.#result(result, heard, results.length === 1);
    if (rest.length > 0) this.#words(rest, heard, prompted);
  }

  #result(result: ToolResultBlock, heard: Heard, alone: boolean): void {
    const meta = heard.toolMeta.find(entry => entry.id === result.tool_use_id || (alone && entry.id === undefined));
    this.#tools.ended({
      toolUseId: result.tool_use_id,
      content: result.content,
      isError: result.is_error ?? false,
      at: heard.at,
      // One structured result for several tools cannot be told apart.
      ...(alone && heard.toolUseResult !== undefined ? { structured: heard.toolUseResult } : {}),
      ...(meta?.decision === undefined ? {} : { decision: meta.decision }),
      ...(meta?.notRun === undefined ? {} : { notRun: meta.notRun }),
    });
  }

  #words(blocks: readonly ContentBlock[], heard: Heard, prompted: PromptSink): void {
    const text = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
    const attachments = blocks.filter(block => block.type !== 'text');
    const uuid = heard.uuid ?? `prompt:${this.#sequence++}`;
    if (heard.parentToolUseId !== undefined) {
      this.#once(heard.uuid, () =>
        this.#prompts.synthetic({ uuid, text, attachments }, heard.at, this.#tools.parentFor(heard.parentToolUseId)),
      );
      return;
    }
    if (heard.compactSummary) {
      this.#once(heard.uuid, () => this.#notices.compactSummary(text, heard.uuid, heard.at));
      return;
    }
    const meaning = attachments.length > 0 ? ({ kind: 'prompt' } as const) : readUserText(text);
    switch (meaning.kind) {
      case 'interrupted':
        this.#once(heard.uuid, () => this.#notices.stopped(heard.uuid, heard.at));
        return;
      case 'commandOutput':
        this.#once(heard.uuid, () => this.#notices.commandOutput(meaning.output, undefined, heard.uuid, heard.at));
        return;
      case 'taskNote':
      case 'caveat':
        return;
      case 'command':
        prompted({ uuid, text: meaning.command, attachments }, heard.at);
        return;
      case 'prompt':
        if (heard.synthetic)
          this.#once(heard.uuid, () => this.#prompts.synthetic({ uuid, text, attachments }, heard.at, undefined));
        else prompted({ uuid, text, attachments }, heard.at);
    }
  }

  /** Prompts know themselves whether they are repeated; everything else must be told. */
  #once(uuid: string | undefined, act: () => void): void {
    if (!this.#speech.isNew(uuid)) return;
    act();
    if (uuid !== undefined) this.#speech.note(uuid, [uuid]);
  }
}
