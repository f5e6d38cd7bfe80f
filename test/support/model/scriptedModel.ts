import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { Deferred } from '../../../src/base/deferred.ts';
import { playAnswer, realAnswerTools } from './answer.ts';
import { estimateTokens } from './blocks.ts';
import type { AnswerTools } from './answer.ts';
import { readRequest } from './readRequest.ts';
import type { ReadRequest } from './readRequest.ts';
import { promptOf } from './request.ts';
import type { ModelRequest, RequestEnd, RequestKind } from './request.ts';
import { fail, say } from './script.ts';
import type { Step, Turn } from './script.ts';

/** Answers a request, or leaves it to the handlers before it and then to the queue. */
export type RequestHandler = (request: ModelRequest) => Turn | undefined | Promise<Turn | undefined>;

export interface ScriptedModelOptions {
  readonly tools?: AnswerTools;
  /** How many requests `requests` keeps; a model that serves a person for hours keeps few. */
  readonly remember?: number;
}

/**
 * A Messages API on loopback that says what a script tells it.
 *
 * Who answers: the handlers of `onRequest`, newest first; then, for steps of the conversation (main and subagent), the
 * queue in order. Side requests (title, compaction, model probe, token counts, …) never take from the queue: without a handler they
 * get a plain answer of their own. A step of the conversation that nobody answers gets a text that says so, and is
 * listed in `problems`: a test ends with `expect(model.problems).toEqual([])`.
 */
export class ScriptedModel {
  readonly #tools: AnswerTools;
  readonly #remember: number;
  readonly #server: Server;
  readonly #stopped = new AbortController();
  readonly #queue: Turn[] = [];
  readonly #handlers: RequestHandler[] = [];
  readonly #requests: ModelRequest[] = [];
  readonly #problems: string[] = [];
  readonly #running = new Set<Promise<void>>();
  readonly #arrivals = new Set<() => void>();
  readonly #taken = new Set<number>();
  #count = 0;
  #port = 0;

  constructor(options: ScriptedModelOptions = {}) {
    this.#tools = options.tools ?? realAnswerTools;
    this.#remember = options.remember ?? Infinity;
    this.#server = createServer((request, response) => this.#track(this.#serve(request, response)));
  }

  /** Listens on 127.0.0.1; rejects (with the system's code, such as EADDRINUSE) if the port cannot be had. */
  async start(options: { readonly port?: number } = {}): Promise<this> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(options.port ?? 0, '127.0.0.1', () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const address = this.#server.address();
    if (address === null || typeof address === 'string') throw new Error('The scripted model has no TCP address.');
    this.#port = address.port;
    return this;
  }

  /** Ends every answer and every socket. After it resolves nothing of the model is left. Stopping twice is harmless. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    const closed = this.#server.listening
      ? new Promise<void>(resolve => this.#server.close(() => resolve()))
      : undefined;
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#running);
  }

  /** What goes into `ANTHROPIC_BASE_URL`. */
  get url(): string {
    if (this.#port === 0) throw new Error('The scripted model has not been started.');
    return `http://127.0.0.1:${this.#port}`;
  }

  get port(): number {
    return this.#port;
  }

  /** Adds answers for the next steps of the conversation, in order. */
  enqueue(...turns: readonly Turn[]): this {
    this.#queue.push(...turns);
    return this;
  }

  /** Answers nobody has asked for yet. */
  get queued(): number {
    return this.#queue.length;
  }

  onRequest(handler: RequestHandler): this {
    this.#handlers.unshift(handler);
    return this;
  }

  /** All requests in order of arrival (the newest `remember` of them). */
  get requests(): readonly ModelRequest[] {
    return this.#requests;
  }

  /** The steps of the conversation: `main`, and `subagent` where one runs. */
  get conversation(): readonly ModelRequest[] {
    return this.#requests.filter(isConversation);
  }

  /** What went wrong on the script's side: requests nobody answered, broken bodies, unknown paths. */
  get problems(): readonly string[] {
    return this.#problems;
  }

  /**
   * The next request of that kind (without a kind: the next step of the conversation) that no earlier call returned;
   * it may have arrived already. Rejects after `timeoutMs` with a list of what did arrive.
   */
  async nextRequest(options: { readonly kind?: RequestKind; readonly timeoutMs?: number } = {}): Promise<ModelRequest> {
    const { kind, timeoutMs = 15_000 } = options;
    const found = new Deferred<ModelRequest>();
    const look = () => {
      const next = this.#requests.find(
        request => !this.#taken.has(request.index) && (kind ? request.kind === kind : isConversation(request)),
      );
      if (next && found.resolve(next)) this.#taken.add(next.index);
    };
    const timer = setTimeout(() => {
      const seen = this.#requests.map(request => `${request.kind} ${request.method} ${request.path}`).join(', ');
      found.reject(
        new Error(`No ${kind ?? 'conversation'} request within ${timeoutMs} ms. Arrived so far: ${seen || 'none'}.`),
      );
    }, timeoutMs);
    this.#arrivals.add(look);
    look();
    try {
      return await found.promise;
    } finally {
      clearTimeout(timer);
      this.#arrivals.delete(look);
    }
  }

  #track(work: Promise<void>): void {
    const guarded = work.catch((error: unknown) => {
      this.#problems.push(`The scripted model failed: ${error instanceof Error ? error.message : String(error)}`);
    });
    this.#running.add(guarded);
    void guarded.finally(() => this.#running.delete(guarded));
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    // A client that hangs up while we write is a normal end here, told by `close`.
    response.on('error', () => gone.abort());
    const bytes = await readBody(incoming);
    if (bytes === undefined) return;
    const ended = new Deferred<RequestEnd>();
    const read = readRequest(incoming.method ?? '', incoming.url ?? '', incoming.headers, bytes);
    const request = this.#record(read, ended.promise);
    const signal = AbortSignal.any([gone.signal, this.#stopped.signal]);
    let end: RequestEnd = 'stopped';
    try {
      end = await this.#answer(request, response, signal);
    } catch (error) {
      this.#sendError(response, error);
      throw error;
    } finally {
      ended.resolve(end);
    }
  }

  #record(read: ReadRequest, ended: Promise<RequestEnd>): ModelRequest {
    const request: ModelRequest = { ...read, index: this.#count, ended };
    this.#count += 1;
    this.#requests.push(request);
    if (this.#requests.length > this.#remember) this.#requests.shift();
    if (read.method === 'POST' && read.body === undefined) {
      this.#problems.push(`The body of ${read.method} ${read.path} is not JSON.`);
    }
    for (const look of [...this.#arrivals]) look();
    return request;
  }

  async #answer(request: ModelRequest, response: ServerResponse, signal: AbortSignal): Promise<RequestEnd> {
    const turn = await this.#turnFor(request);
    if (turn === undefined) {
      const plain = this.#plainAnswer(request);
      sendJson(response, plain.status, plain.body);
      return 'answered';
    }
    const how = await playAnswer(stepsOf(turn), request, response, signal, this.#tools);
    if (how !== 'gone') return how;
    return this.#stopped.signal.aborted ? 'stopped' : 'aborted';
  }

  async #turnFor(request: ModelRequest): Promise<Turn | undefined> {
    if (request.method === 'POST' && request.body === undefined) return fail(400, { message: 'The body is not JSON.' });
    for (const handler of this.#handlers) {
      const turn = await handler(request);
      if (turn !== undefined) return turn;
    }
    switch (request.kind) {
      case 'main':
      case 'subagent':
        return this.#queue.shift() ?? this.#unscripted(request);
      case 'title':
        return say(JSON.stringify({ title: 'Scripted session' }));
      case 'compact':
        return say('<analysis>Scripted.</analysis>\n<summary>A scripted summary of the conversation.</summary>');
      case 'probe':
      case 'side':
        return say('Hi');
      case 'countTokens':
      case 'other':
        return undefined;
    }
  }

  #unscripted(request: ModelRequest): Turn {
    const prompt = promptOf(request).slice(0, 200);
    this.#problems.push(`No scripted answer for request ${request.index} (${request.kind}): ${prompt}`);
    return say(`The scripted model has no answer for this request (${request.kind}). Last prompt: ${prompt}`);
  }

  #plainAnswer(request: ModelRequest): { readonly status: number; readonly body: unknown } {
    const route = request.path.replace(/\?.*$/, '');
    if (request.kind === 'countTokens') {
      return { status: 200, body: { input_tokens: estimateTokens(request.bodyBytes) } };
    }
    if (request.method === 'HEAD' || route === '/' || route === '/api/hello') return { status: 200, body: {} };
    if (request.method === 'GET' && route === '/v1/models') return { status: 200, body: { data: [], has_more: false } };
    this.#problems.push(`No such thing on the scripted model: ${request.method} ${request.path}`);
    const message = `The scripted model does not serve ${request.method} ${route}.`;
    return { status: 404, body: { type: 'error', error: { type: 'not_found_error', message } } };
  }

  /** A bug in a script must not leave the client waiting. */
  #sendError(response: ServerResponse, error: unknown): void {
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { type: 'error', error: { type: 'api_error', message: String(error) } });
  }
}

function isConversation(request: ModelRequest): boolean {
  return request.kind === 'main' || request.kind === 'subagent';
}

function stepsOf(turn: Turn): readonly Step[] {
  return 'kind' in turn ? [turn] : turn;
}

/** The whole body, or undefined if the client went away before its end. */
async function readBody(incoming: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  return new Promise(resolve => {
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    incoming.once('error', () => resolve(undefined));
    incoming.once('close', () => resolve(undefined));
  });
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
