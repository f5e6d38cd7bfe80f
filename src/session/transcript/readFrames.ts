import type { AssistantFrame, ResultFrame, UserFrame } from '../../protocol/conversationFrame.ts';
import type { Notice } from '../transcriptModel.ts';
import { isDiagnostic } from './markers.ts';
import type { Said } from './speech.ts';
import type { ToolMeta } from './userSpeech.ts';

/** Milliseconds of an ISO time, if it is one. */
export function timeOf(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined;
  const time = Date.parse(timestamp);
  return Number.isNaN(time) ? undefined : time;
}

export function saidIn(frame: AssistantFrame, now: number): Said {
  const status = frame.api_error_status ?? undefined;
  const failed = frame.error !== undefined || frame.is_api_error_message === true;
  const source = frame.local_command_source;
  const command = commandName(frame.local_command_run);
  return {
    messageId: frame.message.id,
    model: frame.message.model,
    content: frame.message.content,
    uuid: frame.uuid,
    at: timeOf(frame.timestamp) ?? now,
    parentToolUseId: frame.parent_tool_use_id ?? undefined,
    aborted: frame.aborted ?? false,
    ...(failed ? { failure: { code: frame.error ?? 'unknown', ...(status === undefined ? {} : { status }) } } : {}),
    ...(source === undefined
      ? {}
      : { localCommand: { output: source, ...(command === undefined ? {} : { command }) } }),
    ...(frame.thinking_duration_ms === undefined ? {} : { thinkingMs: frame.thinking_duration_ms }),
  };
}

/** The command as it was typed, from the CLI's record of the run. */
export function commandName(run: unknown): string | undefined {
  if (typeof run !== 'object' || run === null || !('command' in run) || typeof run.command !== 'string') {
    return undefined;
  }
  const args = 'args' in run && typeof run.args === 'string' ? run.args : '';
  return args === '' ? `/${run.command}` : `/${run.command} ${args}`;
}

export function readMeta(meta: NonNullable<UserFrame['tool_result_meta']>[number]): ToolMeta {
  const decision = meta.permission_decision;
  return {
    ...(meta.id === undefined ? {} : { id: meta.id }),
    ...(decision === undefined
      ? {}
      : { decision: readDecision(decision.decision, decision.source, decision.reason_type) }),
    ...(meta.non_execution_kind === undefined ? {} : { notRun: meta.non_execution_kind }),
  };
}

export function readDecision(
  decision: string,
  source: string | undefined,
  reason: string | undefined,
): NonNullable<ToolMeta['decision']> {
  return {
    accepted: decision === 'accept',
    ...(source === undefined ? {} : { source }),
    ...(reason === undefined ? {} : { reason }),
  };
}

export type Ending =
  | { readonly kind: 'done' | 'stopped' }
  | { readonly kind: 'failed'; readonly failure: Extract<Notice, { type: 'turnFailed' }> };

/** How a turn ended. A stop by the person is never a failure, whatever else the frame says. */
export function readEnding(frame: ResultFrame): Ending {
  const reason = frame.terminal_reason;
  if (reason?.startsWith('aborted_') === true) return { kind: 'stopped' };
  if (!frame.is_error && frame.subtype === 'success') return { kind: 'done' };
  const errors = (frame.errors ?? []).filter(line => !isDiagnostic(line));
  const status = frame.api_error_status ?? undefined;
  const code = frame.startup_failure_reason ?? reason ?? (frame.subtype === 'success' ? 'unknown' : frame.subtype);
  return {
    kind: 'failed',
    failure: {
      type: 'turnFailed',
      code,
      message: frame.subtype === 'success' ? (frame.result ?? '') : errors.join('\n'),
      ...(status === undefined ? {} : { status }),
    },
  };
}
