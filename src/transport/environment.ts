export interface CliEnvironmentOptions {
  /** Our version, for the User-Agent. */
  readonly version: string;
  readonly cwd: string;
  /** The user's own additions (setting `handrail.claude.environment`); they win over what we set. Of the removals only DEBUG may be asked for. */
  readonly extra?: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

/**
 * Never the child's business: debugger and logging switches meant for the editor, the mark of a CLI around us, and what
 * makes a program believe that it runs inside VS Code's own processes (its IPC sockets, Electron's disguise).
 */
const removed = new Set([
  'NODE_OPTIONS',
  'NODE_INSPECT_RESUME_ON_START',
  'DEBUG',
  'CLAUDECODE',
  'ELECTRON_RUN_AS_NODE',
  'ELECTRON_NO_ATTACH_CONSOLE',
  'ELECTRON_NO_ASAR',
  'APPLICATION_INSIGHTS_NO_DIAGNOSTIC_CHANNEL',
]);
/** Kept of VSCODE_*: the agent's own shell commands use these (git's askpass, `code` in a remote terminal). */
const keptOfVscode = new Set([
  'VSCODE_IPC_HOOK_CLI',
  'VSCODE_GIT_ASKPASS_NODE',
  'VSCODE_GIT_ASKPASS_MAIN',
  'VSCODE_GIT_ASKPASS_EXTRA_ARGS',
  'VSCODE_GIT_IPC_HANDLE',
]);

function isRemoved(name: string): boolean {
  return removed.has(name) || (name.startsWith('VSCODE_') && !keptOfVscode.has(name));
}

/**
 * The environment of the CLI: the user's, less what would mislead it, plus what makes it ours. On Windows names differ
 * only by letter case mean the same variable; the result holds each once, the last one given winning.
 */
export function cliEnvironment(
  base: Readonly<Record<string, string | undefined>>,
  options: CliEnvironmentOptions,
): Record<string, string> {
  const { version, cwd, extra = {}, platform = process.platform } = options;
  const canonical = (name: string): string => (platform === 'win32' ? name.toUpperCase() : name);
  const ours = {
    CLAUDE_CODE_ENTRYPOINT: 'handrail',
    CLAUDE_AGENT_SDK_CLIENT_APP: `handrail/${version}`,
    CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: '1',
    CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1',
    PWD: cwd,
  };
  const variables = new Map<string, [name: string, value: string]>();
  for (const source of [base, ours, extra]) {
    for (const [name, value] of Object.entries(source)) {
      const key = canonical(name);
      if (value === undefined || (isRemoved(key) && !(source === extra && key === 'DEBUG'))) continue;
      const first = variables.get(key);
      // The first spelling stays: `Path` remains `Path`.
      variables.set(key, [first?.[0] ?? name, value]);
    }
  }
  return Object.fromEntries(variables.values());
}
