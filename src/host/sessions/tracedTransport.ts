import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../protocol/transport.ts';

/** Words of the protocol itself, safe to read by anyone. Every other text may be a secret or a person's own. */
const openNames =
  /^(type|subtype|uuid|id|.*_id|.*_uuid|.*_uuids|status|state|model|mode|permissionMode|tool_name|name|role|behavior|stop_reason|terminal_reason|error_code|hook_event_name|event|level|version|claude_code_version|still_queued|cancelled)$/;
const mostLine = 2_000;

/** A frame as a line for the log: its shape, its ids and its numbers. Texts are there by their length only. */
export function maskedFrame(frame: unknown): string {
  const text = JSON.stringify(masked(frame, ''));
  return text.length <= mostLine ? text : `${text.slice(0, mostLine)}…`;
}

function masked(value: unknown, name: string): unknown {
  if (typeof value === 'string')
    return openNames.test(name) && value.length <= 100 ? value : `‹${value.length} characters›`;
  if (Array.isArray(value)) return value.slice(0, 20).map(entry => masked(entry, name));
  if (typeof value !== 'object' || value === null) return value;
  // Names can be anybody's too: those of an environment, of questions, of a tool's input.
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key.slice(0, 60), masked(entry, free.has(name) ? '' : key)]),
  );
}

/** Objects whose keys are not the protocol's. */
const free = new Set([
  'env',
  'input',
  'updatedInput',
  'tool_input',
  'headers',
  'answers',
  'arguments',
  'config',
  'servers',
]);

/** Writes every frame to the log at trace level. Costs one check per frame while the log is not at that level. */
export function tracedTransport(transport: Transport, logger: Logger, enabled: () => boolean): Transport {
  return {
    open: listener =>
      transport.open({
        onFrame: frame => {
          if (enabled()) logger.trace(`← ${maskedFrame(frame)}`);
          listener.onFrame(frame);
        },
        onProblem: problem => listener.onProblem(problem),
        onClose: close => listener.onClose(close),
      }),
    send: frame => {
      if (enabled()) logger.trace(`→ ${maskedFrame(frame)}`);
      return transport.send(frame);
    },
    stop: () => transport.stop(),
  };
}
