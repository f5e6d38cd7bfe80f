import type { CliFrame } from '../protocol/cliFrame.ts';
import type { Account } from '../protocol/controlRequests.ts';
import type { McpServerStatus } from '../protocol/hostAnswers.ts';
import type {
  AgentInfo as WireAgent,
  InitializeResponse,
  ModelInfo as WireModel,
  SlashCommandInfo,
} from '../protocol/initialize.ts';
import type { InitFrame, SystemFrame } from '../protocol/systemFrame.ts';
import type { AccountInfo, AgentInfo, CommandInfo, McpServerInfo, ModelInfo, SessionInfo } from './sessionInfo.ts';

export function initialInfo(cwd: string, mode: string, sessionId?: string): SessionInfo {
  return {
    cwd,
    mode,
    models: [],
    commands: [],
    agents: [],
    capabilities: new Set(),
    outputStyles: [],
    tools: [],
    mcpServers: [],
    ...(sessionId === undefined ? {} : { sessionId }),
  };
}

/** The same value comes back when the frame says nothing new, so that identity tells whether anything changed. */
export function infoAfter(info: SessionInfo, frame: CliFrame): SessionInfo {
  if (frame.type !== 'system') return info;
  const patch = patchOf(frame);
  return patch === undefined || !differs(info, patch) ? info : { ...info, ...patch };
}

function patchOf(frame: SystemFrame): Partial<SessionInfo> | undefined {
  switch (frame.subtype) {
    case 'init':
      return initPatch(frame);
    case 'status':
      return frame.permissionMode === undefined ? undefined : { mode: frame.permissionMode };
    case 'session_title_changed':
      return { title: frame.title };
    case 'commands_changed':
      return { commands: frame.commands.map(toCommand) };
    case 'model_refusal_fallback':
      return frame.scope === 'local' ? undefined : { model: frame.fallback_model };
    default:
      return undefined;
  }
}

function initPatch(frame: InitFrame): Partial<SessionInfo> {
  return {
    ...(frame.session_id === undefined ? {} : { sessionId: frame.session_id }),
    cwd: frame.cwd,
    model: frame.model,
    mode: frame.permissionMode,
    tools: frame.tools,
    mcpServers: frame.mcp_servers.map(toServer),
    ...(frame.claude_code_version === undefined ? {} : { cliVersion: frame.claude_code_version }),
    ...(frame.output_style === undefined ? {} : { outputStyle: frame.output_style }),
    ...(frame.capabilities === undefined ? {} : { capabilities: new Set(frame.capabilities) }),
    ...(typeof frame.effort === 'string' ? { effort: frame.effort } : {}),
    ...(frame.apiKeySource === undefined || frame.apiKeySource === 'none' ? {} : { loggedIn: true }),
  };
}

export function infoAfterInitialize(info: SessionInfo, answer: InitializeResponse): SessionInfo {
  const models = answer.models?.map(toModel);
  return {
    ...info,
    commands: answer.commands.map(toCommand),
    capabilities: new Set([...info.capabilities, ...(answer.capabilities ?? [])]),
    ...(answer.agents === undefined ? {} : { agents: answer.agents.map(toAgent) }),
    ...(models === undefined ? {} : { models }),
    ...(answer.account === undefined
      ? {}
      : { account: toAccount(answer.account), loggedIn: isLoggedIn(answer.account) }),
    ...(answer.claude_code_version === undefined ? {} : { cliVersion: answer.claude_code_version }),
    ...(answer.pid === undefined ? {} : { pid: answer.pid }),
    ...(answer.current_permission_mode === undefined ? {} : { mode: answer.current_permission_mode }),
    ...(answer.output_style === undefined ? {} : { outputStyle: answer.output_style }),
    ...(answer.available_output_styles === undefined ? {} : { outputStyles: answer.available_output_styles }),
  };
}

/** Seen without a login: a token source of `none` and no key. */
function isLoggedIn(account: Account): boolean {
  const hasKey = account.apiKeySource !== undefined && account.apiKeySource !== 'none';
  return hasKey || (account.tokenSource !== undefined && account.tokenSource !== 'none');
}

export function toServer(server: McpServerStatus | InitFrame['mcp_servers'][number]): McpServerInfo {
  const error = 'error' in server && typeof server.error === 'string' ? { error: server.error } : {};
  const source = server.source === undefined ? {} : { source: server.source };
  return { name: server.name, status: server.status, ...source, ...error };
}

function toCommand(command: SlashCommandInfo): CommandInfo {
  return {
    name: command.name,
    description: command.description ?? '',
    argumentHint: command.argumentHint ?? '',
    aliases: command.aliases ?? [],
  };
}

function toModel(model: WireModel): ModelInfo {
  return {
    value: model.value,
    displayName: model.displayName ?? model.value,
    description: model.description ?? '',
    effortLevels: model.supportsEffort === false ? [] : (model.supportedEffortLevels ?? []),
    ...(model.resolvedModel === undefined ? {} : { resolvedModel: model.resolvedModel }),
  };
}

function toAgent(agent: WireAgent): AgentInfo {
  const model = agent.model === undefined ? {} : { model: agent.model };
  return { name: agent.name, description: agent.description ?? '', ...model };
}

function toAccount(account: Account): AccountInfo {
  return {
    ...(account.email === undefined ? {} : { email: account.email }),
    ...(account.organization === undefined ? {} : { organization: account.organization }),
    ...(typeof account.subscriptionType === 'string' ? { subscriptionType: account.subscriptionType } : {}),
    ...(account.tokenSource === undefined ? {} : { tokenSource: account.tokenSource }),
    ...(account.apiKeySource === undefined ? {} : { apiKeySource: account.apiKeySource }),
    ...(account.apiProvider === undefined ? {} : { apiProvider: account.apiProvider }),
  };
}

function differs(info: SessionInfo, patch: Partial<SessionInfo>): boolean {
  const now: Readonly<Record<string, unknown>> = { ...info };
  return Object.entries(patch).some(([key, value]) => !same(now[key], value));
}

function same(a: unknown, b: unknown): boolean {
  if (a instanceof Set && b instanceof Set) return a.size === b.size && [...a].every(entry => b.has(entry));
  return a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));
}
