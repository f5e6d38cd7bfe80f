import type { HostRequestOf, HostRequestSubtype, HostResponseOf } from '../protocol/controlRequests.ts';
import type { HostRequest } from '../protocol/hostFrame.ts';
import type { ControlChannel, RequestOptions } from './controlChannel.ts';

type Answer<Subtype extends HostRequestSubtype> = Promise<HostResponseOf<Subtype>>;

/** Starting servers and asking a model take their time. */
const PATIENT: RequestOptions = { timeoutMs: 180_000 };

/**
 * Every request a host may make, by name. Each rejects with a `SessionError`; `unsupported` means that this CLI does not
 * know the request, and the feature that made it should switch itself off.
 */
export class HostRequests {
  readonly #channel: ControlChannel;

  constructor(channel: ControlChannel) {
    this.#channel = channel;
  }

  /** Any request as it is on the wire. */
  send<Request extends HostRequest>(request: Request, options?: RequestOptions): Answer<Request['subtype']> {
    return this.#channel.request(request, options);
  }

  initialize(request: HostRequestOf<'initialize'>, options?: RequestOptions): Answer<'initialize'> {
    return this.send({ subtype: 'initialize', ...request }, options);
  }

  interrupt(options: { readonly cancelQueued?: boolean } = {}): Answer<'interrupt'> {
    return this.send({ subtype: 'interrupt', ...(options.cancelQueued === true ? { cancel_queued: true } : {}) });
  }

  setPermissionMode(mode: string): Answer<'set_permission_mode'> {
    return this.send({ subtype: 'set_permission_mode', mode });
  }

  /** `null` goes back to the CLI's default. A name it does not list is probed with a real request. */
  setModel(model: string | null): Answer<'set_model'> {
    return this.send({ subtype: 'set_model', model });
  }

  /** Acts on older models only; newer ones take an effort. */
  setMaxThinkingTokens(tokens: number | null, display?: string): Answer<'set_max_thinking_tokens'> {
    const shown = display === undefined ? {} : { thinking_display: display };
    return this.send({ subtype: 'set_max_thinking_tokens', max_thinking_tokens: tokens, ...shown });
  }

  rewindFiles(promptUuid: string, dryRun: boolean): Answer<'rewind_files'> {
    return this.send({ subtype: 'rewind_files', user_message_id: promptUuid, dry_run: dryRun }, PATIENT);
  }

  cancelAsyncMessage(promptUuid: string): Answer<'cancel_async_message'> {
    return this.send({ subtype: 'cancel_async_message', message_uuid: promptUuid });
  }

  renameSession(title: string): Answer<'rename_session'> {
    return this.send({ subtype: 'rename_session', title, source: 'host' });
  }

  generateSessionTitle(description: string): Answer<'generate_session_title'> {
    return this.send({ subtype: 'generate_session_title', description }, PATIENT);
  }

  endSession(): Answer<'end_session'> {
    return this.send({ subtype: 'end_session' });
  }

  sideQuestion(question: string, options?: RequestOptions): Answer<'side_question'> {
    return this.send({ subtype: 'side_question', question }, { ...PATIENT, ...options });
  }

  mcpStatus(): Answer<'mcp_status'> {
    return this.send({ subtype: 'mcp_status' });
  }

  mcpSetServers(servers: Record<string, unknown>): Answer<'mcp_set_servers'> {
    return this.send({ subtype: 'mcp_set_servers', servers }, PATIENT);
  }

  mcpMessage(serverName: string, message: Record<string, unknown>): Answer<'mcp_message'> {
    return this.send({ subtype: 'mcp_message', server_name: serverName, message });
  }

  mcpReconnect(serverName: string): Answer<'mcp_reconnect'> {
    return this.send({ subtype: 'mcp_reconnect', serverName }, PATIENT);
  }

  mcpToggle(serverName: string, enabled: boolean): Answer<'mcp_toggle'> {
    return this.send({ subtype: 'mcp_toggle', serverName, enabled }, PATIENT);
  }

  mcpCall(call: HostRequestOf<'mcp_call'>, options?: RequestOptions): Answer<'mcp_call'> {
    return this.send({ subtype: 'mcp_call', ...call }, { ...PATIENT, ...options });
  }

  mcpReadResource(serverName: string, uri: string): Answer<'mcp_read_resource'> {
    return this.send({ subtype: 'mcp_read_resource', serverName, uri });
  }

  setMcpPermissionModeOverride(
    serverName: string,
    mode: 'default' | 'auto' | null,
  ): Answer<'set_mcp_permission_mode_override'> {
    return this.send({ subtype: 'set_mcp_permission_mode_override', serverName, mode });
  }

  /** `full` counts tokens with real requests; `summary` makes none. */
  getContextUsage(detail: 'summary' | 'full'): Answer<'get_context_usage'> {
    return this.send({ subtype: 'get_context_usage', detail }, PATIENT);
  }

  getSessionCost(): Answer<'get_session_cost'> {
    return this.send({ subtype: 'get_session_cost' });
  }

  getUsage(): Answer<'get_usage'> {
    return this.send({ subtype: 'get_usage' });
  }

  listModels(): Answer<'list_models'> {
    return this.send({ subtype: 'list_models' });
  }

  getBinaryVersion(): Answer<'get_binary_version'> {
    return this.send({ subtype: 'get_binary_version' });
  }

  fileSuggestions(query: string, options?: RequestOptions): Answer<'file_suggestions'> {
    return this.send({ subtype: 'file_suggestions', query }, options);
  }

  readFile(path: string, maxBytes?: number): Answer<'read_file'> {
    return this.send({ subtype: 'read_file', path, ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }) });
  }

  seedReadState(path: string, mtime: number): Answer<'seed_read_state'> {
    return this.send({ subtype: 'seed_read_state', path, mtime });
  }

  listPermissionRules(): Answer<'list_permission_rules'> {
    return this.send({ subtype: 'list_permission_rules' });
  }

  getSettings(): Answer<'get_settings'> {
    return this.send({ subtype: 'get_settings' });
  }

  /** `null` clears a key; one bad value rejects the whole call. */
  applyFlagSettings(settings: Record<string, unknown>): Answer<'apply_flag_settings'> {
    return this.send({ subtype: 'apply_flag_settings', settings });
  }

  updateSettings(
    source: 'localSettings' | 'userSettings',
    settings: Record<string, unknown>,
  ): Answer<'update_settings'> {
    return this.send({ subtype: 'update_settings', source, settings });
  }

  getHooksListing(): Answer<'get_hooks_listing'> {
    return this.send({ subtype: 'get_hooks_listing' });
  }

  stopTask(taskId: string): Answer<'stop_task'> {
    return this.send({ subtype: 'stop_task', task_id: taskId });
  }

  /** Moves running foreground work (one tool, or all) to the background. */
  backgroundTasks(toolUseId?: string): Answer<'background_tasks'> {
    return this.send({ subtype: 'background_tasks', ...(toolUseId === undefined ? {} : { tool_use_id: toolUseId }) });
  }

  getTaskOutput(taskId: string): Answer<'get_task_output'> {
    return this.send({ subtype: 'get_task_output', task_id: taskId });
  }

  reloadPlugins(options: HostRequestOf<'reload_plugins'> = {}): Answer<'reload_plugins'> {
    return this.send({ subtype: 'reload_plugins', ...options }, PATIENT);
  }

  reloadSkills(): Answer<'reload_skills'> {
    return this.send({ subtype: 'reload_skills' });
  }

  reloadOutputStyles(): Answer<'reload_output_styles'> {
    return this.send({ subtype: 'reload_output_styles' });
  }

  registerRepoRoot(directory: string): Answer<'register_repo_root'> {
    return this.send({ subtype: 'register_repo_root', directory });
  }

  setHasSubscribers(hasSubscribers: boolean): Answer<'set_has_subscribers'> {
    return this.send({ subtype: 'set_has_subscribers', has_subscribers: hasSubscribers });
  }

  /** Typed by the SDK, yet unsupported by the headless CLI of today. */
  setColor(color: string): Answer<'set_color'> {
    return this.send({ subtype: 'set_color', color });
  }
}
