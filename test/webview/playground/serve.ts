import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import * as esbuild from 'esbuild';

export interface Playground {
  readonly url: string;
  /** For those who play the host from outside of the page. */
  readonly server: Server;
  close(): Promise<void>;
}

export interface PlaygroundOptions {
  /** Minified and without maps, as it is shipped. */
  readonly production?: boolean;
  /** More scripts that the page may load, by name. */
  readonly scripts?: Readonly<Record<string, string>>;
}

const types: Readonly<Partial<Record<string, string>>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
};

/** Builds the view and the page that feeds it, and serves both on loopback. */
export async function servePlayground(root: string, options: PlaygroundOptions = {}): Promise<Playground> {
  const { production = false, scripts = {} } = options;
  const outdir = path.join(root, '.build', production ? 'playground-production' : 'playground');
  const shared: esbuild.BuildOptions = {
    absWorkingDir: root,
    bundle: true,
    format: 'esm',
    target: 'chrome128',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: production,
    sourcemap: production ? false : 'inline',
    define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
  };
  await esbuild.build({
    ...shared,
    entryPoints: { main: 'webview/main.tsx' },
    outdir: path.join(outdir, 'view'),
    splitting: true,
    loader: { '.ttf': 'file' },
  });
  const entryPoints = { playground: 'test/webview/playground/playground.ts', ...scripts };
  await esbuild.build({ ...shared, entryPoints, outdir });
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
    server,
    close: () => new Promise(resolve => server.close(() => resolve())),
  };
}

function addressOf(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new Error('The playground has no port');
  return address.port;
}
