// npm run package: one .vsix from the sources as they are. Others import `packageExtension`.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from '../../esbuild.mjs';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { withFolderLock } from './lib/store.mjs';
import { vscePackage } from './lib/vsce.mjs';

/** @typedef {(line: string) => void} Log */

/** Everything a package depends on: sources, what is shipped as it is, and the programs that make it. */
const inputs = [
  'src',
  'webview',
  'media',
  'l10n',
  'package.json',
  'package.nls.json',
  'package-lock.json',
  'README.md',
  'CHANGELOG.md',
  'LICENSE',
  'esbuild.mjs',
  '.vscodeignore',
  'test/run/package.mjs',
  'test/run/lib/notices.mjs',
  'test/run/lib/vsce.mjs',
];

/** @returns {string} a name for the present state of the inputs */
export function sourceHash() {
  const hash = createHash('sha256');
  for (const input of inputs) {
    const start = path.join(root, input);
    const stat = fs.statSync(start, { throwIfNoEntry: false });
    if (!stat) continue;
    const files = stat.isDirectory()
      ? fs
          .readdirSync(start, { recursive: true, withFileTypes: true })
          .filter(entry => entry.isFile())
          .map(entry => path.join(entry.parentPath, entry.name))
          .sort()
      : [start];
    for (const file of files)
      hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file)).update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}

/**
 * Makes the package, or takes the one made earlier from the same sources.
 * @param {{log?: Log, out: string}} options `out`: the file to write
 * @returns {Promise<string>} `out`
 */
export async function packageExtension({ log = () => undefined, out }) {
  const folder = path.join(root, '.build', 'package');
  fs.mkdirSync(folder, { recursive: true });
  await withFolderLock(path.join(folder, 'lock'), 'the package', log, async () => {
    const kept = path.join(folder, `${sourceHash()}.vsix`);
    const complete =
      fs.existsSync(path.join(root, 'dist', 'extension.js')) && fs.existsSync(path.join(root, 'dist', 'notices.txt'));
    if (!fs.existsSync(kept) || !complete) {
      for (const old of fs.readdirSync(folder)) if (old.endsWith('.vsix')) fs.rmSync(path.join(folder, old));
      await makePackage(`${kept}.part`, log);
      fs.renameSync(`${kept}.part`, kept);
    }
    fs.copyFileSync(kept, out);
  });
  return out;
}

/** @param {string} out @param {Log} log */
async function makePackage(out, log) {
  await build({ production: true, log });
  await vscePackage(root, out);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await program(async ({ step, log }) => {
    await bootstrap(log);
    /** @type {{version: string}} */
    const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    const out = path.join(root, `handrail-${version}.vsix`);
    await step('Package', note => packageExtension({ out, log: note }));
    console.log(`${path.basename(out)}: ${(fs.statSync(out).size / 1024).toFixed(0)} kB`);
  });
