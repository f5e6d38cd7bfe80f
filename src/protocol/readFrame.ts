import type * as z from 'zod/mini';
import type { CliFrame, UnknownFrame } from './cliFrame.ts';
import { readCliControlRequest } from './cliRequests.ts';
import { readControlResponse } from './controlResponse.ts';
import { assistantFrame, resultFrame, streamEventFrame, toolProgressFrame, userFrame } from './conversationFrame.ts';
import { readBlocks } from './contentBlock.ts';
import { presentAssistant, presentAuthStatus, presentResult, presentSystem, presentUser } from './olderShapes.ts';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import type { Fields } from './schemaKit.ts';
import { isFields } from './schemaKit.ts';
import { isSideType, sideSchemas } from './sideFrame.ts';
import { readStreamEvent } from './streamEvent.ts';
import type { UnknownSystemFrame } from './systemFrame.ts';
import { isSystemSubtype, systemSchemas } from './systemFrame.ts';

/** The long way of a frame: older shapes into the present one, parts by their own schemas, then the frame by its schema. */
export function readFrame(raw: Fields, note: TakeNote): CliFrame {
  const type = raw['type'];
  if (typeof type !== 'string') {
    note('invalidField', 'a frame without a type');
    return { type: 'unknown', raw };
  }
  return readKnown(type, raw, note) ?? keepUnknown(type, raw);
}

function keepUnknown(rawType: string, raw: Fields): UnknownFrame {
  return { type: 'unknown', rawType, raw };
}

function readKnown(type: string, raw: Fields, note: TakeNote): CliFrame | undefined {
  switch (type) {
    case 'stream_event':
      return readValue(streamEventFrame(), { ...raw, event: readStreamEvent(raw['event'], note) }, note);
    case 'assistant':
      return readMessage(assistantFrame(), presentAssistant(raw), note);
    case 'user':
      return readMessage(userFrame(), presentUser(raw), note);
    case 'result':
      return readValue(resultFrame(), presentResult(raw), note);
    case 'system':
      return readSystem(presentSystem(raw), note);
    case 'tool_progress':
      return readValue(toolProgressFrame(), raw, note);
    case 'auth_status':
      return readValue(sideSchemas.auth_status(), presentAuthStatus(raw), note);
    case 'control_request':
      return readCliControlRequest(raw, note);
    case 'control_response':
      return readControlResponse(raw, note);
    default:
      if (isSideType(type)) return readValue(sideSchemas[type](), raw, note);
      note('unknownKind', 'a frame of an unknown type');
      return undefined;
  }
}

/** A frame around a message of the model API, whose content is read block by block. */
function readMessage<S extends z.core.$ZodType>(schema: S, frame: Fields, note: TakeNote): z.output<S> | undefined {
  const message = isFields(frame['message']) ? frame['message'] : {};
  const content = readBlocks(message['content'], note);
  return readValue(schema, { ...frame, message: { ...message, content } }, note);
}

function readSystem(frame: Fields, note: TakeNote): CliFrame {
  const subtype = frame['subtype'];
  const known = typeof subtype === 'string' && isSystemSubtype(subtype) ? subtype : undefined;
  if (known === undefined) note('unknownKind', 'a system frame of an unknown subtype');
  const read = known === undefined ? undefined : readValue(systemSchemas[known](), frame, note);
  return read ?? keepUnknownSystem(frame);
}

function keepUnknownSystem(raw: Fields): UnknownSystemFrame {
  const kept: UnknownSystemFrame = { type: 'system', subtype: 'unknown', raw };
  if (typeof raw['subtype'] === 'string') kept.rawSubtype = raw['subtype'];
  if (typeof raw['session_id'] === 'string') kept.session_id = raw['session_id'];
  if (typeof raw['uuid'] === 'string') kept.uuid = raw['uuid'];
  return kept;
}
