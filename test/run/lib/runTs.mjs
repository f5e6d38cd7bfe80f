// Lets a plain script use a TypeScript module: bundled on the fly, packages left to Node.
import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './bootstrap.mjs';

/** @returns {import('esbuild').Plugin} */
function keepPlaces() {
  return {
    name: 'keep-places',
    setup(build) {
      // Plain modules are loaded where they are, so that a bundle shares their state (the list of children, for one).
      build.onResolve({ filter: /^\..*\.mjs$/ }, ({ path: request, resolveDir }) => ({
        path: pathToFileURL(path.resolve(resolveDir, request)).href,
        external: true,
      }));
      build.onLoad({ filter: /\.tsx?$/ }, ({ path: file }) => ({
        contents: fs
          .readFileSync(file, 'utf8')
          .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(file)))
          .replaceAll('import.meta.filename', JSON.stringify(file))
          .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href)),
        loader: file.endsWith('x') ? 'tsx' : 'ts',
      }));
    },
  };
}

/**
 * @param {string} entry a TypeScript file, relative to the project
 * @returns {Promise<string>} the bundle's path
 */
export async function bundleTs(entry) {
  const esbuild = await import('esbuild');
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
    plugins: [keepPlaces()],
  });
  const text = result.outputFiles[0]?.text ?? '';
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const folder = path.join(root, '.build', 'run');
  const file = path.join(folder, `${path.basename(entry).replace(/\.tsx?$/, '')}-${hash}.mjs`);
  if (!fs.existsSync(file)) {
    fs.mkdirSync(folder, { recursive: true });
    const part = `${file}.${randomUUID()}`;
    fs.writeFileSync(part, text);
    fs.renameSync(part, file);
  }
  return file;
}

/**
 * @param {string} entry a TypeScript file, relative to the project
 * @returns {Promise<any>} its exports; the caller says by JSDoc what they are
 */
export async function importTs(entry) {
  process.setSourceMapsEnabled(true);
  return import(pathToFileURL(await bundleTs(entry)).href);
}
