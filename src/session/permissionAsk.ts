import type { CanUseToolRequest, ElicitationAnswer, ElicitationRequest } from '../protocol/cliRequests.ts';
import type { PermissionMode, PermissionUpdate } from '../protocol/permission.ts';

/** An open question of the CLI, nearly always about one tool use. Never changes; answered through the desk. */
export interface PermissionAsk {
  /** The request's id on the wire. */
  readonly id: string;
  /** Which card it wants: the usual one, AskUserQuestion's, ExitPlanMode's, or that of an MCP server which asks. */
  readonly kind: 'tool' | 'question' | 'plan' | 'elicitation';
  readonly toolName: string;
  readonly toolUseId?: string;
  /** The original, as it would run unchanged. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly openedAt: number;
  /** The permission mode it was asked in. */
  readonly mode: string;
  /**
   * What "always" may offer, in the CLI's order. Empty when there is nothing to offer, also because the CLI asked that
   * no lasting rule be made here.
   */
  readonly suggestions: readonly PermissionUpdate[];
  /** False when the answer needs more than a yes: no button, notification or key may approve in one step. */
  readonly oneClick: boolean;
  /** False when "Allow" must not be the preselected choice. */
  readonly preselectAllow: boolean;
  /** Plan mode is on and would be broken by an allow, which the CLI lets through: deny unless the person insists. */
  readonly deniedByPlanMode: boolean;
  /** The subagent that asks; absent for the main conversation. */
  readonly agentId?: string;
  readonly title?: string;
  readonly displayName?: string;
  readonly description?: string;
  readonly blockedPath?: string;
  /** What the server asks, when the kind says so. Texts are as they came: neutralise before showing. */
  readonly elicitation?: ElicitationRequest;
  readonly mcpServer?: { readonly name: string; readonly source?: string };
  /** Why the CLI asks at all. Texts are as they came: neutralise before showing. */
  readonly reason: AskReason;
}

export interface AskReason {
  readonly type?: string;
  readonly text?: string;
  readonly matchedRule?: unknown;
  readonly hookEvent?: string;
  readonly hookSource?: string;
  readonly classifierApprovable?: boolean;
}

/** The item of the transcript a question is shown at: its tool's, or one of its own when the CLI names no tool use. */
export function itemIdOf(ask: Pick<PermissionAsk, 'id' | 'toolUseId'>): string {
  return ask.toolUseId ?? ask.id;
}

/** What a person decided. */
export type PermissionDecision =
  | {
      readonly type: 'allow';
      /** The input that shall run instead. Absent: the original, untouched. */
      readonly updatedInput?: Readonly<Record<string, unknown>>;
      /** "Always": indexes into the ask's suggestions, nothing else can be granted. */
      readonly always?: readonly number[];
      /** Plans only: the mode that follows the approval. */
      readonly thenMode?: PermissionMode;
    }
  | {
      readonly type: 'deny';
      /** Reaches the model word for word; not empty. */
      readonly message: string;
      /** Ends the turn; the model then does not see the message. */
      readonly interrupt?: boolean;
    }
  /** Elicitations only: what the server gets. */
  | { readonly type: 'elicited'; readonly answer: ElicitationAnswer }
  /** The prompt could not be shown or broke: an error to the CLI, neither yes nor no in the person's name. */
  | { readonly type: 'error'; readonly message: string };

/** How a question ended. `withdrawn`: by the CLI. `closed`: with the session. */
export type AskOutcome =
  /** `input`: what runs, when that is not the original. */
  | {
      readonly type: 'allowed';
      readonly changed: boolean;
      readonly always: boolean;
      readonly input?: Readonly<Record<string, unknown>>;
    }
  | { readonly type: 'denied'; readonly message: string; readonly interrupt: boolean }
  | { readonly type: 'elicited'; readonly action: ElicitationAnswer['action'] }
  | { readonly type: 'failed'; readonly message: string }
  | { readonly type: 'withdrawn' }
  | { readonly type: 'closed' };

const WRITES: ReadonlySet<string> = new Set(['Write', 'Edit', 'MultiEdit', 'NotebookEdit']);

function breaksPlan(request: CanUseToolRequest): boolean {
  return request.decision_reason_type === 'mode' || WRITES.has(request.tool_name);
}

const KINDS: Readonly<Record<string, PermissionAsk['kind']>> = { AskUserQuestion: 'question', ExitPlanMode: 'plan' };

export function toAsk(id: string, request: CanUseToolRequest, openedAt: number, mode: string): PermissionAsk {
  const kind = Object.hasOwn(KINDS, request.tool_name) ? (KINDS[request.tool_name] ?? 'tool') : 'tool';
  const byMode = mode === 'plan' && kind === 'tool' && breaksPlan(request);
  return {
    id,
    kind,
    toolName: request.tool_name,
    input: request.input,
    openedAt,
    mode,
    suggestions: request.suppress_always_allow_rule === true ? [] : (request.permission_suggestions ?? []),
    oneClick: request.requires_user_interaction !== true && kind === 'tool',
    preselectAllow: request.default_to_no !== true && !byMode,
    deniedByPlanMode: byMode,
    reason: toReason(request),
    ...(request.tool_use_id === undefined ? {} : { toolUseId: request.tool_use_id }),
    ...(request.agent_id === undefined ? {} : { agentId: request.agent_id }),
    ...(request.title === undefined ? {} : { title: request.title }),
    ...(request.display_name === undefined ? {} : { displayName: request.display_name }),
    ...(request.description === undefined ? {} : { description: request.description }),
    ...(request.blocked_path === undefined ? {} : { blockedPath: request.blocked_path }),
    ...(request.mcp_server === undefined ? {} : { mcpServer: toServer(request.mcp_server) }),
  };
}

function toServer(server: NonNullable<CanUseToolRequest['mcp_server']>): NonNullable<PermissionAsk['mcpServer']> {
  return server.source === undefined ? { name: server.name } : { name: server.name, source: server.source };
}

function toReason(request: CanUseToolRequest): AskReason {
  return {
    ...(request.decision_reason_type === undefined ? {} : { type: request.decision_reason_type }),
    ...(request.decision_reason === undefined ? {} : { text: request.decision_reason }),
    ...(request.matched_ask_rule === undefined ? {} : { matchedRule: request.matched_ask_rule }),
    ...(request.decision_reason_hook_event === undefined ? {} : { hookEvent: request.decision_reason_hook_event }),
    ...(request.decision_reason_hook_source === undefined ? {} : { hookSource: request.decision_reason_hook_source }),
    ...(request.classifier_approvable === undefined ? {} : { classifierApprovable: request.classifier_approvable }),
  };
}
