import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { JSONRPCMessageSchema } from '@modelcontextprotocol/sdk/types.js';

/**
 * The only file that knows the MCP SDK. It is imported lazily: most sessions host no server, and the SDK is a cost at
 * start. Whoever defines a server is handed what is needed to build one.
 */
export const mcpSdk = { McpServer };
export type McpSdk = typeof mcpSdk;

/** A message from a server: the answer to a request of the CLI, or something it says of its own accord. */
export interface ServerMessage {
  readonly message: Record<string, unknown>;
  /** The request this answers; absent for notifications and requests of the server. */
  readonly answers?: RequestId;
}

/** Joins one server to a line that somebody else carries. */
export class McpBridge implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #server: McpServer;
  readonly #say: (message: ServerMessage) => Promise<void>;

  constructor(server: McpServer, say: (message: ServerMessage) => Promise<void>) {
    this.#server = server;
    this.#say = say;
  }

  connect(): Promise<void> {
    return this.#server.connect(this);
  }

  /** Hands a message of the CLI to the server; throws when it is no JSON-RPC. */
  deliver(message: unknown): void {
    this.onmessage?.(JSONRPCMessageSchema.parse(message));
  }

  /** The SDK's: called by `connect`. */
  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    const isAnswer = 'result' in message || 'error' in message;
    const answers = isAnswer && message.id !== undefined ? { answers: message.id } : {};
    return this.#say({ message: { ...message }, ...answers });
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}
