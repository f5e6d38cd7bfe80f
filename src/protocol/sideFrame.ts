import * as z from 'zod/mini';
import {
  anything,
  count,
  envelope,
  flag,
  identity,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFlag,
  maybeText,
  open,
  text,
  texts,
  wire,
} from './schemaKit.ts';

/** Frames beside the conversation: limits, sign-in, suggestions, queue, mirrors, control. */
export const sideSchemas = {
  tool_use_summary: lazy(() =>
    wire({ type: z.literal('tool_use_summary'), summary: text, preceding_tool_use_ids: texts, ...envelope }),
  ),
  rate_limit_event: lazy(() =>
    wire({
      type: z.literal('rate_limit_event'),
      rate_limit_info: wire({
        status: open(['allowed', 'allowed_warning', 'rejected']),
        resetsAt: maybeCount,
        rateLimitType: z.optional(
          open([
            'five_hour',
            'seven_day',
            'seven_day_opus',
            'seven_day_sonnet',
            'seven_day_overage_included',
            'overage',
          ]),
        ),
        utilization: maybeCount,
        overageStatus: maybeText,
        overageResetsAt: maybeCount,
        overageDisabledReason: maybeText,
        isUsingOverage: maybeFlag,
        surpassedThreshold: maybeAnything,
        limitScope: maybeText,
        errorCode: maybeText,
        canUserPurchaseCredits: maybeFlag,
      }),
      ...envelope,
    }),
  ),
  auth_status: lazy(() =>
    wire({
      type: z.literal('auth_status'),
      isAuthenticating: flag,
      output: texts,
      error: maybeText,
      /** Only from CLIs that speak the oldest form. */
      status: maybeText,
      user: maybeAnything,
      ...envelope,
    }),
  ),
  prompt_suggestion: lazy(() => wire({ type: z.literal('prompt_suggestion'), suggestion: text, ...envelope })),
  /** Carries the old `session_id`; the new one comes with later frames and is not `new_conversation_id`. */
  conversation_reset: lazy(() =>
    wire({
      type: z.literal('conversation_reset'),
      new_conversation_id: text,
      trigger: z.optional(open(['clear', 'plan_mode_exit', 'fresh_session', 'onboarding'])),
      user_message_uuid: maybeText,
      timestamp: maybeText,
      ...envelope,
    }),
  ),
  active_goal: lazy(() =>
    wire({
      type: z.literal('active_goal'),
      value: z.nullable(
        wire({
          condition: text,
          iterations: count,
          set_at: maybeCount,
          tokens_at_start: maybeCount,
          last_reason: maybeText,
        }),
      ),
      ...envelope,
    }),
  ),
  command_lifecycle: lazy(() =>
    wire({
      type: z.literal('command_lifecycle'),
      command_uuid: text,
      state: open(['queued', 'started', 'completed', 'cancelled']),
      ...envelope,
    }),
  ),
  transcript_mirror: lazy(() =>
    wire({ type: z.literal('transcript_mirror'), filePath: text, entries: z.array(anything) }),
  ),
  keep_alive: lazy(() => wire({ type: z.literal('keep_alive'), startup_mark: maybeAnything })),
  env_manager_log: lazy(() => wire({ type: z.literal('env_manager_log'), ...envelope })),
  control_cancel_request: lazy(() => wire({ type: z.literal('control_cancel_request'), request_id: identity })),
};

type SideSchemas = typeof sideSchemas;
export type SideType = keyof SideSchemas;
export type SideFrameOf<Type extends SideType> = z.output<ReturnType<SideSchemas[Type]>>;
export type SideFrame = { [Type in SideType]: SideFrameOf<Type> }[SideType];
export type AuthStatusFrame = SideFrameOf<'auth_status'>;
export type RateLimitFrame = SideFrameOf<'rate_limit_event'>;
export type CommandLifecycleFrame = SideFrameOf<'command_lifecycle'>;
export type ConversationResetFrame = SideFrameOf<'conversation_reset'>;

export function isSideType(type: string): type is SideType {
  return Object.hasOwn(sideSchemas, type);
}
