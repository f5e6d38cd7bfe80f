// Bundles the extension: node esbuild.mjs [--production] [--watch]
// The host is one CommonJS file (and the guardian beside it); the view is a module with lazy chunks.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { bootstrap, program } from './test/run/lib/bootstrap.mjs';
import { Fault } from './test/run/lib/fault.mjs';
import { thirdPartyNotices } from './test/run/lib/notices.mjs';

/** @typedef {import('esbuild').BuildOptions & {metafile: true}} Options */
/** @typedef {(line: string) => void} Log */

const root = import.meta.dirname;
const dist = path.join(root, 'dist');

/** @param {boolean} production @returns {Options} */
const common = production => ({
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  sourcesContent: false,
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'silent',
});

/** Modules of the host that are loaded when first used. CommonJS output cannot be split, so each is an entry of its own. */
const lazyModules = { mcpBridge: 'src/session/mcpBridge.ts' };

/** Turns `import('./name.ts')` of a lazy module into a load of its own file at run time. @type {import('esbuild').Plugin} */
const lazyHost = {
  name: 'lazy-host',
  setup(plugin) {
    plugin.onResolve({ filter: /\.ts$/ }, ({ kind, path: wanted, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const file = path.relative(root, path.resolve(resolveDir, wanted)).replaceAll('\\', '/');
      const name = Object.entries(lazyModules).find(([, source]) => source === file)?.[0];
      if (name === undefined) return { errors: [{ text: `${file} is loaded lazily but is no entry in esbuild.mjs` }] };
      return { path: `./lazy/${name}.js`, external: true };
    });
  },
};

/** @param {boolean} [production] @returns {Options} */
export const hostOptions = (production = false) => ({
  ...common(production),
  entryPoints: {
    extension: 'src/extension.ts',
    guardian: 'src/transport/guardian.ts',
    ...Object.fromEntries(Object.entries(lazyModules).map(([name, source]) => [`lazy/${name}`, source])),
  },
  plugins: [lazyHost],
  outdir: 'dist',
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
});

/** @param {boolean} [production] @returns {Options} */
export const viewOptions = (production = false) => ({
  ...common(production),
  entryPoints: { main: 'webview/main.tsx' },
  outdir: 'dist/view',
  platform: 'browser',
  format: 'esm',
  splitting: true,
  target: ['chrome128', 'firefox128', 'safari17'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  chunkNames: 'chunks/[name]-[hash]',
  assetNames: 'assets/[name]-[hash]',
  loader: { '.ttf': 'file', '.woff': 'file', '.woff2': 'file', '.svg': 'file' },
  define: { 'process.env.NODE_ENV': production ? '"production"' : '"development"' },
});

/**
 * Bundles everything once.
 * @param {{production?: boolean, log?: Log}} [options]
 */
export async function build({ production = false, log = () => undefined } = {}) {
  const esbuild = await import('esbuild');
  const [host, view] = await Promise.all(
    [hostOptions(production), viewOptions(production)].map(async options => {
      try {
        return await esbuild.build(options);
      } catch (error) {
        throw await asBuildFault(error);
      }
    }),
  );
  if (!host || !view) throw new Error('esbuild gave no result');
  const made = [...Object.keys(host.metafile.outputs), ...Object.keys(view.metafile.outputs)];
  if (production) {
    fs.writeFileSync(path.join(dist, 'notices.txt'), thirdPartyNotices(root, [host.metafile, view.metafile]));
    made.push('dist/notices.txt');
  }
  removeOthers(made);
  for (const [name, { metafile }] of Object.entries({ host, view })) writeMeta(name, metafile);
  for (const file of made.filter(name => /extension\.js$|view\/main\.(js|css)$/.test(name)))
    log(`${file}: ${(fs.statSync(path.join(root, file)).size / 1024).toFixed(0)} kB`);
}

/** @param {string} name @param {import('esbuild').Metafile} metafile */
function writeMeta(name, metafile) {
  const folder = path.join(root, '.build', 'meta');
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(metafile));
}

/** Chunks carry a hash in their name; those of an earlier build must not reach the package. @param {string[]} made */
function removeOthers(made) {
  const keep = new Set(made.map(file => path.join(root, file)));
  for (const entry of fs.readdirSync(dist, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (entry.isFile() && !keep.has(file)) fs.rmSync(file);
  }
}

/** @param {unknown} error @returns {Promise<unknown>} what esbuild found wrong, with file and line, in place of a stack trace */
async function asBuildFault(error) {
  if (!(error instanceof Error) || !('errors' in error) || !Array.isArray(error.errors)) return error;
  const esbuild = await import('esbuild');
  const messages = await esbuild.formatMessages(error.errors, { kind: 'error', color: process.stderr.isTTY });
  return new Fault(`The build failed.\n\n${messages.join('\n').trimEnd()}`);
}

/** Builds again at every change until it is stopped; prints the marks that the task in .vscode waits for. @param {Log} log */
async function watch(log) {
  const esbuild = await import('esbuild');
  /** @type {import('esbuild').Plugin} */
  const marks = {
    name: 'marks',
    setup(plugin) {
      plugin.onStart(() => log('[watch] build started'));
      plugin.onEnd(async ({ errors, metafile }) => {
        for (const text of await esbuild.formatMessages(errors, { kind: 'error', color: false })) log(text.trimEnd());
        if (metafile)
          writeMeta(Object.keys(metafile.outputs).some(name => name.includes('view/')) ? 'view' : 'host', metafile);
        log('[watch] build finished');
      });
    },
  };
  for (const options of [hostOptions(), viewOptions()]) {
    const context = await esbuild.context({ ...options, plugins: [...(options.plugins ?? []), marks] });
    await context.watch();
  }
  await new Promise(() => undefined);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await program(async ({ log }) => {
    await bootstrap(log);
    if (process.argv.includes('--watch')) await watch(line => console.log(line));
    else await build({ production: process.argv.includes('--production'), log });
  });
