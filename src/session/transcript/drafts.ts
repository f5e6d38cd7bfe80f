import type { Clock } from '../../base/clock.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import type { BlockDelta, StreamEvent } from '../../protocol/streamEvent.ts';
import type { TextItem, ThinkingItem } from '../transcriptModel.ts';
import type { ItemStore } from './itemStore.ts';
import type { MessageIds } from './messageIds.ts';
import { readPartialObject } from './partialJson.ts';
import type { ToolBook } from './toolBook.ts';

interface SpokenDraft {
  readonly kind: 'text' | 'thinking';
  readonly id: string;
  readonly startedAt: number;
}

interface ToolDraft {
  readonly kind: 'tool';
  readonly id: string;
  readonly startedAt: number;
  /** Grows by concatenation, which V8 keeps as a rope: it is joined only when it is read. */
  json: string;
  /** Its length when it was last read. */
  readLength: number;
}

type Draft = SpokenDraft | ToolDraft;

interface Stream {
  readonly messageId: string;
  readonly key: string;
  readonly model: string | undefined;
  readonly parent: string | undefined;
  readonly blocks: Map<number, Draft>;
}

/** Inputs are read again each time they grew by this part: a stream of n characters costs O(n) in all. */
const REREAD_PART = 16;

/**
 * What streams in before the final blocks come. A draft already has the id and the place of its final form; the final
 * block takes it over, a new attempt takes it away.
 */
export class Drafts {
  readonly #store: ItemStore;
  readonly #tools: ToolBook;
  readonly #ids: MessageIds;
  readonly #clock: Clock;
  /** By parent tool use; '' is the main thread. */
  readonly #streams = new Map<string, Stream>();

  constructor(store: ItemStore, tools: ToolBook, ids: MessageIds, clock: Clock) {
    this.#store = store;
    this.#tools = tools;
    this.#ids = ids;
    this.#clock = clock;
  }

  apply(event: StreamEvent, parentToolUseId: string | undefined): void {
    const stream = this.#streams.get(parentToolUseId ?? '');
    switch (event.type) {
      case 'message_start':
        this.#start(event.message, parentToolUseId);
        return;
      case 'content_block_start':
        if (stream && !stream.blocks.has(event.index)) this.#begin(stream, event.index, event.content_block);
        return;
      case 'content_block_delta': {
        const draft = stream?.blocks.get(event.index);
        if (stream && draft) this.#grow(stream, draft, event.delta);
        return;
      }
      default:
    }
  }

  /** The oldest draft of that kind in that message: from now on its final form has its place. */
  take(
    parentToolUseId: string | undefined,
    messageId: string,
    kind: 'text' | 'thinking',
  ): { readonly id: string; readonly index: number; readonly startedAt: number } | undefined {
    const stream = this.#streams.get(parentToolUseId ?? '');
    if (stream?.messageId !== messageId) return undefined;
    for (const [index, draft] of stream.blocks) {
      if (draft.kind !== kind) continue;
      stream.blocks.delete(index);
      return { id: draft.id, index, startedAt: draft.startedAt };
    }
    return undefined;
  }

  /** A tool's final input has come; returns the block's index if it was streamed. */
  takeTool(parentToolUseId: string | undefined, toolUseId: string): number | undefined {
    for (const [index, draft] of this.#streams.get(parentToolUseId ?? '')?.blocks ?? []) {
      if (draft.id !== toolUseId) continue;
      this.#streams.get(parentToolUseId ?? '')?.blocks.delete(index);
      return index;
    }
    return undefined;
  }

  thinkingTokens(estimated: number): void {
    for (const draft of this.#streams.get('')?.blocks.values() ?? []) {
      const item = draft.kind === 'thinking' ? this.#store.find(draft.id) : undefined;
      if (item?.kind === 'thinking') this.#store.put({ ...item, estimatedTokens: estimated });
    }
  }

  /** No final form will come. Text a person may have read stays, marked; the rest goes. */
  end(): void {
    for (const stream of this.#streams.values()) {
      for (const draft of stream.blocks.values()) {
        const item = this.#store.find(draft.id);
        if (item?.kind === 'text') this.#store.put({ ...item, streaming: false, aborted: true });
        else this.#drop(draft);
      }
    }
    this.#streams.clear();
  }

  forget(): void {
    this.#streams.clear();
  }

  #start(message: { id: string; model?: string | undefined }, parent: string | undefined): void {
    const before = this.#streams.get(parent ?? '');
    for (const draft of before?.blocks.values() ?? []) this.#drop(draft);
    this.#streams.set(parent ?? '', {
      messageId: message.id,
      key: this.#ids.start(message.id),
      model: message.model,
      parent,
      blocks: new Map(),
    });
  }

  #begin(stream: Stream, index: number, block: ContentBlock): void {
    const startedAt = this.#clock.now();
    if (block.type === 'tool_use' || block.type === 'server_tool_use') {
      // A known tool use that streams again would only be a repetition.
      if (this.#store.has(block.id)) return;
      const parent = this.#tools.parentFor(stream.parent);
      this.#tools.draft({
        toolUseId: block.id,
        name: block.name,
        input: block.input,
        at: startedAt,
        ...(parent === undefined ? {} : { parentToolUseId: parent }),
      });
      stream.blocks.set(index, { kind: 'tool', id: block.id, startedAt, json: '', readLength: 0 });
      return;
    }
    if (block.type !== 'text' && block.type !== 'thinking') return;
    const id = this.#store.freeId(`${stream.key}:${index}`);
    const draft: SpokenDraft = { kind: block.type, id, startedAt };
    stream.blocks.set(index, draft);
    const begun = block.type === 'text' ? block.text : block.thinking;
    // Thinking is worth a row before its first word; an empty text is not.
    if (begun !== '' || block.type === 'thinking') this.#append(stream, draft, begun);
  }

  #grow(stream: Stream, draft: Draft, delta: BlockDelta): void {
    if (draft.kind === 'tool') {
      if (delta.type === 'input_json_delta') this.#readInput(draft, delta.partial_json);
      return;
    }
    const more = delta.type === 'text_delta' ? delta.text : delta.type === 'thinking_delta' ? delta.thinking : '';
    if (more !== '') this.#append(stream, draft, more);
  }

  #append(stream: Stream, draft: SpokenDraft, more: string): void {
    const item = this.#store.find(draft.id);
    if (item === undefined) {
      this.#store.put(this.#newItem(stream, draft, more));
    } else if (item.kind === 'text' || item.kind === 'thinking') {
      // A rope again: consumers that follow `appended` never pay for the whole text.
      this.#store.grow({ ...item, text: item.text + more }, more);
    }
  }

  #newItem(stream: Stream, draft: SpokenDraft, text: string): TextItem | ThinkingItem {
    const parent = this.#tools.parentFor(stream.parent);
    const base = {
      id: draft.id,
      at: draft.startedAt,
      text,
      streaming: true,
      ...(parent === undefined ? {} : { parentToolUseId: parent }),
    };
    if (draft.kind === 'thinking') return { ...base, kind: 'thinking', redacted: false };
    return { ...base, kind: 'text', aborted: false, ...(stream.model === undefined ? {} : { model: stream.model }) };
  }

  #readInput(draft: ToolDraft, more: string): void {
    draft.json += more;
    if (draft.json.length - draft.readLength < draft.readLength / REREAD_PART) return;
    draft.readLength = draft.json.length;
    this.#tools.draftInput(draft.id, readPartialObject(draft.json));
  }

  #drop(draft: Draft): void {
    const item = this.#store.find(draft.id);
    if (item?.kind === 'tool' && item.state !== 'streaming') return;
    this.#store.remove(draft.id);
  }
}
