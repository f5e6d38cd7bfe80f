import type { Logger } from '../../base/logger.ts';
import type { SystemFrame, SystemFrameOf } from '../../protocol/systemFrame.ts';
import type { Notice } from '../transcriptModel.ts';
import { stripCommandOutput } from './markers.ts';
import type { NoticeBoard } from './noticeBoard.ts';
import type { Speech } from './speech.ts';
import type { ToolBook } from './toolBook.ts';

/** System frames that leave a row in the conversation, or change one. Those for other eyes are only logged. */
export class SystemNotes {
  readonly #notices: NoticeBoard;
  readonly #speech: Speech;
  readonly #tools: ToolBook;
  readonly #logger: Logger;

  constructor(notices: NoticeBoard, speech: Speech, tools: ToolBook, logger: Logger) {
    this.#notices = notices;
    this.#speech = speech;
    this.#tools = tools;
    this.#logger = logger;
  }

  apply(frame: SystemFrame): void {
    switch (frame.subtype) {
      case 'api_retry':
        this.#notices.retrying(frame);
        return;
      case 'permission_denied':
        this.#permissionDenied(frame);
        return;
      case 'model_refusal_fallback':
        this.#speech.retract(frame.retracted_message_uuids ?? []);
        this.#row({ type: 'refusal', text: frame.content, fallbackModel: frame.fallback_model }, frame.uuid);
        return;
      case 'model_refusal_no_fallback':
        this.#row({ type: 'refusal', text: frame.content }, frame.uuid);
        return;
      case 'local_command_output':
        this.#row({ type: 'localCommand', output: stripCommandOutput(frame.content) }, frame.uuid);
        return;
      case 'informational':
        if (frame.level !== 'info') {
          this.#row({ type: 'informational', level: frame.level, text: frame.content }, frame.uuid);
        }
        return;
      case 'memory_recall':
        this.#row({ type: 'memory', paths: frame.memories.map(memory => memory.path) }, frame.uuid);
        return;
      case 'session_writes_lost':
        this.#row({ type: 'writesLost', code: frame.error_code }, frame.uuid);
        return;
      case 'hook_response':
        this.#hook(frame);
        return;
      case 'unknown':
        this.#logger.warn(`transcript: unknown system frame ${frame.rawSubtype ?? ''}`);
        return;
      default:
        this.#logger.trace(`transcript: system ${frame.subtype} is not for the transcript`);
    }
  }

  #permissionDenied(frame: SystemFrameOf<'permission_denied'>): void {
    const shown = this.#tools.denied(frame.tool_use_id, frame.decision_reason ?? frame.message);
    if (!shown) {
      this.#row({ type: 'permissionDenied', toolName: frame.tool_name, message: frame.message }, frame.uuid);
    }
  }

  /** Hooks that went well are nobody's business here. */
  #hook(frame: SystemFrameOf<'hook_response'>): void {
    if (frame.outcome !== 'error') return;
    const output = [frame.output, frame.stderr, frame.stdout].find(text => text !== undefined && text !== '') ?? '';
    this.#row({ type: 'hook', name: frame.hook_name, outcome: frame.outcome, output }, frame.uuid);
  }

  #row(notice: Notice, uuid: string | undefined): void {
    if (!this.#speech.isNew(uuid)) return;
    const id = this.#notices.add(notice, { id: uuid });
    this.#speech.note(uuid, [id]);
  }
}
