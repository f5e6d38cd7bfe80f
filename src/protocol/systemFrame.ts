import * as z from 'zod/mini';
import { ASSISTANT_ERRORS } from './conversationFrame.ts';
import { commandInfo } from './initialize.ts';
import {
  anything,
  count,
  countOrNull,
  envelope,
  fields,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFlag,
  maybeText,
  maybeTexts,
  nullishCount,
  nullishText,
  open,
  text,
  texts,
  wire,
} from './schemaKit.ts';
import type { Fields } from './schemaKit.ts';
import { taskSchemas } from './taskFrame.ts';

const system = <const Subtype extends string>(subtype: Subtype) => ({
  type: z.literal('system'),
  subtype: z.literal(subtype),
  ...envelope,
});

const refusal = {
  api_refusal_category: nullishText,
  api_refusal_explanation: nullishText,
  refused_user_message_uuid: nullishText,
};

const hook = { hook_id: maybeText, hook_name: text, hook_event: text };
const hookOutput = { stdout: maybeText, stderr: maybeText, output: maybeText };

const sessionSchemas = {
  init: lazy(() =>
    wire({
      ...system('init'),
      cwd: text,
      model: text,
      permissionMode: text,
      tools: texts,
      mcp_servers: z.array(wire({ name: text, status: text, source: maybeText })),
      slash_commands: texts,
      output_style: maybeText,
      skills: maybeTexts,
      plugins: z.optional(z.array(wire({ name: text, path: maybeText, version: maybeText }))),
      apiKeySource: maybeText,
      claude_code_version: maybeText,
      agents: maybeTexts,
      betas: maybeTexts,
      capabilities: maybeTexts,
      terminal_slash_commands: maybeTexts,
      plugin_errors: z.optional(
        z.array(wire({ plugin: text, type: text, message: text, path: maybeText, managed_lock: z.optional(anything) })),
      ),
      fast_mode_state: maybeText,
      fast_mode_disabled_reason: maybeText,
      effort: nullishText,
      view_mode: maybeText,
      original_cwd: maybeText,
      additional_directories: maybeTexts,
      user_message_uuids: maybeTexts,
    }),
  ),
  status: lazy(() =>
    wire({
      ...system('status'),
      status: z.nullable(open(['requesting', 'compacting'])),
      permissionMode: maybeText,
      compact_result: z.optional(open(['success', 'failed'])),
      compact_error: nullishText,
      user_message_uuids: maybeTexts,
    }),
  ),
  compact_boundary: lazy(() =>
    wire({
      ...system('compact_boundary'),
      compact_metadata: wire({
        trigger: open(['manual', 'auto']),
        pre_tokens: count,
        post_tokens: maybeCount,
        duration_ms: maybeCount,
        preserved_segment: z.optional(wire({ head_uuid: text, anchor_uuid: text, tail_uuid: text })),
        preserved_messages: z.optional(wire({ anchor_uuid: text, uuids: texts })),
      }),
      logical_parent_uuid: nullishText,
    }),
  ),
  commands_changed: lazy(() => wire({ ...system('commands_changed'), commands: z.array(commandInfo()) })),
  session_state_changed: lazy(() =>
    wire({ ...system('session_state_changed'), state: open(['idle', 'running', 'requires_action']) }),
  ),
  session_title_changed: lazy(() => wire({ ...system('session_title_changed'), title: text })),
  local_command_output: lazy(() => wire({ ...system('local_command_output'), content: text })),
  informational: lazy(() =>
    wire({
      ...system('informational'),
      content: text,
      level: open(['info', 'notice', 'suggestion', 'warning']),
      tool_use_id: maybeText,
      prevent_continuation: maybeFlag,
      tag: maybeText,
      prompt_submit_outcome: maybeAnything,
    }),
  ),
  notification: lazy(() =>
    wire({
      ...system('notification'),
      key: text,
      text,
      priority: open(['low', 'medium', 'high', 'immediate']),
      color: maybeText,
      timeout_ms: maybeCount,
    }),
  ),
  memory_recall: lazy(() =>
    wire({
      ...system('memory_recall'),
      mode: open(['select', 'synthesize']),
      memories: z.array(wire({ path: text, scope: open(['personal', 'team', 'organization']), content: maybeText })),
    }),
  ),
  plugin_install: lazy(() =>
    wire({
      ...system('plugin_install'),
      status: open(['started', 'installed', 'failed', 'completed']),
      name: maybeText,
      error: maybeText,
    }),
  ),
  files_persisted: lazy(() =>
    wire({
      ...system('files_persisted'),
      files: z.array(wire({ filename: text, file_id: text })),
      failed: z.array(wire({ filename: text, error: text })),
      processed_at: maybeText,
    }),
  ),
  session_writes_lost: lazy(() =>
    wire({
      ...system('session_writes_lost'),
      error_code: open(['ENOSPC', 'EDQUOT']),
      lost: z.array(open(['transcript', 'global_config'])),
      transcript_session_ids: maybeTexts,
    }),
  ),
  worker_shutting_down: lazy(() => wire({ ...system('worker_shutting_down'), reason: text })),
  mirror_error: lazy(() => wire({ ...system('mirror_error'), error: text, key: fields })),
  control_request_progress: lazy(() =>
    wire({
      ...system('control_request_progress'),
      request_id: text,
      status: open(['started', 'api_retry']),
      attempt: maybeCount,
      max_retries: maybeCount,
      retry_delay_ms: maybeCount,
      error_status: nullishCount,
    }),
  ),
  model_refusal_fallback: lazy(() =>
    wire({
      ...system('model_refusal_fallback'),
      trigger: open(['refusal']),
      direction: open(['retry', 'revert', 'sticky']),
      original_model: text,
      fallback_model: text,
      request_id: nullishText,
      content: text,
      scope: z.optional(open(['session', 'local'])),
      ...refusal,
      retracted_message_uuids: maybeTexts,
    }),
  ),
  model_refusal_no_fallback: lazy(() =>
    wire({
      ...system('model_refusal_no_fallback'),
      original_model: text,
      request_id: nullishText,
      content: text,
      ...refusal,
    }),
  ),
  permission_denied: lazy(() =>
    wire({
      ...system('permission_denied'),
      tool_name: text,
      tool_use_id: text,
      message: text,
      agent_id: maybeText,
      decision_reason_type: maybeText,
      decision_reason: maybeText,
    }),
  ),
  elicitation_complete: lazy(() =>
    wire({ ...system('elicitation_complete'), mcp_server_name: text, elicitation_id: text }),
  ),
  hook_started: lazy(() => wire({ ...system('hook_started'), ...hook })),
  hook_progress: lazy(() => wire({ ...system('hook_progress'), ...hook, ...hookOutput })),
  hook_response: lazy(() =>
    wire({
      ...system('hook_response'),
      ...hook,
      ...hookOutput,
      outcome: z.optional(open(['success', 'error', 'cancelled'])),
      exit_code: nullishCount,
    }),
  ),
  api_retry: lazy(() =>
    wire({
      ...system('api_retry'),
      attempt: count,
      max_retries: count,
      retry_delay_ms: count,
      error_status: countOrNull,
      error: open(ASSISTANT_ERRORS),
      no_response: z.optional(wire({ waited_ms: count, retry_wait_ms: count })),
    }),
  ),
  thinking_tokens: lazy(() =>
    wire({
      ...system('thinking_tokens'),
      estimated_tokens: count,
      estimated_tokens_delta: count,
      user_message_uuid: maybeText,
    }),
  ),
};

export const systemSchemas = { ...sessionSchemas, ...taskSchemas };

type SystemSchemas = typeof systemSchemas;
export type SystemSubtype = keyof SystemSchemas;
export type SystemFrameOf<Subtype extends SystemSubtype> = z.output<ReturnType<SystemSchemas[Subtype]>>;

export interface UnknownSystemFrame {
  type: 'system';
  subtype: 'unknown';
  rawSubtype?: string;
  raw: Fields;
  session_id?: string;
  uuid?: string;
}

export type SystemFrame = { [Subtype in SystemSubtype]: SystemFrameOf<Subtype> }[SystemSubtype] | UnknownSystemFrame;

export type InitFrame = SystemFrameOf<'init'>;
export type StatusFrame = SystemFrameOf<'status'>;

export function isSystemSubtype(subtype: string): subtype is SystemSubtype {
  return Object.hasOwn(systemSchemas, subtype);
}
