// Test-only extension. Listens on loopback and runs, in the extension host, the functions that a test sends: each gets
// the `vscode` API and its own arguments. Where it listens is written to the file that `HANDRAIL_BRIDGE` names.
import { renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import * as vscode from 'vscode';

/** @param {import('node:http').IncomingMessage} request */
async function answer(request) {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk);
  try {
    const { source, values } = JSON.parse(body);
    /** @type {(api: typeof vscode, ...values: unknown[]) => unknown} */
    const run = new Function(`return (${source});`)();
    return { value: await run(vscode, ...values) };
  } catch (error) {
    return { error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** @param {import('vscode').ExtensionContext} context */
export function activate(context) {
  const file = process.env['HANDRAIL_BRIDGE'];
  if (file === undefined) return;
  const server = createServer((request, response) => {
    void answer(request).then(result => response.end(JSON.stringify(result)));
  });
  context.subscriptions.push({ dispose: () => server.close() });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    // Renamed, so that a reader never sees half a file; with the pid, so that it can tell a new extension host from an old one.
    writeFileSync(`${file}.new`, JSON.stringify({ port: address.port, pid: process.pid }));
    renameSync(`${file}.new`, file);
  });
}
