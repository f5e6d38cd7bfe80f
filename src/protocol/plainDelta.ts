import type { StreamEventFrame } from './conversationFrame.ts';
import type { Fields } from './schemaKit.ts';
import { isFields } from './schemaKit.ts';

/**
 * The short way for the frames of which there are thousands per answer: a `stream_event` with one delta of a known kind
 * and nothing unusual about it. Gives the object itself exactly when the schemas would, with nothing to note, and
 * `undefined` for everything else, which then goes the long way. A property test holds the two together.
 */
export function plainDelta(raw: Fields): StreamEventFrame | undefined {
  return isPlainDelta(raw) ? raw : undefined;
}

function isPlainDelta(raw: object): raw is StreamEventFrame {
  const frame: Partial<Record<keyof StreamEventFrame, unknown>> = raw;
  if (frame.type !== 'stream_event' || !isFields(frame.event)) return false;
  const event = frame.event;
  return (
    event['type'] === 'content_block_delta' &&
    typeof event['index'] === 'number' &&
    isFields(event['delta']) &&
    isKnownDelta(event['delta']) &&
    isTextOrAbsent(frame.uuid) &&
    isTextOrAbsent(frame.session_id) &&
    (frame.parent_tool_use_id === null || isTextOrAbsent(frame.parent_tool_use_id)) &&
    isTextOrAbsent(frame.api_message_id) &&
    isTextOrAbsent(frame.thinking_display) &&
    // Only on the first frames of a turn: not worth a check of their own here.
    frame.ttft_ms === undefined &&
    frame.user_message_uuid === undefined &&
    frame.user_message_uuids === undefined &&
    frame.resume_reason === undefined
  );
}

function isTextOrAbsent(value: unknown): boolean {
  return typeof value === 'string' || value === undefined;
}

function isKnownDelta(delta: Fields): boolean {
  switch (delta['type']) {
    case 'text_delta':
      return typeof delta['text'] === 'string';
    case 'input_json_delta':
      return typeof delta['partial_json'] === 'string';
    case 'thinking_delta':
      return typeof delta['thinking'] === 'string' && delta['estimated_tokens'] === undefined;
    case 'signature_delta':
      return typeof delta['signature'] === 'string';
    default:
      return false;
  }
}
