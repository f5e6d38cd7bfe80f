import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as esbuild from 'esbuild';

export interface Playground {
  readonly url: string;
  close(): Promise<void>;
}

const types: Readonly<Partial<Record<string, string>>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** Builds the view and the page that feeds it, and serves both on loopback. */
export async function servePlayground(root: string): Promise<Playground> {
  const outdir = path.join(root, '.build', 'playground');
  const shared: esbuild.BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    sourcemap: 'inline',
  };
  await esbuild.build({
    ...shared,
    entryPoints: { main: 'webview/main.tsx' },
    outdir: path.join(outdir, 'view'),
    splitting: true,
    loader: { '.ttf': 'file' },
  });
  await esbuild.build({ ...shared, entryPoints: ['test/webview/playground/playground.ts'], outdir });
  const page = await readFile(path.join(root, 'test/webview/playground/index.html'));
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://playground');
    if (pathname === '/') {
      response.setHeader('content-type', 'text/html');
      response.end(page);
      return;
    }
    readFile(path.join(outdir, path.normalize(pathname))).then(
      content => {
        response.setHeader('content-type', types[path.extname(pathname)] ?? 'application/octet-stream');
        response.end(content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${addressOf(server.address())}`,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

function addressOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The playground has no port');
  return address.port;
}
