import type { CliFrame } from '../protocol/cliFrame.ts';

/**
 * Where a frame goes. `control`: questions and answers. `internal`: the machinery's own talk, never shown. `conversation`:
 * everything that a transcript may want to see.
 */
export type FrameRoute = 'control' | 'internal' | 'conversation';

export function routeOf(frame: CliFrame): FrameRoute {
  switch (frame.type) {
    case 'control_request':
    case 'control_response':
    case 'control_cancel_request':
      return 'control';
    case 'keep_alive':
    case 'transcript_mirror':
    case 'env_manager_log':
      return 'internal';
    default:
      return 'conversation';
  }
}

/** The conversation a frame belongs to; absent on frames that belong to the line as a whole. */
export function sessionIdOf(frame: CliFrame): string | undefined {
  const id: unknown =
    'session_id' in frame ? frame.session_id : frame.type === 'unknown' ? frame.raw['session_id'] : '';
  return typeof id === 'string' && id !== '' ? id : undefined;
}
