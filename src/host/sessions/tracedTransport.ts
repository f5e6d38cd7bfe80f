import type { Logger } from '../../base/logger.ts';
import type { Transport } from '../../protocol/transport.ts';

const secretName = /key|token|secret|password|authorization|cookie|credential/i;
/** Prompts, file contents and tool output are long; a log needs to show what happened, not what was in it. */
const mostText = 80;
const mostLine = 2_000;

/** A frame as a line for the log: its shape, its ids and short words, without secrets and without contents. */
export function maskedFrame(frame: unknown): string {
  const text = JSON.stringify(frame, (name, value: unknown) => {
    if (typeof value !== 'string') return value;
    if (secretName.test(name) && !/^(request|session|tool_use|parent_tool_use)_id$/.test(name)) return '***';
    return value.length <= mostText ? value : `${value.slice(0, 20)}… (${value.length} characters)`;
  });
  return text.length <= mostLine ? text : `${text.slice(0, mostLine)}…`;
}

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
