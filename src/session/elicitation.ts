import type { ElicitationAnswer, ElicitationRequest } from '../protocol/cliRequests.ts';
import { SessionError } from './errors.ts';
import type { PermissionAsk, PermissionDecision } from './permissionAsk.ts';

/** What an MCP server wants to know, by a form or by a page to open, as a question like any other. No one step answers it. */
export function toElicitationAsk(
  id: string,
  request: ElicitationRequest,
  openedAt: number,
  mode: string,
): PermissionAsk {
  return {
    id,
    mode,
    kind: 'elicitation',
    toolName: 'Elicitation',
    input: {},
    elicitation: request,
    openedAt,
    suggestions: [],
    oneClick: false,
    preselectAllow: true,
    deniedByPlanMode: false,
    reason: {},
  };
}

/** Only what a person said to the server goes to it: an allow or a denial is for tools. */
export function toElicitationAnswer(decision: PermissionDecision): ElicitationAnswer {
  if (decision.type !== 'elicited')
    throw new SessionError('invalidDecision', `A server cannot be told ${decision.type}.`);
  return decision.answer;
}
