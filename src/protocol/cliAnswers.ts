import type * as z from 'zod/mini';
import type { CliRequestSubtype, ElicitationAnswer, McpMessageAnswer, UserDialogAnswer } from './cliRequests.ts';
import { elicitationAnswer, mcpMessageAnswer, userDialogAnswer } from './cliRequests.ts';
import type { HookOutput } from './hookEvents.ts';
import { hookOutput, modernHookOutput } from './hookEvents.ts';
import type { HostControlResponse } from './hostFrame.ts';
import type { PermissionResult } from './permission.ts';
import { permissionResult } from './permission.ts';
import { ProtocolError } from './protocolError.ts';
import { misfit } from './readValue.ts';
import { isFields } from './schemaKit.ts';

/** How each question of the CLI is answered. */
export interface CliAnswerMap {
  can_use_tool: PermissionResult;
  hook_callback: HookOutput;
  mcp_message: McpMessageAnswer;
  elicitation: ElicitationAnswer;
  request_user_dialog: UserDialogAnswer;
}

const schemas: Readonly<Record<CliRequestSubtype, () => z.core.$ZodType>> = {
  can_use_tool: permissionResult,
  hook_callback: hookOutput,
  mcp_message: mcpMessageAnswer,
  elicitation: elicitationAnswer,
  request_user_dialog: userDialogAnswer,
};

/**
 * The success frame for one question. Throws a `ProtocolError` for an answer the CLI would misread: it takes a malformed
 * permission for a denial and a malformed hook output for consent.
 */
export function answerFrame<Subtype extends CliRequestSubtype>(
  subtype: Subtype,
  requestId: string,
  answer: CliAnswerMap[Subtype],
): HostControlResponse {
  const response: unknown = subtype === 'hook_callback' && isFields(answer) ? modernHookOutput(answer) : answer;
  const problem = misfit(schemas[subtype](), response);
  if (problem !== undefined) throw new ProtocolError('invalidFrame', `answer to ${subtype}: ${problem}`);
  return { type: 'control_response', response: { subtype: 'success', request_id: requestId, response } };
}
