import type { VsCodeApi } from '../../../webview/app/vscodeApi.ts';

/**
 * The host is in another process, as it is in VS Code. Marks in the page's timeline when the view asked for its
 * conversation and when it first said that it was painted.
 */
export async function remoteHost(url: string): Promise<VsCodeApi> {
  const socket = new WebSocket(url);
  await new Promise((resolve, reject) => {
    socket.onopen = resolve;
    socket.onerror = () => reject(new Error(`Nobody listens at ${url}`));
  });
  socket.onmessage = ({ data }: MessageEvent<string>) =>
    window.dispatchEvent(new MessageEvent('message', { data: JSON.parse(data) as unknown }));
  let stored: unknown;
  return {
    postMessage(message) {
      const text = JSON.stringify(message);
      if (text.includes('"ready"')) performance.mark('asked');
      else if (text.includes('"ack"') && performance.getEntriesByName('painted').length === 0)
        performance.mark('painted');
      socket.send(text);
    },
    getState: () => stored,
    setState: state => (stored = state),
  };
}
