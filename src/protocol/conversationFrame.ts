import * as z from 'zod/mini';
import type { ContentBlock } from './contentBlock.ts';
import {
  alreadyRead,
  anything,
  count,
  countOrNull,
  envelope,
  fields,
  flag,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  nullishCount,
  nullishText,
  open,
  text,
  textOrNull,
  wire,
} from './schemaKit.ts';
import type { StreamEvent } from './streamEvent.ts';
import { isFields } from './schemaKit.ts';

const blocks = alreadyRead<ContentBlock[]>(Array.isArray);
const event = alreadyRead<StreamEvent>(isFields);

export const ASSISTANT_ERRORS = [
  'authentication_failed',
  'oauth_org_not_allowed',
  'account_on_hold',
  'verification_required',
  'billing_error',
  'rate_limit',
  'overloaded',
  'invalid_request',
  'model_not_found',
  'server_error',
  'unknown',
  'max_output_tokens',
  'cloud_credential_error',
] as const;

/** Who caused a prompt or a turn. */
export const origin = lazy(() =>
  wire({
    kind: open([
      'human',
      'channel',
      'peer',
      'task-notification',
      'coordinator',
      'unclassified',
      'observer',
      'auto-continuation',
      'observer-activity',
    ]),
  }),
);

/** Which prompts a frame answers, and which subagent made it. */
const promptIds = { user_message_uuid: maybeText, user_message_uuids: maybeTexts };
const subagent = { agent_id: maybeText, subagent_type: maybeText, task_description: maybeText };

/** `message.model` of text made by the CLI itself (API errors, local commands). */
export const SYNTHETIC_MODEL = '<synthetic>';

export const assistantFrame = lazy(() =>
  wire({
    type: z.literal('assistant'),
    message: wire({
      id: maybeText,
      model: maybeText,
      role: maybeText,
      content: blocks,
      stop_reason: nullishText,
      usage: z.optional(z.nullable(fields)),
    }),
    parent_tool_use_id: nullishText,
    ...envelope,
    error: z.optional(open(ASSISTANT_ERRORS)),
    aborted: maybeFlag,
    supersedes: maybeTexts,
    ...subagent,
    ...promptIds,
    timestamp: maybeText,
    request_id: nullishText,
    resume_reason: maybeText,
    resumed_from_incomplete_thinking: maybeFlag,
    context_usage: maybeFields,
    usage_report: maybeFields,
    is_api_error_message: maybeFlag,
    api_error_status: nullishCount,
    api_error_type: nullishText,
    local_command_source: maybeText,
    local_command_run: maybeAnything,
    local_command_outcome: maybeAnything,
    tool_use_meta: maybeAnything,
    thinking_duration_ms: maybeCount,
  }),
);

const toolResultMeta = lazy(() =>
  wire({
    id: maybeText,
    permission_decision: z.optional(
      wire({ decision: open(['accept', 'reject']), source: maybeText, reason_type: maybeText }),
    ),
    non_execution_kind: maybeText,
  }),
);

export const userFrame = lazy(() =>
  wire({
    type: z.literal('user'),
    message: wire({ role: maybeText, content: blocks }),
    parent_tool_use_id: nullishText,
    ...envelope,
    /** Read it with `readToolResult`, by the name of the tool. A string when the tool failed. */
    tool_use_result: maybeAnything,
    isSynthetic: maybeFlag,
    isReplay: maybeFlag,
    origin: z.optional(origin()),
    priority: maybeText,
    shouldQuery: maybeFlag,
    client_composed: maybeFlag,
    pasted_content: maybeAnything,
    inline_pastes: maybeAnything,
    ...subagent,
    timestamp: maybeText,
    file_attachments: maybeAnything,
    tool_result_meta: z.optional(z.array(toolResultMeta())),
  }),
);

/** Optional fields besides the event itself; the fast path of `decodeFrame` knows them by this list. */
const streamExtras = {
  ttft_ms: maybeCount,
  ...promptIds,
  resume_reason: maybeText,
  api_message_id: maybeText,
  thinking_display: maybeText,
  owed_rows: maybeAnything,
};

export const streamEventFrame = lazy(() =>
  wire({ type: z.literal('stream_event'), event, parent_tool_use_id: nullishText, ...envelope, ...streamExtras }),
);

export const modelUsage = lazy(() =>
  wire({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: maybeCount,
    cacheCreationInputTokens: maybeCount,
    webSearchRequests: maybeCount,
    costUSD: maybeCount,
    contextWindow: maybeCount,
    maxOutputTokens: maybeCount,
    thinkingTokens: maybeCount,
    canonicalModel: maybeText,
    provider: maybeText,
    costBasis: maybeText,
  }),
);

export const RESULT_SUBTYPES = [
  'success',
  'error_during_execution',
  'error_max_turns',
  'error_max_budget_usd',
  'error_max_structured_output_retries',
] as const;

const TERMINAL_REASONS = [
  'completed',
  'aborted_streaming',
  'aborted_tools',
  'max_turns',
  'budget_exhausted',
  'api_error',
  'prompt_too_long',
  'hook_stopped',
  'stop_hook_prevented',
  'tool_deferred',
  'blocking_limit',
  'image_error',
  'model_error',
  'background_requested',
  'turn_setup_failed',
] as const;

export const resultFrame = lazy(() =>
  wire({
    type: z.literal('result'),
    subtype: open(RESULT_SUBTYPES),
    /** Branch on this: `success` with `is_error` is a failure of the API. */
    is_error: flag,
    result: maybeText,
    errors: maybeTexts,
    duration_ms: count,
    duration_api_ms: count,
    num_turns: count,
    stop_reason: nullishText,
    terminal_reason: z.optional(open(TERMINAL_REASONS)),
    /** Of the whole process so far, like `modelUsage`: take the newest, never add. */
    total_cost_usd: count,
    modelUsage: z.record(text, modelUsage()),
    usage: maybeFields,
    permission_denials: z.array(wire({ tool_name: text, tool_use_id: text, tool_input: anything })),
    structured_output: maybeAnything,
    deferred_tool_use: maybeAnything,
    api_error_status: nullishCount,
    local_command: maybeText,
    ...promptIds,
    origin: z.optional(origin()),
    queued_turn_count: maybeCount,
    result_index: maybeCount,
    startup_failure_reason: maybeText,
    invalid_config_file: maybeText,
    fast_mode_state: maybeText,
    fast_mode_disabled_reason: maybeText,
    credential_expires_at: maybeAnything,
    ttft_ms: nullishCount,
    ...envelope,
  }),
);

export const toolProgressFrame = lazy(() =>
  wire({
    type: z.literal('tool_progress'),
    /** Made up on heartbeats: use `realToolUseId`. */
    tool_use_id: text,
    tool_name: text,
    parent_tool_use_id: nullishText,
    elapsed_time_seconds: count,
    task_id: maybeText,
    heartbeat: maybeFlag,
    subagent_type: maybeText,
    subagent_retry: z.optional(
      wire({
        agent_id: maybeText,
        attempt: count,
        max_retries: count,
        retry_delay_ms: count,
        error_status: z.optional(countOrNull),
        error_category: z.optional(textOrNull),
      }),
    ),
    ...envelope,
  }),
);

export type AssistantFrame = z.output<ReturnType<typeof assistantFrame>>;
export type UserFrame = z.output<ReturnType<typeof userFrame>>;
export type StreamEventFrame = z.output<ReturnType<typeof streamEventFrame>>;
export type ResultFrame = z.output<ReturnType<typeof resultFrame>>;
export type ModelUsage = z.output<ReturnType<typeof modelUsage>>;
export type Origin = z.output<ReturnType<typeof origin>>;
export type ToolProgressFrame = z.output<ReturnType<typeof toolProgressFrame>>;

/** The id of the tool row a progress frame is about, also on heartbeats, whose own id is made up. */
export function realToolUseId(frame: ToolProgressFrame): string {
  const stripped = frame.tool_use_id.replace(/-heartbeat-\d+$/, '');
  const parent = frame.parent_tool_use_id;
  const madeUp = frame.heartbeat === true || stripped !== frame.tool_use_id;
  return madeUp && typeof parent === 'string' && parent !== '' ? parent : stripped;
}
