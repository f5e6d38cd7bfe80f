import type { Port } from '../../src/bridge/channel.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** What VS Code puts into the page of a webview. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare global {
  /** May be called once in the life of a page. */
  var acquireVsCodeApi: () => VsCodeApi;
}

/** The view's end of the pipe to the host. */
export function hostPort(api: VsCodeApi, page: Window): Port {
  return {
    post: value => api.postMessage(value),
    listen(listener) {
      const receive = (event: MessageEvent<unknown>): void => listener(event.data);
      page.addEventListener('message', receive);
      return toDisposable(() => page.removeEventListener('message', receive));
    },
  };
}
