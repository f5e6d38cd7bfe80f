import type { ElicitationAnswer, ElicitationRequest } from '../protocol/cliRequests.ts';
import type { CliHandler } from './cliQuestions.ts';

/**
 * Asks the person what an MCP server wants to know, by a form or by a page to open. The signal is aborted when the
 * question is withdrawn; what is answered then is dropped. Rejecting is an error to the CLI: only a person declines.
 */
export type ElicitationHandler = (request: ElicitationRequest, signal: AbortSignal) => Promise<ElicitationAnswer>;

export function serveElicitation(handler: ElicitationHandler): CliHandler<'elicitation'> {
  return async open => {
    open.answer(await handler(open.request, open.signal));
  };
}
