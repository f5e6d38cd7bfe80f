import * as z from 'zod/mini';
import type { HostRequestMap, HostRequestSubtype } from './controlRequests.ts';
import { hostRequests, isHostRequestSubtype } from './controlRequests.ts';
import { ProtocolError } from './protocolError.ts';
import { misfit } from './readValue.ts';
import { anything, isFields, lazy, maybeAnything, maybeFlag, maybeText, text, wire } from './schemaKit.ts';

const someText = z.string().check(z.minLength(1));

const mediaSource = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('base64'), media_type: someText, data: someText }),
    z.object({ type: z.literal('text'), media_type: someText, data: text }),
    z.object({ type: z.literal('url'), url: someText }),
  ]),
);

/** What a prompt may be made of. */
export const promptBlock = lazy(() =>
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('text'), text }),
    z.object({ type: z.literal('image'), source: mediaSource() }),
    z.object({ type: z.literal('document'), source: mediaSource(), title: maybeText, context: maybeText }),
  ]),
);
export type PromptBlock = z.output<ReturnType<typeof promptBlock>>;

const userMessage = lazy(() =>
  wire({
    type: z.literal('user'),
    message: wire({ role: z.literal('user'), content: z.union([text, z.array(promptBlock())]) }),
    parent_tool_use_id: z.null(),
    session_id: text,
    /** Fresh for every prompt: the CLI drops one it has seen without a word. */
    uuid: z.optional(z.uuid()),
    origin: z.optional(wire({ kind: someText })),
    priority: z.optional(z.enum(['now', 'next', 'later'])),
    shouldQuery: maybeFlag,
    client_composed: maybeFlag,
    pasted_content: maybeAnything,
    inline_pastes: maybeAnything,
    timestamp: maybeText,
  }),
);
export type HostUserMessage = z.output<ReturnType<typeof userMessage>>;

export type HostRequest = {
  [Subtype in HostRequestSubtype]: { subtype: Subtype } & HostRequestMap[Subtype]['request'];
}[HostRequestSubtype];

export interface HostControlRequest {
  type: 'control_request';
  request_id: string;
  request: HostRequest;
}

const controlRequest = lazy(() =>
  wire({ type: z.literal('control_request'), request_id: someText, request: wire({ subtype: someText }) }),
);

const controlResponse = lazy(() =>
  wire({
    type: z.literal('control_response'),
    response: z.discriminatedUnion('subtype', [
      wire({ subtype: z.literal('success'), request_id: someText, response: z.optional(anything) }),
      wire({ subtype: z.literal('error'), request_id: someText, error: text, error_code: maybeText }),
    ]),
  }),
);
export type HostControlResponse = z.output<ReturnType<typeof controlResponse>>;

const cancelRequest = lazy(() => wire({ type: z.literal('control_cancel_request'), request_id: someText }));
export type HostCancelRequest = z.output<ReturnType<typeof cancelRequest>>;

const keepAlive = lazy(() => wire({ type: z.literal('keep_alive') }));
export type HostKeepAlive = z.output<ReturnType<typeof keepAlive>>;

/** Everything a host may say to the CLI. */
export type HostFrame = HostUserMessage | HostControlRequest | HostControlResponse | HostCancelRequest | HostKeepAlive;

/**
 * The frame as one line without its end. Throws a `ProtocolError` rather than write what the CLI would die of: it exits
 * on the first line that is no JSON, or a prompt or request of the wrong form.
 */
export function encodeHostFrame(frame: HostFrame): string {
  check(frame);
  return stringify(frame);
}

function check(frame: unknown): void {
  const type = isFields(frame) ? frame['type'] : undefined;
  if (!isFields(frame) || !isFrameType(type)) {
    throw new ProtocolError('invalidFrame', 'a frame of a type the CLI does not read');
  }
  demand(frameSchemas[type](), frame, type);
  if (type === 'control_request') checkRequest(frame['request']);
}

function checkRequest(request: unknown): void {
  const subtype = isFields(request) ? request['subtype'] : undefined;
  if (typeof subtype !== 'string' || !isHostRequestSubtype(subtype)) {
    throw new ProtocolError('invalidFrame', 'a request of a kind there is no form for');
  }
  demand(hostRequests[subtype].request(), request, `control_request ${subtype}`);
}

function isFrameType(type: unknown): type is HostFrame['type'] {
  return typeof type === 'string' && Object.hasOwn(frameSchemas, type);
}

const frameSchemas: Readonly<Record<HostFrame['type'], () => z.core.$ZodType>> = {
  user: userMessage,
  control_request: controlRequest,
  control_response: controlResponse,
  control_cancel_request: cancelRequest,
  keep_alive: keepAlive,
};

function demand(schema: z.core.$ZodType, value: unknown, what: string): void {
  const problem = misfit(schema, value);
  if (problem !== undefined) throw new ProtocolError('invalidFrame', `${what}: ${problem}`);
}

function stringify(frame: HostFrame): string {
  let line: unknown;
  try {
    line = JSON.stringify(frame);
  } catch (cause) {
    throw new ProtocolError('notSerialisable', 'a frame that cannot be written as JSON', { cause });
  }
  if (typeof line !== 'string') throw new ProtocolError('notSerialisable', 'a frame that is no JSON value');
  // Legal inside JSON, but a line end for many a reader of lines.
  return line.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
