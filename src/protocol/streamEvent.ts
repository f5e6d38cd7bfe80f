import * as z from 'zod/mini';
import type { ContentBlock } from './contentBlock.ts';
import { readBlock, readBlocks } from './contentBlock.ts';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import {
  alreadyRead,
  count,
  fields,
  identity,
  isFields,
  lazy,
  maybeCount,
  maybeFields,
  maybeText,
  nullishText,
  text,
  wire,
} from './schemaKit.ts';

const block = alreadyRead<ContentBlock>(isFields);
const blocks = alreadyRead<ContentBlock[]>(Array.isArray);
const delta = alreadyRead<BlockDelta>(isFields);

const deltaSchemas = {
  text_delta: lazy(() => wire({ type: z.literal('text_delta'), text })),
  input_json_delta: lazy(() => wire({ type: z.literal('input_json_delta'), partial_json: text })),
  thinking_delta: lazy(() => wire({ type: z.literal('thinking_delta'), thinking: text, estimated_tokens: maybeCount })),
  signature_delta: lazy(() => wire({ type: z.literal('signature_delta'), signature: text })),
};

const eventSchemas = {
  message_start: lazy(() =>
    wire({
      type: z.literal('message_start'),
      message: wire({ id: identity, model: maybeText, role: maybeText, content: blocks, usage: maybeFields }),
    }),
  ),
  content_block_start: lazy(() => wire({ type: z.literal('content_block_start'), index: count, content_block: block })),
  content_block_delta: lazy(() => wire({ type: z.literal('content_block_delta'), index: count, delta })),
  content_block_stop: lazy(() => wire({ type: z.literal('content_block_stop'), index: count })),
  message_delta: lazy(() =>
    wire({
      type: z.literal('message_delta'),
      delta: wire({ stop_reason: nullishText, stop_sequence: nullishText }),
      usage: maybeFields,
    }),
  ),
  message_stop: lazy(() => wire({ type: z.literal('message_stop') })),
  ping: lazy(() => wire({ type: z.literal('ping') })),
  error: lazy(() => wire({ type: z.literal('error'), error: fields })),
};

type DeltaSchemas = typeof deltaSchemas;
type EventSchemas = typeof eventSchemas;

export interface UnknownDelta {
  type: 'unknown';
  rawType?: string;
  raw: Fields;
}
export interface UnknownStreamEvent {
  type: 'unknown';
  rawType?: string;
  raw: Fields;
}

export type BlockDelta =
  { [K in keyof DeltaSchemas]: z.output<ReturnType<DeltaSchemas[K]>> }[keyof DeltaSchemas] | UnknownDelta;

export type MessageStartEvent = z.output<ReturnType<EventSchemas['message_start']>>;
export type ContentBlockStartEvent = z.output<ReturnType<EventSchemas['content_block_start']>>;
export type ContentBlockStopEvent = z.output<ReturnType<EventSchemas['content_block_stop']>>;
export type MessageDeltaEvent = z.output<ReturnType<EventSchemas['message_delta']>>;
export interface ContentBlockDeltaEvent {
  type: 'content_block_delta';
  index: number;
  delta: BlockDelta;
}

/** The raw events of the model API, as forwarded in `stream_event`. */
export type StreamEvent =
  | MessageStartEvent
  | ContentBlockStartEvent
  | ContentBlockDeltaEvent
  | ContentBlockStopEvent
  | MessageDeltaEvent
  | z.output<ReturnType<EventSchemas['message_stop' | 'ping' | 'error']>>
  | UnknownStreamEvent;

export function readStreamEvent(value: unknown, note: TakeNote): StreamEvent {
  const raw = isFields(value) ? value : { value };
  const kind = raw['type'];
  if (typeof kind !== 'string') {
    note('invalidField', 'event: no type');
    return { type: 'unknown', raw };
  }
  if (!Object.hasOwn(eventSchemas, kind)) {
    note('unknownKind', 'event: an unknown type');
    return { type: 'unknown', rawType: kind, raw };
  }
  return readKnown(raw, note) ?? { type: 'unknown', rawType: kind, raw };
}

function readKnown(raw: Fields, note: TakeNote): StreamEvent | undefined {
  switch (raw['type']) {
    case 'message_start': {
      const message = isFields(raw['message']) ? raw['message'] : {};
      const content = readBlocks(message['content'], note);
      return readValue(eventSchemas.message_start(), { ...raw, message: { ...message, content } }, note);
    }
    case 'content_block_start':
      return readValue(
        eventSchemas.content_block_start(),
        { ...raw, content_block: readBlock(raw['content_block'], note) },
        note,
      );
    case 'content_block_delta':
      return readValue(eventSchemas.content_block_delta(), { ...raw, delta: readDelta(raw['delta'], note) }, note);
    case 'content_block_stop':
      return readValue(eventSchemas.content_block_stop(), raw, note);
    case 'message_delta':
      return readValue(eventSchemas.message_delta(), raw, note);
    case 'message_stop':
      return readValue(eventSchemas.message_stop(), raw, note);
    case 'ping':
      return readValue(eventSchemas.ping(), raw, note);
    case 'error':
      return readValue(eventSchemas.error(), raw, note);
    default:
      return undefined;
  }
}

function readDelta(value: unknown, note: TakeNote): BlockDelta {
  const raw = isFields(value) ? value : { value };
  const kind = raw['type'];
  if (typeof kind !== 'string') {
    note('invalidField', 'event.delta: no type');
    return { type: 'unknown', raw };
  }
  if (!isDeltaKind(kind)) {
    note('unknownKind', 'event.delta: an unknown type');
    return { type: 'unknown', rawType: kind, raw };
  }
  return readValue(deltaSchemas[kind](), raw, note) ?? { type: 'unknown', rawType: kind, raw };
}

function isDeltaKind(kind: string): kind is keyof DeltaSchemas {
  return Object.hasOwn(deltaSchemas, kind);
}
