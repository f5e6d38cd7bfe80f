import type { Server } from 'node:http';
import { WebSocketServer } from 'ws';
import type { RawData, WebSocket } from 'ws';
import { systemClock } from '../../../src/base/clock.ts';
import { toDisposable } from '../../../src/base/disposable.ts';
import { Channel } from '../../../src/bridge/channel.ts';
import type { Port } from '../../../src/bridge/channel.ts';
import type { HostAnswers, HostMessage } from '../../../src/bridge/hostMessages.ts';
import { englishStrings, format } from '../../../src/bridge/strings.ts';
import type { SessionView } from '../../../src/bridge/sessionView.ts';
import { viewMessageSchema, viewRequestSchema } from '../../../src/bridge/viewMessages.ts';
import type { ViewMessage, ViewRequest } from '../../../src/bridge/viewMessages.ts';
import { ConversationFeed } from '../../../src/host/chat/conversationFeed.ts';
import { decodeFrame } from '../../../src/protocol/decodeFrame.ts';
import { Transcript } from '../../../src/session/transcript/transcript.ts';
import type { TranscriptItem } from '../../../src/session/transcriptModel.ts';

const idle: SessionView = {
  state: 'idle',
  title: 'A long day',
  model: { value: 'm', label: 'Model' },
  models: [],
  mode: 'default',
  modes: [],
  efforts: [],
  queue: [],
  tasks: [],
  commands: [],
  openAsks: [],
  recent: [],
};

/** A line that the command line program wrote, on its way to the eye. */
interface Written {
  readonly at: number;
  revision: number | undefined;
}

/**
 * The host's own transcript, presenter and feed in the bench's process, with a view at the other end of a socket: what
 * lies between the program's line and the page in VS Code, without VS Code.
 */
export class BenchHost {
  /** Milliseconds from each written line to the word that it is painted. The way back of that word is counted too. */
  readonly latencies: number[] = [];
  /** How long the host took to answer the view's first question with a conversation. */
  greetMs = 0;
  readonly #sockets: WebSocketServer;
  #items: readonly TranscriptItem[] = [];
  #transcript = new Transcript();
  #feed: ConversationFeed | undefined;
  #written: Written[] = [];

  constructor(server: Server) {
    this.#sockets = new WebSocketServer({ server, path: '/host' });
    this.#sockets.on('connection', socket => this.#connect(socket));
  }

  /** What the next page that connects will see. */
  prepare(items: readonly TranscriptItem[]): void {
    this.#items = items;
    this.latencies.length = 0;
    this.#written = [];
  }

  /** One line of the program. */
  write(line: string): void {
    const frame = decodeFrame(line, () => undefined);
    if (frame === undefined) throw new Error(`Not a frame: ${line.slice(0, 100)}`);
    this.#written.push({ at: performance.now(), revision: undefined });
    this.#transcript.apply(frame);
  }

  /** Whether the view has painted all that was written. */
  get isPainted(): boolean {
    return this.#written.length === 0;
  }

  close(): void {
    this.#feed?.dispose();
    for (const client of this.#sockets.clients) client.terminate();
    this.#sockets.close();
  }

  #connect(socket: WebSocket): void {
    this.#feed?.dispose();
    this.#transcript = new Transcript();
    this.#transcript.load(this.#items);
    const channel = new Channel<HostMessage, never, ViewMessage, ViewRequest, HostAnswers[ViewRequest['name']]>(
      portOf(socket),
      {
        parseMessage: value => viewMessageSchema.parse(value),
        onMessage: message => this.#hear(message, one => channel.post(one)),
        parseRequest: value => viewRequestSchema.parse(value),
        onRequest: request => this.#answer(request),
        onRefused: error => console.error('The bench’s host refused:', error.message),
      },
    );
    this.#feed = new ConversationFeed({
      transcript: this.#transcript,
      cwd: '/project',
      t: (text, ...values) => format(text, ...values.map(String)),
      ask: () => undefined,
      session: () => idle,
      post: message => this.#post(message, one => channel.post(one)),
      clock: systemClock,
    });
    socket.on('close', () => channel.dispose());
  }

  #post(message: HostMessage, post: (message: HostMessage) => void): void {
    if (message.type === 'patch' || message.type === 'snapshot') {
      for (const one of this.#written) one.revision ??= message.revision;
    }
    post(message);
  }

  #hear(message: ViewMessage, post: (message: HostMessage) => void): void {
    if (message.type === 'fault') throw new Error(`The view failed: ${message.message}`);
    if (message.type === 'ready') {
      const from = performance.now();
      post({ type: 'hello', strings: englishStrings, options: { sendKey: 'enter', placement: 'sideBar' } });
      this.#feed?.snapshot();
      this.greetMs = performance.now() - from;
    } else if (message.type === 'ack') {
      this.#feed?.acknowledge(message.revision);
      this.#painted(message.revision);
    }
  }

  #painted(revision: number): void {
    const now = performance.now();
    this.#written = this.#written.filter(one => {
      if (one.revision === undefined || one.revision > revision) return true;
      this.latencies.push(now - one.at);
      return false;
    });
  }

  #answer(request: ViewRequest): Promise<HostAnswers[ViewRequest['name']]> {
    if (request.name === 'readItems' && this.#feed)
      return Promise.resolve(this.#feed.read(request.from, request.count));
    return Promise.reject(new Error(`The bench’s host does not know ${request.name}`));
  }
}

function portOf(socket: WebSocket): Port {
  return {
    post: value => socket.send(JSON.stringify(value)),
    listen(listener) {
      const hear = (data: RawData): void => listener(JSON.parse(textOf(data)));
      socket.on('message', hear);
      return toDisposable(() => socket.off('message', hear));
    },
  };
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return Buffer.from(data instanceof ArrayBuffer ? new Uint8Array(data) : data).toString('utf8');
}
