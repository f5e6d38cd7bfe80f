import type { Clock } from '../../base/clock.ts';
import type { ContentBlock } from '../../protocol/contentBlock.ts';
import { SYNTHETIC_MODEL } from '../../protocol/conversationFrame.ts';
import type { TranscriptItem } from '../transcriptModel.ts';
import type { Drafts } from './drafts.ts';
import type { ItemStore } from './itemStore.ts';
import { stripCommandOutput } from './markers.ts';
import type { MessageIds } from './messageIds.ts';
import type { NoticeBoard } from './noticeBoard.ts';
import type { ToolBook } from './toolBook.ts';

/** One or more finished blocks of a message, from a frame or from a line of a transcript. */
export interface Said {
  readonly messageId: string | undefined;
  readonly model: string | undefined;
  readonly content: readonly ContentBlock[];
  readonly uuid: string | undefined;
  readonly at: number;
  readonly parentToolUseId: string | undefined;
  readonly aborted: boolean;
  /** An API error told in the CLI's words. */
  readonly failure?: { readonly code: string; readonly status?: number };
  /** The output of a slash command, as the CLI recorded it. */
  readonly localCommand?: { readonly command?: string; readonly output: string };
  readonly thinkingMs?: number;
  /** Place of the first block in its message, where the source knows it. */
  readonly blockIndex?: number;
}

interface SaidBlock extends Said {
  readonly messageId: string;
  readonly index: number | undefined;
  readonly place: { readonly parentToolUseId?: string };
}

/** What the CLI writes into a transcript in place of an answer that never came. */
const FILLER = 'No response requested.';

/** What the model said: finished blocks, merged by message, once each. */
export class Speech {
  readonly #store: ItemStore;
  readonly #drafts: Drafts;
  readonly #tools: ToolBook;
  readonly #notices: NoticeBoard;
  readonly #ids: MessageIds;
  readonly #clock: Clock;
  /** Ids of the items each frame made: repeated frames are known by it, retracted ones found. */
  readonly #made = new Map<string, readonly string[]>();

  constructor(store: ItemStore, drafts: Drafts, tools: ToolBook, notices: NoticeBoard, ids: MessageIds, clock: Clock) {
    this.#store = store;
    this.#drafts = drafts;
    this.#tools = tools;
    this.#notices = notices;
    this.#ids = ids;
    this.#clock = clock;
  }

  say(said: Said): void {
    if (!this.isNew(said.uuid)) return;
    const ids = said.model === SYNTHETIC_MODEL || said.failure ? this.#sayForCli(said) : this.#sayForModel(said);
    this.note(said.uuid, ids);
  }

  /** Whether a frame of this uuid has not been seen. A compaction sends earlier ones again under other message ids. */
  isNew(uuid: string | undefined): boolean {
    return uuid === undefined || !this.#made.has(uuid);
  }

  note(uuid: string | undefined, ids: readonly string[]): void {
    if (uuid !== undefined) this.#made.set(uuid, ids);
  }

  /** Takes back what these frames said. */
  retract(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      for (const id of this.#made.get(uuid) ?? []) this.#store.remove(id);
      const prompt = this.#store.find(uuid);
      if (prompt && prompt.kind !== 'prompt') this.#store.remove(uuid);
    }
  }

  /** Items that came from elsewhere (history): frames that repeat them are known. */
  remember(items: readonly TranscriptItem[]): void {
    for (const item of items) {
      if (item.kind === 'prompt' || item.kind === 'notice') this.note(item.id, [item.id]);
      else if ('uuid' in item) this.note(item.uuid, [item.id]);
    }
  }

  forget(): void {
    this.#made.clear();
  }

  #sayForCli(said: Said): string[] {
    const text = said.content.map(block => (block.type === 'text' ? block.text : '')).join('\n');
    const from = { id: said.uuid, at: said.at };
    if (said.failure) {
      this.#notices.failed({ type: 'turnFailed', message: text, ...said.failure }, said.uuid, said.at);
    } else if (said.localCommand) {
      const { output, command } = said.localCommand;
      this.#notices.commandOutput(stripCommandOutput(output), command, said.uuid, said.at);
    } else if (text !== '' && text !== FILLER) {
      this.#notices.add({ type: 'informational', level: 'notice', text }, from);
    }
    return said.uuid === undefined ? [] : [said.uuid];
  }

  #sayForModel(said: Said): string[] {
    const parent = this.#tools.parentFor(said.parentToolUseId);
    if (said.parentToolUseId === undefined) this.#notices.wentOnAfterFailure();
    const place = parent === undefined ? {} : { parentToolUseId: parent };
    const messageId = said.messageId ?? said.uuid ?? `message@${said.at}`;
    return said.content.flatMap((block, offset) => {
      const index = said.blockIndex === undefined ? undefined : said.blockIndex + offset;
      return this.#block(block, { ...said, messageId, index, place }) ?? [];
    });
  }

  /** Returns the id of the item it made. */
  #block(block: ContentBlock, said: SaidBlock): string | undefined {
    switch (block.type) {
      case 'text':
        return this.#text(block.text, said);
      case 'thinking':
        return this.#thinking(block.thinking, false, said);
      case 'redacted_thinking':
        return this.#thinking('', true, said);
      case 'tool_use':
      case 'server_tool_use': {
        const streamed = this.#drafts.takeTool(said.parentToolUseId, block.id);
        this.#ids.finished(said.messageId, streamed ?? said.index);
        const uuid = said.uuid === undefined ? {} : { uuid: said.uuid };
        this.#tools.used({
          toolUseId: block.id,
          name: block.name,
          input: block.input,
          at: said.at,
          ...said.place,
          ...uuid,
        });
        return block.id;
      }
      case 'server_tool_result':
      case 'tool_result':
        this.#ids.finished(said.messageId, said.index);
        this.#tools.ended({
          toolUseId: block.tool_use_id,
          content: block.type === 'tool_result' ? block.content : [],
          isError: block.is_error ?? false,
          ...(block.type === 'server_tool_result' ? { structured: block.content } : {}),
          at: said.at,
        });
        return undefined;
      default: {
        const id = this.#store.freeId(this.#ids.finished(said.messageId, said.index));
        const rawType = block.type === 'unknown' ? (block.rawType ?? '') : block.type;
        this.#notices.add(
          { type: 'unknown', rawType, raw: block.type === 'unknown' ? block.raw : block },
          {
            id,
            at: said.at,
            ...(said.place.parentToolUseId === undefined ? {} : { parent: said.place.parentToolUseId }),
          },
        );
        return id;
      }
    }
  }

  #text(text: string, said: SaidBlock): string | undefined {
    const { id, at, place } = this.#placeFor('text', said);
    if (text === '') {
      this.#store.remove(id);
      return undefined;
    }
    this.#store.put({
      kind: 'text',
      id,
      at,
      text,
      streaming: false,
      aborted: said.aborted,
      ...place,
      ...(said.model === undefined ? {} : { model: said.model }),
      ...(said.uuid === undefined ? {} : { uuid: said.uuid }),
    });
    return id;
  }

  #thinking(text: string, redacted: boolean, said: SaidBlock): string {
    const { id, at, place, startedAt } = this.#placeFor('thinking', said);
    const durationMs = said.thinkingMs ?? (startedAt === undefined ? undefined : this.#clock.now() - startedAt);
    const draft = this.#store.find(id);
    const tokens = draft?.kind === 'thinking' ? draft.estimatedTokens : undefined;
    this.#store.put({
      kind: 'thinking',
      id,
      at,
      text,
      streaming: false,
      redacted,
      ...place,
      ...(durationMs === undefined ? {} : { durationMs }),
      ...(tokens === undefined ? {} : { estimatedTokens: tokens }),
    });
    return id;
  }

  /** Where a finished block goes: into its draft's place, or at the end under its own id. */
  #placeFor(
    kind: 'text' | 'thinking',
    said: SaidBlock,
  ): {
    readonly id: string;
    readonly at: number;
    readonly place: { readonly parentToolUseId?: string };
    readonly startedAt?: number;
  } {
    const draft = this.#drafts.take(said.parentToolUseId, said.messageId, kind);
    const wished = this.#ids.finished(said.messageId, draft?.index ?? said.index);
    if (!draft) return { id: this.#store.freeId(wished), at: said.at, place: said.place };
    const item = this.#store.find(draft.id);
    const parent = item?.parentToolUseId;
    // An item that is already there stays under the parent it was put under.
    const place = item === undefined ? said.place : parent === undefined ? {} : { parentToolUseId: parent };
    return { id: draft.id, at: item?.at ?? said.at, place, startedAt: draft.startedAt };
  }
}
