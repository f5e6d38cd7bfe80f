import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Logger } from '../base/logger.ts';
import { silentLogger } from '../base/logger.ts';
import { isFields } from '../protocol/schemaKit.ts';
import type { OpenRequest } from './cliQuestions.ts';
import { asError, SessionError } from './errors.ts';
import type { McpBridge, McpSdk, ServerMessage } from './mcpBridge.ts';

/** An MCP server inside this process. It is built when the CLI first speaks to it, once for each session. */
export interface McpServerDefinition {
  readonly name: string;
  readonly create: (sdk: McpSdk) => McpServer | Promise<McpServer>;
}

export interface McpHostOptions {
  readonly servers: readonly McpServerDefinition[];
  /** Brings what a server says of its own accord to the CLI. */
  readonly carry: (server: string, message: Record<string, unknown>) => Promise<unknown>;
  readonly logger?: Logger;
}

/** The CLI connects a server of this name but does not offer its tools. */
const RESERVED = 'ide';
const METHOD_NOT_FOUND = -32_601;
const CANCELLED = -32_000;

/** The CLI's message line to the servers of one session. */
export class McpHost {
  readonly #links: ReadonlyMap<string, McpLink>;

  constructor(options: McpHostOptions) {
    const links = new Map<string, McpLink>();
    for (const server of options.servers) {
      if (server.name === RESERVED) throw new SessionError('invalidState', `No server may be named ${RESERVED}.`);
      links.set(server.name, new McpLink(server, options.carry, options.logger ?? silentLogger));
    }
    this.#links = links;
  }

  /** For `initialize`. */
  get names(): readonly string[] {
    return [...this.#links.keys()];
  }

  async serve(open: OpenRequest<'mcp_message'>): Promise<void> {
    const { server_name: name, message } = open.request;
    const link = this.#links.get(name);
    if (link !== undefined) return link.take(open);
    const error = { code: METHOD_NOT_FOUND, message: `No server named ${name} is hosted here.` };
    open.answer({ mcp_response: { jsonrpc: '2.0', id: message['id'] ?? null, error } });
  }

  close(): void {
    for (const link of this.#links.values()) link.close();
  }
}

class McpLink {
  readonly #definition: McpServerDefinition;
  readonly #carry: McpHostOptions['carry'];
  readonly #logger: Logger;
  /** Requests of the CLI the server has not answered, by JSON-RPC id. */
  readonly #waiting = new Map<unknown, OpenRequest<'mcp_message'>>();
  #bridge: Promise<McpBridge> | undefined;

  constructor(definition: McpServerDefinition, carry: McpHostOptions['carry'], logger: Logger) {
    this.#definition = definition;
    this.#carry = carry;
    this.#logger = logger;
  }

  async take(open: OpenRequest<'mcp_message'>): Promise<void> {
    const bridge = await (this.#bridge ??= this.#build());
    const { message } = open.request;
    const id = message['id'];
    if (typeof message['method'] !== 'string' || id === undefined) {
      bridge.deliver(message);
      if (message['method'] === 'notifications/cancelled') this.#answerCancelled(message['params']);
      open.answer({ mcp_response: { jsonrpc: '2.0', result: {} } });
      return;
    }
    if (open.signal.aborted) return;
    this.#waiting.set(id, open);
    open.signal.addEventListener('abort', () => this.#cancel(bridge, id, open), { once: true });
    try {
      bridge.deliver(message);
    } catch (error) {
      this.#waiting.delete(id);
      throw error;
    }
  }

  close(): void {
    this.#waiting.clear();
    void this.#bridge?.then(
      bridge => bridge.close(),
      () => undefined,
    );
  }

  async #build(): Promise<McpBridge> {
    const { McpBridge: Bridge, mcpSdk } = await import('./mcpBridge.ts');
    const bridge = new Bridge(await this.#definition.create(mcpSdk), said => this.#said(said));
    await bridge.connect();
    return bridge;
  }

  async #said({ message, answers }: ServerMessage): Promise<void> {
    if (answers === undefined) {
      await this.#carry(this.#definition.name, message);
      return;
    }
    const open = this.#waiting.get(answers);
    this.#waiting.delete(answers);
    open?.answer({ mcp_response: message });
  }

  /** A server does not answer what was cancelled; the CLI's question still needs its one answer. */
  #answerCancelled(params: unknown): void {
    const id = isFields(params) ? params['requestId'] : undefined;
    const open = this.#waiting.get(id);
    this.#waiting.delete(id);
    open?.answer({ mcp_response: { jsonrpc: '2.0', id, error: { code: CANCELLED, message: 'Request cancelled' } } });
  }

  #cancel(bridge: McpBridge, id: unknown, open: OpenRequest<'mcp_message'>): void {
    if (this.#waiting.get(id) !== open) return;
    this.#waiting.delete(id);
    try {
      bridge.deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
    } catch (error) {
      this.#logger.warn(`The server ${this.#definition.name} could not be told of a cancel: ${asError(error).message}`);
    }
  }
}
