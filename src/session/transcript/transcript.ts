import type { Clock } from '../../base/clock.ts';
import { systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Event } from '../../base/emitter.ts';
import { Emitter } from '../../base/emitter.ts';
import type { Logger } from '../../base/logger.ts';
import { silentLogger } from '../../base/logger.ts';
import type { CliFrame, UnknownFrame } from '../../protocol/cliFrame.ts';
import type { ElicitationAnswer, ElicitationRequest } from '../../protocol/cliRequests.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { AssistantFrame, ResultFrame, UserFrame } from '../../protocol/conversationFrame.ts';
import { realToolUseId } from '../../protocol/conversationFrame.ts';
import type { StatusFrame, SystemFrame } from '../../protocol/systemFrame.ts';
import type { NoticeItem, TaskInfo, TranscriptChange, TranscriptItem, UsageInfo } from '../transcriptModel.ts';
import { Parts } from './parts.ts';
import { readEnding, readMeta, saidIn, timeOf } from './readFrames.ts';
import { SystemNotes } from './systemNotes.ts';
import { TaskBook } from './taskBook.ts';
import { Turn } from './turn.ts';
import { UsageMeter } from './usageMeter.ts';

export interface SentPrompt {
  /** The uuid the prompt goes out with. */
  readonly uuid: string;
  readonly text: string;
  readonly attachments: readonly ContentBlock[];
  /** Sent while a turn runs: it waits its turn. */
  readonly queued: boolean;
}

export interface TranscriptOptions {
  readonly clock?: Clock;
  readonly logger?: Logger;
}

/**
 * The conversation as a list of items, made from frames as they come. Frames may come in any order and repeat; no frame
 * makes it throw. The cost of a frame does not depend on the length of the conversation.
 */
export class Transcript implements Disposable {
  readonly #changes: Emitter<TranscriptChange>;
  readonly #logger: Logger;
  readonly #clock: Clock;
  readonly #parts: Parts;
  readonly #usage: UsageMeter;
  readonly #tasks: TaskBook;
  readonly #systemNotes: SystemNotes;
  readonly #turn: Turn;
  /** A boundary was the last thing: the synthetic message after it is the summary. */
  #awaitsSummary = false;

  constructor(options: TranscriptOptions = {}) {
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
    // Whoever draws the conversation must not be able to stop it: prompts and turns go on behind a listener that fails.
    this.#changes = new Emitter(error => this.#logger.error('A listener of the transcript failed', error));
    this.#parts = new Parts(this.#changes, this.#clock);
    this.#usage = new UsageMeter(this.#changes);
    this.#turn = new Turn(this.#logger);
    this.#tasks = new TaskBook(this.#changes, this.#parts.tools, this.#clock);
    this.#systemNotes = new SystemNotes(this.#parts.notices, this.#parts.speech, this.#parts.tools, this.#logger);
  }

  /** One step of change each; fired while a frame is applied, after the items have changed. */
  get onDidChange(): Event<TranscriptChange> {
    return this.#changes.event;
  }

  /** Top level, in order. The same array for the life of the conversation (until `reset`): read it, do not keep copies. */
  get items(): readonly TranscriptItem[] {
    return this.#parts.store.top;
  }

  /** What happened inside a tool use (a subagent's doings), in order. */
  childrenOf(toolUseId: string): readonly TranscriptItem[] {
    return this.#parts.store.childrenOf(toolUseId);
  }

  find(id: string): TranscriptItem | undefined {
    return this.#parts.store.find(id);
  }

  get tasks(): ReadonlyMap<string, TaskInfo> {
    return this.#tasks.all;
  }

  get usage(): UsageInfo {
    return this.#usage.info;
  }

  /** History from disk, top level and nested together. Replaces everything and says `reset`. */
  load(items: readonly TranscriptItem[]): void {
    this.#forget();
    this.#parts.store.load(items);
    this.#parts.speech.remember(items);
    this.#changes.fire({ type: 'reset' });
  }

  /** An older page in front of what is there; said as `added` with indexes from 0. */
  prepend(items: readonly TranscriptItem[]): void {
    this.#parts.store.prepend(items);
    this.#parts.speech.remember(items);
  }

  /** A row that the CLI knows nothing of, at the end; one with the same id is replaced where it is. */
  note(item: NoticeItem): void {
    this.#parts.store.put(item);
  }

  /** A prompt that has just been written to the CLI. */
  promptSent(prompt: SentPrompt): void {
    this.#parts.prompts.sent(prompt);
  }

  /** The person took the prompt back before the agent began with it: its row goes. */
  promptTakenBack(uuid: string): void {
    this.#parts.prompts.takenBack(uuid);
  }

  /** A prompt that could not be written, or that the CLI did not get. */
  promptWithdrawn(uuid: string): void {
    this.#parts.prompts.withdrawn(uuid);
  }

  /** The CLI asks whether a tool may run: it waits for the person. A tool nobody spoke of yet gets its row now. */
  permissionAsked(toolUseId: string, name: string, input: Readonly<Record<string, unknown>>): void {
    this.#parts.tools.asked(toolUseId, name, input);
  }

  /** `input`: what the person let run in place of what was proposed. */
  permissionAnswered(toolUseId: string, allowed: boolean, input?: Readonly<Record<string, unknown>>): void {
    this.#parts.tools.answered(toolUseId, allowed, input);
  }

  /** A server asks the person something: a row of its own, for it belongs to no tool use that is known. */
  elicitationAsked(id: string, request: ElicitationRequest): void {
    this.#parts.tools.elicited(id, request);
  }

  /** Without an action nobody answered: the question was taken back, or could not be shown. */
  elicitationEnded(id: string, action?: ElicitationAnswer['action']): void {
    this.#parts.tools.elicitationEnded(id, action);
  }

  /** The process is gone, with or without a result: nothing streams, runs or retries any more. */
  processEnded(): void {
    this.#closeOpenEnds();
    this.#parts.tools.stopAll();
    this.#parts.prompts.endOfProcess();
    this.#tasks.clear();
    this.#turn.newProcess();
  }

  apply(frame: CliFrame): void {
    switch (frame.type) {
      case 'stream_event':
        if (frame.event.type === 'message_start') this.#parts.notices.streamResumed();
        if (!frame.parent_tool_use_id) this.#usage.streamed(frame.event);
        this.#parts.drafts.apply(frame.event, frame.parent_tool_use_id ?? undefined);
        return;
      case 'assistant':
        this.#assistant(frame);
        return;
      case 'user':
        this.#user(frame);
        return;
      case 'result':
        this.#result(frame);
        return;
      case 'system':
        this.#system(frame);
        return;
      case 'tool_progress':
        this.#parts.tools.progress(realToolUseId(frame), frame.elapsed_time_seconds, frame.task_id);
        return;
      case 'command_lifecycle':
        this.#parts.prompts.lifecycle(frame.command_uuid, frame.state, this.#turn.isActive);
        return;
      case 'conversation_reset':
        this.#reset();
        return;
      case 'rate_limit_event':
        this.#parts.notices.rateLimit(frame.rate_limit_info, frame.uuid);
        return;
      case 'unknown':
        this.#unknown(frame);
        return;
      default:
        // Sign-in, suggestions, goals, mirrors, keep-alives and control frames are no part of the conversation.
        this.#logger.trace(`transcript: ${frame.type} is not for the transcript`);
    }
  }

  dispose(): void {
    this.#changes.dispose();
  }

  /** A new kind of speech is worth a row; a control frame in disguise is not. */
  #unknown(frame: UnknownFrame): void {
    const rawType = frame.rawType ?? '';
    if (rawType === '' || rawType.startsWith('control_')) this.#logger.warn(`transcript: unreadable frame ${rawType}`);
    else this.#parts.notices.unknown(rawType, frame.raw);
  }

  #assistant(frame: AssistantFrame): void {
    this.#parts.notices.streamResumed();
    this.#usage.spoken(frame);
    this.#parts.speech.retract(frame.supersedes ?? []);
    this.#parts.speech.say(saidIn(frame, this.#clock.now()));
  }

  #user(frame: UserFrame): void {
    const parent = frame.parent_tool_use_id ?? undefined;
    const summary = this.#awaitsSummary && frame.isSynthetic === true && parent === undefined;
    if (summary) this.#awaitsSummary = false;
    this.#parts.userSpeech.hear(
      {
        content: frame.message.content,
        uuid: frame.uuid,
        at: timeOf(frame.timestamp) ?? this.#clock.now(),
        parentToolUseId: parent,
        synthetic: frame.isSynthetic ?? false,
        compactSummary: summary,
        toolMeta: (frame.tool_result_meta ?? []).map(readMeta),
        ...(frame.tool_use_result === undefined ? {} : { toolUseResult: frame.tool_use_result }),
      },
      (prompt, at) => this.#parts.prompts.echoed(prompt, at, this.#turn.isActive),
    );
  }

  #system(frame: SystemFrame): void {
    switch (frame.subtype) {
      case 'init':
        this.#turnBegins(frame.user_message_uuids);
        return;
      case 'status':
        this.#status(frame);
        return;
      case 'compact_boundary': {
        const { trigger, pre_tokens: preTokens, post_tokens: postTokens } = frame.compact_metadata;
        const after = postTokens === undefined ? {} : { postTokens };
        this.#parts.notices.compacted({ type: 'compacted', trigger, preTokens, ...after }, frame.uuid);
        this.#usage.compacted(postTokens);
        this.#awaitsSummary = true;
        return;
      }
      case 'thinking_tokens':
        this.#parts.drafts.thinkingTokens(frame.estimated_tokens);
        return;
      case 'task_started':
        this.#tasks.started(frame);
        return;
      case 'task_progress':
        this.#tasks.progress(frame);
        return;
      case 'task_updated':
        this.#tasks.updated(frame);
        return;
      case 'task_notification':
        this.#tasks.notified(frame);
        return;
      case 'background_tasks_changed':
        this.#tasks.backgroundSet(frame);
        return;
      default:
        this.#systemNotes.apply(frame);
    }
  }

  #status(frame: StatusFrame): void {
    if (frame.status === 'requesting') this.#turnBegins(frame.user_message_uuids);
    if (frame.status === 'compacting') this.#parts.notices.compacting(frame.uuid);
    if (frame.compact_result === 'failed') this.#parts.notices.compactionFailed(frame.compact_error ?? '');
  }

  #turnBegins(promptIds: readonly string[] | undefined): void {
    if (this.#turn.begin()) {
      this.#parts.notices.turnBegan();
      this.#tasks.turnBegan();
    }
    if (this.#turn.beginsWith(promptIds)) this.#parts.prompts.turnBegan(promptIds);
  }

  #result(frame: ResultFrame): void {
    this.#turn.countResult(frame.result_index);
    this.#usage.ended(frame);
    const ending = readEnding(frame);
    this.#closeOpenEnds();
    this.#parts.tools.turnEnded();
    for (const denial of frame.permission_denials) {
      // A turn that was stopped lists the question it was stopped at; the tool itself already says so.
      if (ending.kind !== 'stopped') this.#parts.tools.denied(denial.tool_use_id);
    }
    if (ending.kind === 'stopped') this.#parts.notices.stopped(frame.uuid);
    if (ending.kind === 'failed') this.#parts.notices.turnFailed(ending.failure, frame.uuid);
    this.#parts.prompts.turnEnded(ending.kind === 'done' ? 'completed' : 'cancelled');
    this.#parts.notices.turnBegan();
    this.#turn.end();
  }

  #closeOpenEnds(): void {
    this.#parts.drafts.end();
    this.#parts.notices.turnEnded();
  }

  /** `/clear`: a new conversation in the same process. Running prompts belong to the old one, and so do their echoes. */
  #reset(): void {
    const old = this.#parts.prompts.running;
    this.#forget();
    for (const uuid of old) this.#parts.prompts.ignore(uuid);
    this.#changes.fire({ type: 'reset' });
  }

  #forget(): void {
    this.#parts.forget();
    this.#usage.clear();
    this.#tasks.clear();
    this.#awaitsSummary = false;
  }
}
