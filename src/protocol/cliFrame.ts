import type { CliControlRequest } from './cliRequests.ts';
import type { CliControlResponse } from './controlResponse.ts';
import type {
  AssistantFrame,
  ResultFrame,
  StreamEventFrame,
  ToolProgressFrame,
  UserFrame,
} from './conversationFrame.ts';
import type { Fields } from './schemaKit.ts';
import type { SideFrame } from './sideFrame.ts';
import type { SystemFrame } from './systemFrame.ts';

/** A frame we have no schema for, or whose identity is unusable. Kept whole; never shown, never answered. */
export interface UnknownFrame {
  type: 'unknown';
  rawType?: string;
  raw: Fields;
}

/**
 * Everything the CLI may say, after decoding: older shapes are already in the present one, unknown fields survive, and
 * whatever is new to us is an `unknown` member of its union.
 */
export type CliFrame =
  | AssistantFrame
  | UserFrame
  | StreamEventFrame
  | ResultFrame
  | SystemFrame
  | ToolProgressFrame
  | SideFrame
  | CliControlRequest
  | CliControlResponse
  | UnknownFrame;

export type CliFrameOf<Type extends CliFrame['type']> = Extract<CliFrame, { type: Type }>;
