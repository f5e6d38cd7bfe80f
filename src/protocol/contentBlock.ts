import * as z from 'zod/mini';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import {
  alreadyRead,
  anything,
  fields,
  identity,
  isFields,
  lazy,
  maybeAnything,
  maybeFlag,
  maybeText,
  nullishText,
  open,
  text,
  wire,
} from './schemaKit.ts';

const literal = z.literal;

const mediaSource = lazy(() =>
  wire({
    type: open(['base64', 'url', 'file', 'text', 'content']),
    media_type: maybeText,
    data: maybeText,
    url: maybeText,
    file_id: maybeText,
  }),
);

const schemas = {
  text: lazy(() => wire({ type: literal('text'), text, citations: maybeAnything })),
  thinking: lazy(() => wire({ type: literal('thinking'), thinking: text, signature: maybeText })),
  redacted_thinking: lazy(() => wire({ type: literal('redacted_thinking'), data: text })),
  tool_use: lazy(() => wire({ type: literal('tool_use'), id: identity, name: text, input: fields })),
  server_tool_use: lazy(() => wire({ type: literal('server_tool_use'), id: identity, name: text, input: fields })),
  image: lazy(() => wire({ type: literal('image'), source: mediaSource() })),
  document: lazy(() =>
    wire({ type: literal('document'), source: mediaSource(), title: nullishText, context: nullishText }),
  ),
  /** A tool named by a search over deferred tools. */
  tool_reference: lazy(() => wire({ type: literal('tool_reference'), tool_name: text })),
  server_tool_result: lazy(() =>
    wire({
      type: literal('server_tool_result'),
      /** As on the wire: `web_search_tool_result` and its kin. */
      rawType: text,
      tool_use_id: identity,
      content: anything,
      is_error: maybeFlag,
    }),
  ),
};

const toolResult: () => z.ZodMiniType<ToolResultBlock> = lazy(() =>
  wire({
    type: literal('tool_result'),
    tool_use_id: identity,
    content: alreadyRead<ContentBlock[]>(Array.isArray),
    is_error: maybeFlag,
  }),
);

type Schemas = typeof schemas;
type BlockOf<Kind extends keyof Schemas> = z.output<ReturnType<Schemas[Kind]>>;

export type TextBlock = BlockOf<'text'>;
export type ThinkingBlock = BlockOf<'thinking'>;
export type RedactedThinkingBlock = BlockOf<'redacted_thinking'>;
export type ToolUseBlock = BlockOf<'tool_use'>;
export type ServerToolUseBlock = BlockOf<'server_tool_use'>;
export type ImageBlock = BlockOf<'image'>;
export type DocumentBlock = BlockOf<'document'>;
export type ToolReferenceBlock = BlockOf<'tool_reference'>;
/** Any `*_tool_result` of a tool the API itself ran. */
export type ServerToolResultBlock = BlockOf<'server_tool_result'>;
/** `content` is always a list here, whatever form it had on the wire (string, list, absent). */
export interface ToolResultBlock {
  type: 'tool_result';
  tool_use_id: string;
  content: ContentBlock[];
  is_error?: boolean | undefined;
}
export interface UnknownBlock {
  type: 'unknown';
  rawType?: string;
  raw: Fields;
}

export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | ToolReferenceBlock
  | ServerToolResultBlock
  | UnknownBlock;

/** Tool results hold blocks, which could hold tool results: nobody sends more levels than this in earnest. */
const MAX_DEPTH = 4;

/** Reads message content in any of its forms: a string, a list, nothing. */
export function readBlocks(content: unknown, note: TakeNote, depth = 0): ContentBlock[] {
  if (content === undefined || content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  const entries: readonly unknown[] = Array.isArray(content) ? content : [content];
  return entries.map(entry => readBlock(entry, note, depth));
}

export function readBlock(value: unknown, note: TakeNote, depth = 0): ContentBlock {
  if (typeof value === 'string') return { type: 'text', text: value };
  if (!isFields(value)) {
    note('invalidField', 'content: a block that is no object');
    return { type: 'unknown', raw: { value } };
  }
  return readKnown(value, note, depth) ?? keepUnknown(value);
}

function keepUnknown(raw: Fields): UnknownBlock {
  return typeof raw['type'] === 'string' ? { type: 'unknown', rawType: raw['type'], raw } : { type: 'unknown', raw };
}

function readKnown(value: Fields, note: TakeNote, depth: number): ContentBlock | undefined {
  const kind = value['type'];
  if (kind === 'tool_result') return readToolResult(value, note, depth);
  if (typeof kind === 'string' && kind.endsWith('_tool_result')) {
    return readValue(schemas.server_tool_result(), { ...value, type: 'server_tool_result', rawType: kind }, note);
  }
  if (typeof kind === 'string' && isPlainKind(kind)) return readValue(schemas[kind](), value, note);
  note('unknownKind', 'content: a block of an unknown kind');
  return undefined;
}

type PlainKind = Exclude<keyof Schemas, 'server_tool_result'>;

function isPlainKind(kind: string): kind is PlainKind {
  return Object.hasOwn(schemas, kind) && kind !== 'server_tool_result';
}

function readToolResult(value: Fields, note: TakeNote, depth: number): ContentBlock | undefined {
  if (depth >= MAX_DEPTH) {
    note('invalidField', 'content: tool results nested too deep');
    return undefined;
  }
  const content = readBlocks(value['content'], note, depth + 1);
  return readValue(toolResult(), { ...value, content }, note);
}
