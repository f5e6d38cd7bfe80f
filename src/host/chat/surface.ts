import type * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { DisposableStore } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import { Channel } from '../../bridge/channel.ts';
import type { Port } from '../../bridge/channel.ts';
import type { HostAnswers, HostMessage } from '../../bridge/hostMessages.ts';
import type { ViewMessage, ViewRequest } from '../../bridge/viewMessages.ts';
import { viewMessageSchema, viewRequestSchema } from '../../bridge/viewMessages.ts';
import { chatHtml, viewRoot } from './chatHtml.ts';

/** Who listens to a view: the chat behind it. */
export interface SurfaceListener {
  onMessage(message: ViewMessage): void;
  onRequest(request: ViewRequest): Promise<HostAnswers[ViewRequest['name']]>;
}

type HostChannel = Channel<HostMessage, never, ViewMessage, ViewRequest, HostAnswers[ViewRequest['name']]>;

/** One loaded page of the chat: its channel lives as long as the page. */
export class Surface implements Disposable {
  readonly #owned = new DisposableStore();
  readonly #channel: HostChannel;

  constructor(webview: vscode.Webview, extensionUri: vscode.Uri, listener: SurfaceListener, logger: Logger) {
    webview.options = { enableScripts: true, localResourceRoots: [viewRoot(extensionUri)] };
    this.#channel = this.#owned.add(
      new Channel(portOf(webview), {
        parseMessage: value => viewMessageSchema.parse(value),
        onMessage: message => listener.onMessage(message),
        parseRequest: value => viewRequestSchema.parse(value),
        onRequest: request => listener.onRequest(request),
        onRefused: error => logger.warn('A message of the chat view was refused or failed', error),
      }),
    );
    webview.html = chatHtml(webview, extensionUri);
  }

  post(message: HostMessage): void {
    this.#channel.post(message);
  }

  dispose(): void {
    this.#owned.dispose();
  }
}

function portOf(webview: vscode.Webview): Port {
  return {
    // A page that is going away drops what is posted to it; the next one asks for a snapshot.
    post: value => void webview.postMessage(value),
    listen: listener => webview.onDidReceiveMessage(listener),
  };
}
