import type { Clock } from '../../base/clock.ts';
import { Emitter } from '../../base/emitter.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import { SYNTHETIC_MODEL } from '../../protocol/conversationFrame.ts';
import { readBlocks } from '../../protocol/contentBlock.ts';
import type { TranscriptLineOf, TranscriptNode } from '../../protocol/transcriptLine.ts';
import type { TaskInfo, TranscriptChange, TranscriptItem } from '../transcriptModel.ts';
import { readUserText } from './markers.ts';
import { Parts } from './parts.ts';
import type { PromptText } from './promptBook.ts';
import { commandName, timeOf } from './readFrames.ts';
import {
  commandOf,
  fieldIn,
  inOrderOfSpeech,
  isInterruptMark,
  isRecord,
  numberIn,
  readCompaction,
  readMeta,
  readStatus,
  splitMerged,
} from './readLines.ts';

export interface FromLinesOptions {
  /** All of it happened inside this tool use (a subagent's own file). */
  readonly parentToolUseId?: string;
  /** What the lines after these told about them, when a conversation is read in pages. */
  readonly later?: Aftermath;
}

/** What a page tells about what came before it. */
export interface Aftermath {
  /** The turn the page begins in was stopped or failed. */
  readonly cancelled: boolean;
  /** The model went on in that turn: an error before it was not its end. */
  readonly wentOn: boolean;
  /** How background tasks ended, by the tool use that started them. */
  readonly taskEnds: ReadonlyMap<string, { readonly status: TaskInfo['status']; readonly at: number }>;
}

export interface FromLines {
  readonly items: TranscriptItem[];
  readonly before: Aftermath;
}

/** Nothing in a file happens now: what it leaves open is closed with the time of its last line. */
class LineClock implements Clock {
  time = 0;

  now(): number {
    return this.time;
  }

  after(): never {
    throw new Error('Reading a transcript waits for nothing.');
  }
}

/**
 * The items of a conversation from the lines of its branch, oldest first, the same as from the live frames. What the
 * file does not hold cannot come back: texts cut by a retry or lost with the process, notices of the CLI's own
 * (retries, limits, hooks), synthetic messages (they are `isMeta` lines here), progress and estimates.
 */
export function itemsFromLines(lines: readonly TranscriptNode[], options: FromLinesOptions = {}): FromLines {
  return new LineReader(options).read(lines);
}

class LineReader {
  readonly #clock = new LineClock();
  readonly #changes = new Emitter<TranscriptChange>();
  readonly #parts: Parts;
  readonly #parent: string | undefined;
  readonly #later: Aftermath | undefined;
  readonly #taskEnds = new Map<string, { readonly status: TaskInfo['status']; readonly at: number }>();
  /** Still in the turn that began before the first line. */
  #inFirstTurn = true;
  #cancelled = false;
  #wentOn = false;

  constructor(options: FromLinesOptions) {
    this.#parts = new Parts(this.#changes, this.#clock);
    this.#parent = options.parentToolUseId;
    this.#later = options.later;
  }

  read(lines: readonly TranscriptNode[]): FromLines {
    for (const line of inOrderOfSpeech(lines)) this.#line(line);
    this.#learnFromLater();
    this.#parts.tools.stopAll();
    const top = this.#parts.store.top;
    const parent = this.#parent;
    return {
      items: parent === undefined ? [...top] : top.map(item => ({ ...item, parentToolUseId: parent })),
      before: { cancelled: this.#cancelled, wentOn: this.#wentOn, taskEnds: this.#taskEnds },
    };
  }

  #learnFromLater(): void {
    const later = this.#later;
    if (later?.wentOn === true) this.#parts.notices.wentOnAfterFailure();
    if (this.#inFirstTurn) {
      this.#wentOn ||= later?.wentOn === true;
      this.#cancelled ||= later?.cancelled === true;
    }
    this.#parts.prompts.turnEnded(later?.cancelled === true ? 'cancelled' : 'completed');
    for (const [toolUseId, end] of later?.taskEnds ?? []) {
      this.#parts.tools.taskEnded(toolUseId, end.status, end.at);
      this.#taskEnds.set(toolUseId, end);
    }
  }

  #line(line: TranscriptNode): void {
    const at = timeOf(line.timestamp) ?? this.#clock.time;
    this.#clock.time = Math.max(this.#clock.time, at);
    switch (line.type) {
      case 'user':
        this.#user(line, at);
        return;
      case 'assistant':
        this.#assistant(line, at);
        return;
      case 'system':
        this.#system(line, at);
        return;
      case 'attachment':
        this.#queuedPrompt(line.attachment, at);
        return;
      case 'progress':
    }
  }

  #assistant(line: TranscriptLineOf<'assistant'>, at: number): void {
    const error = line.error;
    const failed = line.isApiErrorMessage === true || typeof error === 'string';
    const status = numberIn(line, 'apiErrorStatus');
    const thinkingMs = numberIn(line, 'thinkingDurationMs');
    this.#parts.speech.say({
      messageId: line.message.id,
      model: line.message.model,
      content: line.message.content,
      uuid: line.uuid,
      at,
      parentToolUseId: undefined,
      aborted: fieldIn(line, 'isAbortedMidStream') === true,
      ...(failed
        ? {
            failure: {
              code: typeof error === 'string' ? error : 'unknown',
              ...(status === undefined ? {} : { status }),
            },
          }
        : {}),
      ...(thinkingMs === undefined ? {} : { thinkingMs }),
      ...(line.apiBlockIndex === undefined ? {} : { blockIndex: line.apiBlockIndex }),
    });
    if (failed) this.#turnCancelled();
    else if (line.message.model !== SYNTHETIC_MODEL && this.#inFirstTurn && !this.#cancelled) this.#wentOn = true;
  }

  #turnCancelled(): void {
    this.#cancelled ||= this.#inFirstTurn;
    this.#parts.prompts.turnEnded('cancelled');
  }

  #user(line: TranscriptLineOf<'user'>, at: number): void {
    this.#taskNote(line.message.content, at);
    if (line.isMeta === true) return;
    const first = this.#parent !== undefined && this.#parts.store.top.length === 0;
    this.#parts.userSpeech.hear(
      {
        content: line.message.content,
        uuid: line.uuid,
        at,
        parentToolUseId: undefined,
        // What a subagent is told comes from the model, not from a person.
        synthetic: first,
        compactSummary: line.isCompactSummary === true,
        toolMeta: readMeta(line),
        ...(line.toolUseResult === undefined ? {} : { toolUseResult: line.toolUseResult }),
      },
      prompt => this.#prompted(line, prompt, at),
    );
    if (line.message.content.some(isInterruptMark)) this.#turnCancelled();
  }

  #prompted(line: TranscriptLineOf<'user'>, prompt: PromptText, at: number): void {
    // A change of the model by request is recorded as if it had been typed; nobody did.
    if (
      prompt.text.startsWith('/model') &&
      commandOf(line) !== undefined &&
      fieldIn(line, 'turnAttributionKey') === undefined
    )
      return;
    if (line.origin?.['kind'] !== undefined && line.origin['kind'] !== 'human') return;
    this.#turnBegins();
    for (const part of splitMerged(line, prompt)) {
      this.#parts.prompts.recorded(part, at, part.uuid !== prompt.uuid);
    }
  }

  #system(line: TranscriptLineOf<'system'>, at: number): void {
    if (line.subtype === 'compact_boundary') {
      this.#parts.notices.compacted(readCompaction(line.compactMetadata ?? {}), line.uuid, at);
      return;
    }
    if (line.subtype !== 'local_command' || typeof line.content !== 'string') return;
    const submitted = fieldIn(line, 'submitUuid');
    if (typeof submitted === 'string') {
      this.#turnBegins();
      this.#parts.prompts.recorded({ uuid: submitted, text: line.content, attachments: [] }, at, false);
      return;
    }
    const meaning = readUserText(line.content);
    const output = meaning.kind === 'commandOutput' ? meaning.output : line.content;
    this.#parts.notices.commandOutput(output, commandName(fieldIn(line, 'commandRun')), line.uuid, at);
  }

  /** A prompt that was taken into a running turn is recorded beside it. */
  #queuedPrompt(attachment: unknown, at: number): void {
    if (!isRecord(attachment) || attachment['type'] !== 'queued_command') return;
    const uuid = attachment['source_uuid'];
    if (typeof uuid !== 'string' || attachment['commandMode'] !== 'prompt') return;
    const blocks = readBlocks(attachment['prompt'], ignore);
    const text = blocks.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n');
    const attachments = blocks.filter(block => block.type !== 'text');
    if (readUserText(text).kind === 'prompt') this.#parts.prompts.recorded({ uuid, text, attachments }, at, true);
    else this.#taskNote(blocks, at);
  }

  /** How a background task ended is told to the model in a message of its own. */
  #taskNote(content: readonly ContentBlock[], at: number): void {
    for (const block of content) {
      if (block.type !== 'text' || readUserText(block.text).kind !== 'taskNote') continue;
      const toolUseId = /<tool-use-id>([^<]*)<\/tool-use-id>/.exec(block.text)?.[1];
      const status = /<status>([^<]*)<\/status>/.exec(block.text)?.[1];
      if (toolUseId === undefined) continue;
      this.#parts.tools.taskEnded(toolUseId, readStatus(status), at);
      this.#taskEnds.set(toolUseId, { status: readStatus(status), at });
    }
  }

  #turnBegins(): void {
    this.#inFirstTurn = false;
    this.#parts.prompts.turnEnded('completed');
    this.#parts.notices.turnBegan();
  }
}

const ignore = (): void => undefined;
