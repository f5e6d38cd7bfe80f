import * as z from 'zod/mini';
import { lazy, maybeAnything, maybeCount, maybeFields, maybeFlag, maybeText, text, wire } from './schemaKit.ts';
import type { Fields, Open } from './schemaKit.ts';

/** Hook events known so far; the CLI may have more, and a name outside the list is passed on unchanged. */
export const HOOK_EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'PermissionDenied',
  'Notification',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SessionStart',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'PreCompact',
  'PostCompact',
  'PreModelSwitch',
  'PostModelSwitch',
  'SessionEnd',
  'PermissionRequest',
  'Setup',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'Elicitation',
  'ElicitationResult',
  'ConfigChange',
  'InstructionsLoaded',
  'WorktreeCreate',
  'WorktreeRemove',
  'CwdChanged',
  'FileChanged',
  'DirectoryAdded',
  'MessageDisplay',
] as const;

export type KnownHookEvent = (typeof HOOK_EVENTS)[number];
export type HookEvent = Open<KnownHookEvent>;

/** What a hook callback is told: the common part, and the fields of the events a host acts on. Others survive. */
export const hookInput = lazy(() =>
  wire({
    hook_event_name: text,
    session_id: maybeText,
    transcript_path: maybeText,
    cwd: maybeText,
    prompt_id: maybeText,
    permission_mode: maybeText,
    agent_id: maybeText,
    agent_type: maybeText,
    effort: maybeAnything,
    tool_name: maybeText,
    tool_input: maybeFields,
    tool_use_id: maybeText,
    tool_response: maybeAnything,
    permission_suggestions: maybeAnything,
    error: maybeText,
    is_interrupt: maybeFlag,
    prompt: maybeText,
    message: maybeText,
    title: maybeText,
    source: maybeText,
    reason: maybeText,
    trigger: maybeText,
    stop_hook_active: maybeFlag,
    last_assistant_message: maybeText,
    background_tasks: maybeAnything,
    duration_ms: maybeCount,
  }),
);
export type HookInput = z.output<ReturnType<typeof hookInput>>;

/** `hookEventName` must be the event that is answered. */
const hookSpecificOutput = lazy(() =>
  wire({
    hookEventName: text,
    permissionDecision: z.optional(z.enum(['allow', 'deny', 'ask', 'defer'])),
    permissionDecisionReason: maybeText,
    updatedInput: maybeFields,
    additionalContext: maybeText,
  }),
);
export type HookSpecificOutput = z.output<ReturnType<typeof hookSpecificOutput>>;

export const hookOutput = lazy(() =>
  wire({
    continue: maybeFlag,
    suppressOutput: maybeFlag,
    stopReason: maybeText,
    decision: z.optional(z.enum(['approve', 'block'])),
    systemMessage: maybeText,
    reason: maybeText,
    hookSpecificOutput: z.optional(hookSpecificOutput()),
    async: z.optional(z.literal(true)),
    asyncTimeout: maybeCount,
  }),
);
/** The answer to `hook_callback`; `{}` lets things go on. */
export type HookOutput = z.output<ReturnType<typeof hookOutput>>;

/** Brings the spelling of an older host (`continue_`, `async_`) into the one the CLI acts on: it ignores the old silently. */
export function modernHookOutput(output: Fields): Fields {
  if (!('continue_' in output) && !('async_' in output)) return output;
  const { continue_: goOn, async_: later, ...rest } = output;
  const modern: Fields = { ...rest };
  if (goOn !== undefined) modern['continue'] ??= goOn;
  if (later !== undefined) modern['async'] ??= later;
  return modern;
}
