/**
 * What is known about a session beside its conversation. One value, replaced whole: the newest word of the CLI wins,
 * whichever frame brought it, so there is one mode, one model and one title whoever changed them.
 */
export interface SessionInfo {
  /** Unknown until the CLI's first frame of a new conversation; changes in mid-process with `/clear`. */
  readonly sessionId?: string;
  readonly cwd: string;
  /** The resolved id of the model in use. */
  readonly model?: string;
  readonly models: readonly ModelInfo[];
  readonly mode: string;
  readonly commands: readonly CommandInfo[];
  readonly agents: readonly AgentInfo[];
  readonly account?: AccountInfo;
  readonly cliVersion?: string;
  readonly pid?: number;
  /** Features by name. Test for exactly the one you use. */
  readonly capabilities: ReadonlySet<string>;
  readonly title?: string;
  readonly effort?: string;
  readonly outputStyle?: string;
  readonly outputStyles: readonly string[];
  readonly tools: readonly string[];
  readonly mcpServers: readonly McpServerInfo[];
  /** Unknown until the CLI said something about the account. */
  readonly loggedIn?: boolean;
}

export interface ModelInfo {
  /** What `setModel` takes. */
  readonly value: string;
  readonly resolvedModel?: string;
  readonly displayName: string;
  readonly description: string;
  readonly effortLevels: readonly string[];
}

export interface CommandInfo {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string;
  readonly aliases: readonly string[];
}

export interface AgentInfo {
  readonly name: string;
  readonly description: string;
  readonly model?: string;
}

export interface AccountInfo {
  readonly email?: string;
  readonly organization?: string;
  readonly subscriptionType?: string;
  readonly tokenSource?: string;
  readonly apiKeySource?: string;
  readonly apiProvider?: string;
}

export interface McpServerInfo {
  readonly name: string;
  readonly status: string;
  readonly source?: string;
  readonly error?: string;
}
