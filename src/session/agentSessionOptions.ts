import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { InitializeRequest } from '../protocol/initialize.ts';
import type { Transport } from '../protocol/transport.ts';
import type { HookRegistry } from './hooks.ts';
import type { McpServerDefinition } from './mcpHost.ts';
import type { UndeliveredPrompt } from './prompt.ts';
import type { Transcript } from './transcript/transcript.ts';
import type { DialogHandlers } from './userDialogs.ts';

export interface AgentSessionOptions {
  readonly transport: Transport;
  /** Already holds the history when a session is resumed: the CLI tells none. */
  readonly transcript: Transcript;
  readonly cwd: string;
  /** The mode the CLI was started with. */
  readonly mode?: string;
  /** Known beforehand when a session is resumed or its id was chosen. */
  readonly sessionId?: string;
  /** The CLI was told to resume or cut: an early end is then the failure of that. */
  readonly resuming?: boolean;
  readonly initialize?: Omit<InitializeRequest, 'hooks' | 'sdkMcpServers' | 'supportedDialogKinds'>;
  readonly hooks?: HookRegistry;
  readonly mcpServers?: readonly McpServerDefinition[];
  readonly dialogs?: DialogHandlers;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly newUuid?: () => string;
  readonly limits?: Partial<SessionLimits>;
}

export interface SessionLimits {
  /** Starting MCP servers belongs to the answer. */
  readonly initializeMs: number;
  /** How long `stop` waits for a running turn to end before it goes on to end the process. */
  readonly interruptMs: number;
}

export interface InterruptOutcome {
  /** Prompts that will run now that the turn is over. */
  readonly stillQueued: readonly string[];
  /** Prompts taken back, with their texts. */
  readonly cancelled: readonly UndeliveredPrompt[];
}
