import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { LineSplitter } from '../../../src/transport/lineSplitter.ts';
import type { ChildCommand } from '../cli/fakeCli.ts';

interface Event {
  readonly id: string;
  readonly frame: unknown;
}

export interface RelayOptions {
  /** The CLI behind the socket, fake or real. Started with the first connection. */
  readonly cli: ChildCommand;
  readonly token: string;
  readonly sessionId: string;
}

/**
 * A stand-in for a service that runs an agent elsewhere: one CLI, piped to a socket, and its events over REST. The
 * connection may come and go, the CLI stays until a client says good-bye. Loopback only.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #http: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: 512 * 1024 * 1024 });
  readonly #events: Event[] = [];
  /** Questions of the CLI that nobody has answered yet: told again to whoever connects. */
  readonly #openQuestions = new Map<string, string>();
  readonly #fromHost: string[] = [];
  #child: ChildProcessWithoutNullStreams | undefined;
  #client: WebSocket | undefined;
  #rest = '';
  #connections = 0;
  #refuseNext = 0;
  #refusals = 0;
  #deaf = false;
  /** Lines of the CLI that no client got are held here when they carry no id by which the history could find them. */
  #undelivered: string[] = [];

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#http = createServer((request, response) => this.#serve(request, response));
    this.#http.on('upgrade', (request, socket, head) => {
      const status = this.#judge(request);
      if (status !== 101) {
        socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
        return;
      }
      this.#sockets.handleUpgrade(request, socket, head, client => this.#connected(client));
    });
  }

  async listen(): Promise<void> {
    await new Promise<void>(resolve => this.#http.listen(0, '127.0.0.1', resolve));
  }

  get port(): number {
    const address = this.#http.address();
    if (typeof address !== 'object' || address === null) throw new Error('The relay does not listen.');
    return address.port;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.port}/v1/sessions/${this.#options.sessionId}/socket`;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get connections(): number {
    return this.#connections;
  }

  /** Attempts that were answered with 503. */
  get refusals(): number {
    return this.#refusals;
  }

  get cliPid(): number | undefined {
    return this.#child?.pid;
  }

  /** Every line the CLI was given, in order: the place to see whether a prompt came twice. */
  get linesToCli(): readonly string[] {
    return this.#fromHost;
  }

  /** Cuts the connection as a broken network does; the CLI goes on. */
  dropConnection(): void {
    this.#client?.terminate();
    this.#client = undefined;
  }

  /** The next so many connections are answered with 503. */
  refuseConnections(count: number): void {
    this.#refuseNext = count;
  }

  /** Stops answering pings and reading, without closing: a network cable pulled. */
  goDeaf(deaf = true): void {
    this.#deaf = deaf;
    if (deaf) this.#client?.pause();
    else this.#client?.resume();
  }

  async close(): Promise<void> {
    this.dropConnection();
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const gone = new Promise(resolve => child.once('exit', resolve));
      child.kill('SIGKILL');
      await gone;
    }
    this.#sockets.close();
    this.#http.closeAllConnections();
    await new Promise(resolve => this.#http.close(resolve));
  }

  #judge(request: IncomingMessage): number {
    if (request.headers.authorization !== `Bearer ${this.#options.token}`) return 401;
    if (!request.url?.startsWith(`/v1/sessions/${this.#options.sessionId}/`)) return 404;
    if (this.#refuseNext > 0) {
      this.#refuseNext -= 1;
      this.#refusals += 1;
      return 503;
    }
    return 101;
  }

  #connected(client: WebSocket): void {
    this.#connections += 1;
    this.#client?.terminate();
    this.#client = client;
    this.#rest = '';
    if (this.#deaf) client.pause();
    const child = (this.#child ??= this.#startCli());
    for (const line of this.#undelivered.splice(0)) client.send(line);
    for (const line of this.#openQuestions.values()) client.send(line);
    client.on('message', data => {
      // `ws` hands out one Buffer per message unless told otherwise.
      if (Buffer.isBuffer(data)) this.#fromClient(child, data.toString('utf8'));
    });
    client.on('close', code => {
      if (this.#client === client) this.#client = undefined;
      if (code === 1000) child.stdin.end();
    });
    client.on('error', () => client.terminate());
  }

  #fromClient(child: ChildProcessWithoutNullStreams, text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      this.#fromHost.push(line);
      const answered = /"type":"control_response".*"request_id":"([^"]+)"/.exec(line)?.[1];
      if (answered !== undefined) this.#openQuestions.delete(answered);
      child.stdin.write(`${line}\n`);
    }
  }

  #startCli(): ChildProcessWithoutNullStreams {
    const { command, args, cwd, env } = this.#options.cli;
    const child = spawn(command, args, { cwd, env });
    const splitter = new LineSplitter({ onLine: line => this.#fromCli(line), onProblem: () => undefined });
    child.stdout.on('data', (chunk: Buffer) => splitter.push(chunk));
    child.stderr.resume();
    child.stdin.on('error', () => child.kill());
    child.on('close', code => {
      splitter.end();
      this.#client?.close(1000, `exit ${code ?? 1}`);
    });
    return child;
  }

  #fromCli(line: string): void {
    const frame: unknown = JSON.parse(line);
    const fields = typeof frame === 'object' && frame !== null ? frame : {};
    const id = 'uuid' in fields && typeof fields.uuid === 'string' ? fields.uuid : undefined;
    // Once: the CLI echoes a prompt that comes again, and a place in the history must be one place.
    if (id !== undefined && !this.#events.some(event => event.id === id)) this.#events.push({ id, frame });
    const question = 'type' in fields && fields.type === 'control_request' && 'request_id' in fields;
    if (question && typeof fields.request_id === 'string') this.#openQuestions.set(fields.request_id, line);
    else if (!this.#client && id === undefined) this.#undelivered.push(line);
    this.#client?.send(line);
  }

  /** `GET /v1/sessions/{id}/events?limit=&after_id=` */
  #serve(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? '/', this.baseUrl);
    const reply = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${this.#options.token}`) {
      reply(401, { error: 'unauthorized' });
      return;
    }
    if (url.pathname !== `/v1/sessions/${this.#options.sessionId}/events`) {
      reply(404, { error: 'not found' });
      return;
    }
    const after = url.searchParams.get('after_id');
    const start = after === null ? 0 : this.#events.findIndex(event => event.id === after) + 1;
    const limit = Number(url.searchParams.get('limit') ?? 100);
    const page = this.#events.slice(start, start + limit);
    reply(200, {
      data: page.map(event => event.frame),
      has_more: start + limit < this.#events.length,
      last_id: page.at(-1)?.id ?? after,
    });
  }
}
