// What tests and programs ask for by name; the rest of this folder is how it gets there.
export { ensureChromium, findProgram } from './chromium.mjs';
export { CLI_VERSION, ensureCli } from './cli.mjs';
export { cacheFolder } from './store.mjs';
export { ensureNode, ensureVscode } from './vscode.mjs';
