import { ArgumentList, FlagError } from './argumentList.ts';

/** Modes the CLI takes on its command line. */
export const permissionModes = ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk', 'auto'] as const;
export type PermissionModeFlag = (typeof permissionModes)[number];
export const settingSources = ['user', 'project', 'local'] as const;
export type SettingSource = (typeof settingSources)[number];

/** How the conversation begins: anew, or from one on disk. */
export type StartFrom =
  | { readonly kind: 'new'; readonly sessionId?: string }
  | { readonly kind: 'continue'; readonly fork?: { readonly sessionId?: string } }
  | {
      readonly kind: 'resume';
      /** Session id or title. */
      readonly session: string;
      readonly fork?: { readonly sessionId?: string };
      /** Keep the conversation up to and including this message. */
      readonly at?: string;
      /** Refuse the cut if it would lose anything but the turn of this prompt. Needs `at`. */
      readonly dropsTurn?: string;
    };

/**
 * The flags of the CLI that matter to a host. What is left out is left to the CLI. Of the known flags two have no place
 * here: `--sdk-url`, which the CLI refuses for us, and `--rewind-files`, which the control request of that name replaces.
 */
export interface CliOptions {
  readonly start?: StartFrom;
  /** Always written: without it the CLI may choose `auto` from settings. */
  readonly permissionMode?: PermissionModeFlag;
  /** `host`: we are asked. `none`: what would ask is denied. */
  readonly permissionPrompts?: 'host' | 'none';
  readonly allowBypass?: boolean;
  readonly skipPermissions?: boolean;
  /** Deltas while the model writes; on unless switched off. */
  readonly partialMessages?: boolean;
  /** Echo of our prompts when the model has them; on unless switched off. */
  readonly replayUserMessages?: boolean;
  readonly model?: string;
  readonly fallbackModels?: readonly string[];
  readonly effort?: string;
  readonly maxThinkingTokens?: number;
  readonly thinking?: 'enabled' | 'adaptive' | 'disabled';
  readonly thinkingDisplay?: 'summarized' | 'omitted';
  readonly maxTurns?: number;
  readonly maxBudgetUsd?: number;
  readonly taskBudget?: number;
  readonly betas?: readonly string[];
  readonly persistSession?: boolean;
  readonly name?: string;
  readonly allowedTools?: readonly string[];
  readonly disallowedTools?: readonly string[];
  /** The stock set, none, or exactly these. */
  readonly tools?: 'default' | readonly string[];
  readonly mcpConfig?: readonly string[];
  readonly strictMcpConfig?: boolean;
  readonly settingSources?: readonly SettingSource[];
  readonly settings?: string;
  readonly managedSettings?: string;
  readonly managedSettingsInInitialize?: boolean;
  readonly addDirs?: readonly string[];
  readonly pluginDirs?: readonly string[];
  readonly pluginDirsWithoutMcp?: readonly string[];
  readonly jsonSchema?: string;
  readonly systemPrompt?: PromptSource;
  readonly appendSystemPrompt?: PromptSource;
  readonly agent?: string;
  readonly agents?: string;
  readonly includeHookEvents?: boolean;
  readonly forwardSubagentText?: boolean;
  readonly promptSuggestions?: boolean;
  readonly sessionMirror?: boolean;
  readonly awaitInitialize?: boolean;
  readonly awaitClaim?: boolean;
  readonly projectConfigRoot?: string;
  readonly planModeInstructions?: string;
  readonly authStatus?: boolean;
  readonly debug?: { readonly file?: string; readonly toStderr?: boolean };
  /** Added at the end as they are (setting `handrail.claude.extraArguments`). */
  readonly extra?: readonly string[];
}

export type PromptSource = { readonly text: string } | { readonly file: string };

/** The command line of the CLI for a host that talks NDJSON. Pure; throws `FlagError`. */
export function cliArguments(options: CliOptions = {}, platform: NodeJS.Platform = process.platform): string[] {
  const args = new ArgumentList(platform);
  args.list.push('--output-format', 'stream-json', '--input-format', 'stream-json', '--verbose');
  addPermissions(args, options);
  addStart(args, options.start ?? { kind: 'new' });
  addModel(args, options);
  addTools(args, options);
  addSettings(args, options);
  addOutput(args, options);
  args.on('--no-session-persistence', options.persistSession === false);
  args.text('--name', options.name);
  addExtra(args, options.extra ?? []);
  return args.list;
}

function addPermissions(args: ArgumentList, options: CliOptions): void {
  const { permissionMode = 'default', permissionPrompts = 'host' } = options;
  if (permissionPrompts === 'host') args.list.push('--permission-prompt-tool', 'stdio');
  else args.oneOf('--permission-prompts', permissionPrompts, ['none']);
  args.oneOf('--permission-mode', permissionMode, permissionModes);
  const bypass = options.allowBypass === true || options.skipPermissions === true;
  if (permissionMode === 'bypassPermissions' && !bypass) {
    throw new FlagError('needsOther', '--permission-mode', 'bypassPermissions needs the bypass to be allowed');
  }
  args.on('--allow-dangerously-skip-permissions', options.allowBypass);
  args.on('--dangerously-skip-permissions', options.skipPermissions);
}

function addStart(args: ArgumentList, start: StartFrom): void {
  if (start.kind === 'new') {
    args.uuid('--session-id', start.sessionId);
    return;
  }
  if (start.kind === 'continue') args.on('--continue', true);
  else {
    args.joined('--resume', start.session);
    if (start.dropsTurn !== undefined && start.at === undefined) {
      throw new FlagError('needsOther', '--resume-drops-turn', 'it needs a message to cut at');
    }
    args.uuid('--resume-session-at', start.at);
    args.uuid('--resume-drops-turn', start.dropsTurn);
  }
  if (!start.fork) return;
  args.on('--fork-session', true);
  args.uuid('--session-id', start.fork.sessionId);
}

function addModel(args: ArgumentList, options: CliOptions): void {
  const wholeNumber = (n: number): boolean => Number.isSafeInteger(n) && n >= 0;
  args.text('--model', options.model);
  args.commaList('--fallback-model', options.fallbackModels);
  args.text('--effort', options.effort);
  args.number('--max-thinking-tokens', options.maxThinkingTokens, wholeNumber);
  args.oneOf('--thinking', options.thinking, ['enabled', 'adaptive', 'disabled']);
  args.oneOf('--thinking-display', options.thinkingDisplay, ['summarized', 'omitted']);
  args.number('--max-turns', options.maxTurns, wholeNumber);
  args.number('--max-budget-usd', options.maxBudgetUsd, n => n > 0);
  args.number('--task-budget', options.taskBudget, n => wholeNumber(n) && n > 0);
  args.commaList('--betas', options.betas);
  args.json('--json-schema', options.jsonSchema);
  addPrompt(args, '--system-prompt', options.systemPrompt);
  addPrompt(args, '--append-system-prompt', options.appendSystemPrompt);
  args.text('--agent', options.agent);
  args.json('--agents', options.agents);
  args.text('--plan-mode-instructions', options.planModeInstructions);
}

function addPrompt(args: ArgumentList, flag: string, source: PromptSource | undefined): void {
  if (source === undefined) return;
  if ('file' in source) args.text(`${flag}-file`, source.file);
  // An empty prompt is a choice, not an oversight.
  else if (source.text === '') args.list.push(flag, '');
  else args.text(flag, source.text);
}

function addTools(args: ArgumentList, options: CliOptions): void {
  args.commaList('--allowedTools', options.allowedTools);
  args.commaList('--disallowedTools', options.disallowedTools);
  if (options.tools === 'default') args.text('--tools', 'default');
  else {
    // Inside a list the CLI drops it, and with it the whole stock set.
    if (options.tools?.includes('default') === true) {
      throw new FlagError(
        'conflict',
        '--tools',
        '"default" cannot be one entry of a list; name extra tools in allowedTools',
      );
    }
    args.commaList('--tools', options.tools, true);
  }
  args.each('--mcp-config', options.mcpConfig);
  args.on('--strict-mcp-config', options.strictMcpConfig);
  args.each('--plugin-dir', options.pluginDirs);
  args.each('--plugin-dir-no-mcp', options.pluginDirsWithoutMcp);
}

function addSettings(args: ArgumentList, options: CliOptions): void {
  for (const source of options.settingSources ?? []) {
    if (!settingSources.includes(source)) throw new FlagError('unknownValue', '--setting-sources', 'unknown source');
  }
  args.commaList('--setting-sources', options.settingSources, true);
  args.text('--settings', options.settings);
  args.json('--managed-settings', options.managedSettings);
  if (options.managedSettingsInInitialize === true && options.awaitInitialize !== true) {
    throw new FlagError('needsOther', '--managed-settings-in-initialize', 'it needs --await-initialize');
  }
  args.on('--managed-settings-in-initialize', options.managedSettingsInInitialize);
  args.each('--add-dir', options.addDirs);
  args.text('--project-config-root', options.projectConfigRoot);
}

function addOutput(args: ArgumentList, options: CliOptions): void {
  args.on('--include-partial-messages', options.partialMessages ?? true);
  args.on('--replay-user-messages', options.replayUserMessages ?? true);
  args.on('--include-hook-events', options.includeHookEvents);
  args.on('--forward-subagent-text', options.forwardSubagentText);
  if (options.promptSuggestions !== undefined) args.list.push(`--prompt-suggestions=${options.promptSuggestions}`);
  args.on('--session-mirror', options.sessionMirror);
  args.on('--await-initialize', options.awaitInitialize);
  args.on('--await-claim', options.awaitClaim);
  args.on('--enable-auth-status', options.authStatus);
  if (!options.debug) return;
  if (options.debug.file === undefined && options.debug.toStderr !== true) args.on('--debug', true);
  args.text('--debug-file', options.debug.file);
  args.on('--debug-to-stderr', options.debug.toStderr);
}

/** The user's own arguments. Those that would take the line itself away are refused: the session could not even begin. */
function addExtra(args: ArgumentList, extra: readonly string[]): void {
  const ours = [
    '--output-format',
    '--input-format',
    '--permission-prompt-tool',
    '--print',
    '-p',
    '--sdk-url',
    '--version',
    '-v',
  ];
  for (const argument of extra) {
    const flag = argument.split('=', 1)[0] ?? argument;
    if (ours.includes(flag)) throw new FlagError('conflict', flag, 'this flag is set by Handrail');
    if (argument.includes('\0')) throw new FlagError('controlCharacter', flag, 'the argument holds a NUL');
    args.list.push(argument);
  }
}
