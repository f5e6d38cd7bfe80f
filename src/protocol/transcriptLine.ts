import * as z from 'zod/mini';
import type { ContentBlock } from './contentBlock.ts';
import { readBlocks } from './contentBlock.ts';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import {
  alreadyRead,
  identity,
  isFields,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  nullishText,
  text,
  wire,
} from './schemaKit.ts';
import type { WireProblem } from './transport.ts';
import { parseObject, problemReporter } from './wireProblem.ts';

/** Every line of the tree: chains run through all of these kinds, also those that are not shown. camelCase, unlike the wire. */
const node = {
  uuid: identity,
  parentUuid: nullishText,
  logicalParentUuid: nullishText,
  sessionId: maybeText,
  timestamp: maybeText,
  cwd: maybeText,
  version: maybeText,
  gitBranch: nullishText,
  entrypoint: maybeText,
  isSidechain: maybeFlag,
  isMeta: maybeFlag,
  isCompactSummary: maybeFlag,
  isVisibleInTranscriptOnly: maybeFlag,
  teamName: maybeText,
  agentId: maybeText,
};

const message = lazy(() =>
  wire({
    id: maybeText,
    role: maybeText,
    model: maybeText,
    content: alreadyRead<ContentBlock[]>(Array.isArray),
    stop_reason: nullishText,
    usage: z.optional(z.nullable(z.record(text, z.unknown()))),
  }),
);

const schemas = {
  user: lazy(() =>
    wire({
      type: z.literal('user'),
      ...node,
      message: message(),
      promptId: maybeText,
      permissionMode: maybeText,
      toolUseResult: maybeAnything,
      sourceToolAssistantUUID: maybeText,
      origin: maybeFields,
    }),
  ),
  assistant: lazy(() =>
    wire({
      type: z.literal('assistant'),
      ...node,
      message: message(),
      requestId: nullishText,
      apiBlockIndex: maybeCount,
      isApiErrorMessage: maybeFlag,
      error: maybeAnything,
    }),
  ),
  system: lazy(() =>
    wire({
      type: z.literal('system'),
      ...node,
      subtype: maybeText,
      content: maybeAnything,
      level: maybeText,
      compactMetadata: maybeFields,
      toolUseID: maybeText,
    }),
  ),
  attachment: lazy(() => wire({ type: z.literal('attachment'), ...node, attachment: maybeAnything })),
  progress: lazy(() => wire({ type: z.literal('progress'), ...node, data: maybeAnything })),
  'custom-title': lazy(() => wire({ type: z.literal('custom-title'), customTitle: text, sessionId: maybeText })),
  'ai-title': lazy(() => wire({ type: z.literal('ai-title'), aiTitle: text, sessionId: maybeText })),
  'last-prompt': lazy(() =>
    wire({ type: z.literal('last-prompt'), lastPrompt: text, leafUuid: nullishText, sessionId: maybeText }),
  ),
  summary: lazy(() => wire({ type: z.literal('summary'), summary: text, leafUuid: nullishText })),
  tag: lazy(() => wire({ type: z.literal('tag'), tag: text, sessionId: maybeText })),
};

type Schemas = typeof schemas;
export type TranscriptLineOf<Type extends keyof Schemas> = z.output<ReturnType<Schemas[Type]>>;

/** A line that has no part in the conversation (recorded requests, queue, cost …) or that we do not know. */
export interface OtherTranscriptLine {
  type: 'other';
  rawType?: string;
  raw: Fields;
}

export type TranscriptLine = { [Type in keyof Schemas]: TranscriptLineOf<Type> }[keyof Schemas] | OtherTranscriptLine;

/** A line of the tree, shown or not. */
export type TranscriptNode = TranscriptLineOf<'user' | 'assistant' | 'system' | 'attachment' | 'progress'>;

export function isTranscriptNode(line: TranscriptLine): line is TranscriptNode {
  return 'uuid' in line;
}

/** Reads one line of a session file. `undefined` only for what is no JSON object; a corrupt line costs only itself. */
export function decodeTranscriptLine(line: string, report: (problem: WireProblem) => void): TranscriptLine | undefined {
  const raw = parseObject(line, report);
  return raw === undefined ? undefined : readTranscriptLine(raw, problemReporter(line, report));
}

export function readTranscriptLine(raw: Fields, note: TakeNote): TranscriptLine {
  const type = raw['type'];
  if (typeof type !== 'string') return { type: 'other', raw };
  const known = isKnown(type) ? readValue(schemas[type](), withBlocks(type, raw, note), note) : undefined;
  return known ?? { type: 'other', rawType: type, raw };
}

function withBlocks(type: keyof Schemas, raw: Fields, note: TakeNote): Fields {
  if (type !== 'user' && type !== 'assistant') return raw;
  const held = raw['message'];
  const known = isFields(held) ? held : { content: held };
  return { ...raw, message: { ...known, content: readBlocks(known['content'], note) } };
}

function isKnown(type: string): type is keyof Schemas {
  return Object.hasOwn(schemas, type);
}
