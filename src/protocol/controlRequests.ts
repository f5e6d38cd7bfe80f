import * as z from 'zod/mini';
import type { accountAnswer } from './initialize.ts';
import { agentInfo, commandInfo, initializeAnswer, initializeRequest, modelInfo } from './initialize.ts';
import { contextUsage, mcpServers, permissionRules } from './hostAnswers.ts';
import type { TakeNote } from './readValue.ts';
import { readValue } from './readValue.ts';
import {
  anything,
  count,
  fields,
  flag,
  isFields,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  nothing,
  nullishCount,
  nullishText,
  open,
  text,
  texts,
  wire,
} from './schemaKit.ts';

/** One kind of request a host may make: what it sends, what a success carries. A bare acknowledgement is `{}`. */
function pair<Request extends z.ZodMiniType, Answer extends z.ZodMiniType>(
  request: () => Request,
  answer: () => Answer,
) {
  return { request: lazy(request), answer: lazy(answer) };
}

export const hostRequests = {
  initialize: pair(initializeRequest, initializeAnswer),
  interrupt: pair(
    () => wire({ cancel_queued: maybeFlag }),
    () => wire({ still_queued: maybeTexts, cancelled: maybeTexts }),
  ),
  set_permission_mode: pair(
    () => wire({ mode: text }),
    () => wire({ mode: maybeText }),
  ),
  set_model: pair(
    () => wire({ model: nullishText }),
    () => wire({ model: nullishText }),
  ),
  set_max_thinking_tokens: pair(
    () => wire({ max_thinking_tokens: nullishCount, thinking_display: maybeText }),
    nothing,
  ),
  mcp_status: pair(
    () => wire({ liveReply: maybeFlag }),
    () => wire({ mcpServers: mcpServers() }),
  ),
  mcp_set_servers: pair(
    () => wire({ servers: fields }),
    () => wire({ added: texts, removed: texts, errors: z.record(text, text) }),
  ),
  mcp_message: pair(() => wire({ server_name: text, message: fields }), nothing),
  mcp_reconnect: pair(() => wire({ serverName: text }), nothing),
  mcp_toggle: pair(() => wire({ serverName: text, enabled: flag }), nothing),
  mcp_call: pair(
    () =>
      wire({
        tool: text,
        arguments: maybeFields,
        timeout_ms: maybeCount,
        check_permissions: maybeFlag,
        result_not_for_model: maybeFlag,
      }),
    () => wire({ content: maybeAnything, structuredContent: maybeAnything, isError: maybeFlag }),
  ),
  mcp_read_resource: pair(
    () => wire({ serverName: text, uri: text }),
    () => wire({ contents: z.array(anything) }),
  ),
  set_mcp_permission_mode_override: pair(
    () => wire({ serverName: text, mode: nullishText }),
    () => wire({ warning: nullishText }),
  ),
  rewind_files: pair(
    () => wire({ user_message_id: text, dry_run: maybeFlag }),
    () =>
      wire({
        canRewind: flag,
        error: maybeText,
        filesChanged: maybeTexts,
        insertions: maybeCount,
        deletions: maybeCount,
        skippedLinks: maybeCount,
      }),
  ),
  cancel_async_message: pair(
    () => wire({ message_uuid: text }),
    () => wire({ cancelled: flag, message_uuid: maybeText }),
  ),
  get_context_usage: pair(() => wire({ detail: z.optional(open(['summary', 'full'])) }), contextUsage),
  get_session_cost: pair(nothing, () => wire({ text })),
  get_usage: pair(
    () => wire({ skip_behaviors: maybeFlag }),
    () =>
      wire({
        session: maybeFields,
        subscription_type: nullishText,
        rate_limits_available: maybeFlag,
        rate_limits: maybeAnything,
        behaviors: maybeAnything,
      }),
  ),
  list_models: pair(nothing, () => wire({ models: z.array(modelInfo()) })),
  get_binary_version: pair(nothing, () => wire({ version: text, buildTime: maybeText, oldestDesktopSdk: maybeText })),
  file_suggestions: pair(
    () => wire({ query: text }),
    () => wire({ suggestions: z.array(wire({ path: text })), cwd: maybeText }),
  ),
  read_file: pair(
    () => wire({ path: text, max_bytes: maybeCount, encoding: maybeText }),
    () => wire({ contents: text, absPath: maybeText, truncated: maybeFlag, encoding: maybeText, lossy: maybeFlag }),
  ),
  seed_read_state: pair(() => wire({ path: text, mtime: count }), nothing),
  rename_session: pair(() => wire({ title: text, source: maybeText, session_id: maybeText }), nothing),
  list_permission_rules: pair(nothing, () => wire({ state: permissionRules() })),
  get_settings: pair(nothing, () =>
    wire({ effective: maybeFields, sources: z.optional(z.array(anything)), applied: maybeFields }),
  ),
  apply_flag_settings: pair(() => wire({ settings: fields }), nothing),
  update_settings: pair(() => wire({ source: text, settings: fields }), nothing),
  get_hooks_listing: pair(nothing, () =>
    wire({ events: maybeAnything, hooks: maybeAnything, eventCatalog: maybeAnything, policy: maybeAnything }),
  ),
  stop_task: pair(() => wire({ task_id: text }), nothing),
  background_tasks: pair(
    () => wire({ tool_use_id: maybeText }),
    () => wire({ backgrounded: maybeFlag }),
  ),
  get_task_output: pair(
    () => wire({ task_id: text }),
    () => wire({ output: text, total_bytes: maybeCount, truncated: maybeFlag }),
  ),
  reload_plugins: pair(
    () => wire({ hold_on_cache_impact: maybeFlag, add_plugins: maybeAnything, refuse_if_busy: maybeFlag }),
    () =>
      wire({
        commands: z.optional(z.array(commandInfo())),
        agents: z.optional(z.array(agentInfo())),
        plugins: maybeAnything,
        mcpServers: maybeAnything,
        error_count: maybeCount,
      }),
  ),
  reload_skills: pair(nothing, () => wire({ skills: maybeAnything })),
  reload_output_styles: pair(nothing, () => wire({ available_output_styles: maybeTexts })),
  register_repo_root: pair(
    () => wire({ directory: text }),
    () => wire({ directory: maybeText }),
  ),
  set_has_subscribers: pair(() => wire({ has_subscribers: flag }), nothing),
  side_question: pair(
    () => wire({ question: text }),
    () => wire({ response: nullishText, synthetic: maybeFlag }),
  ),
  generate_session_title: pair(
    () => wire({ description: text, persist: maybeFlag }),
    () => wire({ title: nullishText }),
  ),
  end_session: pair(nothing, nothing),
  set_color: pair(() => wire({ color: text }), nothing),
};

type Pairs = typeof hostRequests;
export type HostRequestSubtype = keyof Pairs;

/** What each request sends (without its subtype) and what its success answer holds. */
export type HostRequestMap = {
  [Subtype in HostRequestSubtype]: {
    request: z.output<ReturnType<Pairs[Subtype]['request']>>;
    response: z.output<ReturnType<Pairs[Subtype]['answer']>>;
  };
};
export type HostRequests = HostRequestMap;
export type HostRequestOf<Subtype extends HostRequestSubtype> = HostRequestMap[Subtype]['request'];
export type HostResponseOf<Subtype extends HostRequestSubtype> = HostRequestMap[Subtype]['response'];

/** The schema of each success answer. Read with `readHostResponse`, which is tolerant; alone they are exact. */
export const hostResponseSchemas: {
  readonly [Subtype in HostRequestSubtype]: { answer: () => z.ZodMiniType<HostResponseOf<Subtype>> };
} = hostRequests;

export type Account = z.output<ReturnType<typeof accountAnswer>>;

export function isHostRequestSubtype(subtype: string): subtype is HostRequestSubtype {
  return Object.hasOwn(hostRequests, subtype);
}

/**
 * Reads the `response` of a success answer by the kind of the request. A bare acknowledgement (no `response`) reads as an
 * empty object; a wrong field is dropped and noted, so that one odd field does not fail a request that succeeded.
 */
export function readHostResponse<Subtype extends HostRequestSubtype>(
  subtype: Subtype,
  response: unknown,
  note: TakeNote,
): HostResponseOf<Subtype> | undefined {
  return readValue(hostResponseSchemas[subtype].answer(), presentShape(subtype, response), note);
}

/** An older CLI answers `mcp_status` with the bare list. */
function presentShape(subtype: HostRequestSubtype, response: unknown): unknown {
  if (subtype === 'mcp_status' && Array.isArray(response)) return { mcpServers: response };
  return isFields(response) ? response : {};
}
