import type { Emitter } from '../../base/emitter.ts';
import type { AssistantFrame, ResultFrame } from '../../protocol/conversationFrame.ts';
import { SYNTHETIC_MODEL } from '../../protocol/conversationFrame.ts';
import type { StreamEvent } from '../../protocol/streamEvent.ts';
import type { TranscriptChange, UsageInfo } from '../transcriptModel.ts';

type Numbers = Readonly<Record<string, unknown>>;

/** Money from the newest result, tokens from the newest request of the main thread. Nothing is added up here. */
export class UsageMeter {
  readonly #changes: Emitter<TranscriptChange>;
  #info: UsageInfo = { totalCostUsd: 0 };
  /** What the newest request sent in; its answer is added while it grows. */
  #sentIn: number | undefined;
  #model: string | undefined;

  constructor(changes: Emitter<TranscriptChange>) {
    this.#changes = changes;
  }

  get info(): UsageInfo {
    return this.#info;
  }

  streamed(event: StreamEvent): void {
    if (event.type === 'message_start') {
      if (event.message.model !== undefined) this.#model = event.message.model;
      if (event.message.usage) this.#request(event.message.usage);
    }
    if (event.type === 'message_delta' && event.usage) this.#answer(event.usage);
  }

  spoken(frame: AssistantFrame): void {
    const { model, usage } = frame.message;
    if (model === SYNTHETIC_MODEL || frame.parent_tool_use_id || !usage) return;
    if (model !== undefined) this.#model = model;
    this.#request(usage);
  }

  compacted(postTokens: number | undefined): void {
    if (postTokens !== undefined) this.#set({ ...this.#info, contextTokens: postTokens });
  }

  ended(frame: ResultFrame): void {
    const used = this.#model === undefined ? undefined : frame.modelUsage[this.#model];
    const output = frame.usage?.['output_tokens'];
    this.#set({
      ...this.#info,
      totalCostUsd: frame.total_cost_usd,
      ...(used?.contextWindow === undefined ? {} : { contextWindow: used.contextWindow }),
      ...(typeof output === 'number' ? { outputTokens: output } : {}),
    });
  }

  clear(): void {
    this.#sentIn = undefined;
    this.#set({ totalCostUsd: 0 });
  }

  #request(usage: Numbers): void {
    this.#sentIn =
      numberIn(usage, 'input_tokens') +
      numberIn(usage, 'cache_read_input_tokens') +
      numberIn(usage, 'cache_creation_input_tokens');
    this.#set({ ...this.#info, contextTokens: this.#sentIn + numberIn(usage, 'output_tokens') });
  }

  #answer(usage: Numbers): void {
    if (this.#sentIn === undefined || usage['output_tokens'] === undefined) return;
    this.#set({ ...this.#info, contextTokens: this.#sentIn + numberIn(usage, 'output_tokens') });
  }

  #set(info: UsageInfo): void {
    const now = this.#info;
    if (
      now.totalCostUsd === info.totalCostUsd &&
      now.contextTokens === info.contextTokens &&
      now.contextWindow === info.contextWindow &&
      now.outputTokens === info.outputTokens
    ) {
      return;
    }
    this.#info = info;
    this.#changes.fire({ type: 'usage' });
  }
}

function numberIn(usage: Numbers, key: string): number {
  const value = usage[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}
