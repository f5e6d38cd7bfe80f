import { expect, it } from 'vitest';
import { hostRequests } from '../../../src/protocol/controlRequests.ts';
import type { HostRequests } from '../../../src/session/hostRequests.ts';
import { readySession, success } from './sessionKit.ts';

const calls: Readonly<Record<string, readonly [(requests: HostRequests) => Promise<unknown>, object]>> = {
  initialize: [r => r.initialize({ title: 't' }), { title: 't' }],
  interrupt: [r => r.interrupt({ cancelQueued: true }), { cancel_queued: true }],
  set_permission_mode: [r => r.setPermissionMode('plan'), { mode: 'plan' }],
  set_model: [r => r.setModel(null), { model: null }],
  set_max_thinking_tokens: [
    r => r.setMaxThinkingTokens(2_048, 'summarized'),
    { max_thinking_tokens: 2_048, thinking_display: 'summarized' },
  ],
  mcp_status: [r => r.mcpStatus(), {}],
  mcp_set_servers: [r => r.mcpSetServers({ a: {} }), { servers: { a: {} } }],
  mcp_message: [r => r.mcpMessage('s', { jsonrpc: '2.0' }), { server_name: 's', message: { jsonrpc: '2.0' } }],
  mcp_reconnect: [r => r.mcpReconnect('s'), { serverName: 's' }],
  mcp_toggle: [r => r.mcpToggle('s', false), { serverName: 's', enabled: false }],
  mcp_call: [r => r.mcpCall({ tool: 't' }), { tool: 't' }],
  mcp_read_resource: [r => r.mcpReadResource('s', 'ui://a'), { serverName: 's', uri: 'ui://a' }],
  set_mcp_permission_mode_override: [r => r.setMcpPermissionModeOverride('s', null), { serverName: 's', mode: null }],
  rewind_files: [r => r.rewindFiles('u', true), { user_message_id: 'u', dry_run: true }],
  cancel_async_message: [r => r.cancelAsyncMessage('u'), { message_uuid: 'u' }],
  get_context_usage: [r => r.getContextUsage('summary'), { detail: 'summary' }],
  get_session_cost: [r => r.getSessionCost(), {}],
  get_usage: [r => r.getUsage(), {}],
  list_models: [r => r.listModels(), {}],
  get_binary_version: [r => r.getBinaryVersion(), {}],
  file_suggestions: [r => r.fileSuggestions('a'), { query: 'a' }],
  read_file: [r => r.readFile('/a', 10), { path: '/a', max_bytes: 10 }],
  seed_read_state: [r => r.seedReadState('/a', 1), { path: '/a', mtime: 1 }],
  rename_session: [r => r.renameSession('t'), { title: 't', source: 'host' }],
  list_permission_rules: [r => r.listPermissionRules(), {}],
  get_settings: [r => r.getSettings(), {}],
  apply_flag_settings: [r => r.applyFlagSettings({ a: null }), { settings: { a: null } }],
  update_settings: [r => r.updateSettings('userSettings', { a: 1 }), { source: 'userSettings', settings: { a: 1 } }],
  get_hooks_listing: [r => r.getHooksListing(), {}],
  stop_task: [r => r.stopTask('t'), { task_id: 't' }],
  background_tasks: [r => r.backgroundTasks('tool'), { tool_use_id: 'tool' }],
  get_task_output: [r => r.getTaskOutput('t'), { task_id: 't' }],
  reload_plugins: [r => r.reloadPlugins({ refuse_if_busy: true }), { refuse_if_busy: true }],
  reload_skills: [r => r.reloadSkills(), {}],
  reload_output_styles: [r => r.reloadOutputStyles(), {}],
  register_repo_root: [r => r.registerRepoRoot('/a'), { directory: '/a' }],
  set_has_subscribers: [r => r.setHasSubscribers(false), { has_subscribers: false }],
  side_question: [r => r.sideQuestion('why?'), { question: 'why?' }],
  generate_session_title: [r => r.generateSessionTitle('d'), { description: 'd' }],
  end_session: [r => r.endSession(), {}],
  set_color: [r => r.setColor('red'), { color: 'red' }],
};

it('has a method for every request there is', () => {
  expect(Object.keys(calls).sort()).toEqual(Object.keys(hostRequests).sort());
});

it.each(Object.entries(calls))(
  '%s is written as the CLI reads it, and resolves with the answer',
  async (subtype, [call, fields]) => {
    const { session, peer } = await readySession();
    const pending = call(session.requests);
    const frame = peer.heard.at(-1);
    expect(frame).toMatchObject({ type: 'control_request', request: { subtype, ...fields } });
    if (frame?.type !== 'control_request') throw new Error('no request');
    peer.say(success(frame.request_id, {}));
    expect(await pending).toBeTypeOf('object');
  },
);
