import * as z from 'zod/mini';
import {
  anything,
  lazy,
  maybeAnything,
  maybeCount,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  nullishText,
  text,
  texts,
  wire,
} from './schemaKit.ts';

const hookMatcher = lazy(() =>
  wire({
    matcher: nullishText,
    hookCallbackIds: texts,
    /** In seconds. */
    timeout: maybeCount,
    onFailure: z.optional(z.enum(['continue', 'block'])),
  }),
);
export type HookMatcher = z.output<ReturnType<typeof hookMatcher>>;

export const initializeRequest = lazy(() =>
  wire({
    hooks: z.optional(z.nullable(z.record(text, z.array(hookMatcher())))),
    sdkMcpServers: maybeTexts,
    sdkMcpServerConfigs: maybeFields,
    sdkMcpServerManifests: maybeAnything,
    jsonSchema: maybeFields,
    systemPrompt: maybeTexts,
    appendSystemPrompt: maybeText,
    systemPromptSnapshot: maybeAnything,
    planModeInstructions: maybeText,
    toolAliases: maybeFields,
    excludeDynamicSections: maybeAnything,
    agents: maybeFields,
    title: maybeText,
    skills: z.optional(z.array(anything)),
    promptSuggestions: maybeFlag,
    agentProgressSummaries: maybeFlag,
    forwardSubagentText: maybeFlag,
    /** Only kinds the host really draws. */
    supportedDialogKinds: maybeTexts,
    /** True if each task has its own stop button; otherwise `interrupt` kills background agents. */
    perTaskStopAffordance: maybeFlag,
    plugins: z.optional(z.array(anything)),
    mcpServers: maybeFields,
  }),
);

export const commandInfo = lazy(() =>
  wire({
    name: text,
    description: maybeText,
    argumentHint: maybeText,
    aliases: maybeTexts,
    builtin: maybeFlag,
  }),
);

export const agentInfo = lazy(() => wire({ name: text, description: maybeText, model: maybeText }));

export const modelInfo = lazy(() =>
  wire({
    value: text,
    resolvedModel: maybeText,
    displayName: maybeText,
    description: maybeText,
    supportsEffort: maybeFlag,
    supportedEffortLevels: maybeTexts,
    supportsAdaptiveThinking: maybeFlag,
    supportsFastMode: maybeFlag,
    supportsAutoMode: maybeFlag,
    supportsThinkingOff: maybeFlag,
  }),
);

/** Nobody is signed in when `tokenSource` is `none` and `apiKeySource` is absent. */
export const accountAnswer = lazy(() =>
  wire({
    email: maybeText,
    organization: maybeText,
    subscriptionType: nullishText,
    tokenSource: maybeText,
    apiKeySource: maybeText,
    apiProvider: maybeText,
  }),
);

export const initializeAnswer = lazy(() =>
  wire({
    commands: z.array(commandInfo()),
    agents: z.optional(z.array(agentInfo())),
    output_style: maybeText,
    available_output_styles: maybeTexts,
    models: z.optional(z.array(modelInfo())),
    account: z.optional(accountAnswer()),
    hooks_applied: maybeFlag,
    hook_on_failure_supported: maybeFlag,
    plugins_applied: maybeFlag,
    mcp_servers_applied: maybeFlag,
    sdk_mcp_manifests_parked: maybeAnything,
    claude_code_version: maybeText,
    fast_mode_state: maybeText,
    fast_mode_disabled_reason: maybeText,
    pid: maybeCount,
    current_permission_mode: maybeText,
    session_state: maybeText,
    capabilities: maybeTexts,
  }),
);

export type SlashCommandInfo = z.output<ReturnType<typeof commandInfo>>;
export type AgentInfo = z.output<ReturnType<typeof agentInfo>>;
export type ModelInfo = z.output<ReturnType<typeof modelInfo>>;
export type InitializeRequest = z.output<ReturnType<typeof initializeRequest>>;
export type InitializeResponse = z.output<ReturnType<typeof initializeAnswer>>;
