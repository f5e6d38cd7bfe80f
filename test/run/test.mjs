// npm test: every check there is, from a fresh clone. `node test/run/test.mjs unit lint` runs single layers; with one layer,
// more arguments go to its runner. The last line is always `N passed, N failed`.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bootstrap, program, root } from './lib/bootstrap.mjs';
import { ensureChromium, ensureCli, ensureVscode } from './lib/cache.mjs';
import { enterCleanEnvironment } from './lib/environment.mjs';
import { asFault, Fault } from './lib/fault.mjs';
import { run } from './lib/processes.mjs';
import { seconds } from './lib/progress.mjs';
import { runVitest } from './lib/vitestLayer.mjs';
import { packageExtension } from './package.mjs';

/** @typedef {(line: string) => void} Log */
/** @typedef {{passed: number, failed: number, failures: readonly (string | {title: string, message: string})[]}} LayerResult */
/** @typedef {{root: string, log: Log, artifacts: string, args: readonly string[]}} Context */
/** @typedef {'cli' | 'vscode' | 'chromium' | 'package'} Need */
/**
 * @typedef {object} Layer
 * @property {string} tests where its tests are, for the sentence when there are none
 * @property {Need[]} needs what must be there first
 * @property {boolean} alone true: it starts browsers and programs and is run by itself, with its output shown as it comes
 * @property {number} timeoutMs
 * @property {(context: Context) => Promise<LayerResult>} run
 */

const minute = 60_000;
const artifacts = path.join(root, 'artifacts');
const typeProjects = ['.', 'webview', 'test/webview', 'test/e2e'];

/**
 * One check that either holds or not.
 * @param {string} title
 * @param {string} script
 * @param {readonly string[]} args
 * @param {number} timeoutMs
 * @returns {Promise<LayerResult>}
 */
async function check(title, script, args, timeoutMs) {
  const result = await run(process.execPath, [path.join(root, 'node_modules', script), ...args], {
    cwd: root,
    what: title,
    timeoutMs,
  });
  if (result.code === 0) return { passed: 1, failed: 0, failures: [] };
  return { passed: 0, failed: 1, failures: [{ title, message: `${result.stdout}\n${result.stderr}`.trim() }] };
}

/** @returns {Promise<LayerResult>} one check for each part of the tree with its own settings */
async function checkTypes() {
  /** @type {LayerResult[]} */
  const results = [];
  for (const project of typeProjects) {
    const notes = path.join(root, '.build', 'types', `${project.replaceAll(/\W/g, '-')}.tsbuildinfo`);
    const args = ['--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', notes, '--pretty', 'false'];
    results.push(await check(`tsc -p ${project}`, 'typescript/bin/tsc', args, 4 * minute));
  }
  return {
    passed: results.reduce((sum, { passed }) => sum + passed, 0),
    failed: results.reduce((sum, { failed }) => sum + failed, 0),
    failures: results.flatMap(({ failures }) => failures),
  };
}

/** @param {string} project @param {Partial<Layer> & {timeoutMs: number}} options @returns {Layer} */
const vitestLayer = (project, options) => ({
  tests: `test/${project}/**/*.test.ts`,
  needs: [],
  alone: false,
  run: ({ args, ...context }) => {
    const live = options.alone ?? false;
    // By itself vitest leaves one core of two idle; beside another layer it should.
    const share = live ? [`--maxWorkers=${Math.max(2, os.availableParallelism() - 1)}`, ...args] : args;
    return runVitest(project, { ...context, args: share, live, timeoutMs: options.timeoutMs });
  },
  ...options,
});

/**
 * @param {string} name
 * @param {string} tests
 * @param {Need[]} needs
 * @returns {Layer}
 */
const moduleLayer = (name, tests, needs) => ({
  tests,
  needs,
  alone: true,
  timeoutMs: 30 * minute,
  run: async context => {
    /** @type {{run: (context: Context) => Promise<LayerResult>}} */
    const layer = await import(`./layers/${name}.mjs`);
    return layer.run(context);
  },
});

/** @type {Record<string, Layer>} */
const layers = {
  types: { tests: typeProjects.join(', '), needs: [], alone: false, timeoutMs: 10 * minute, run: checkTypes },
  lint: {
    tests: 'eslint.config.mjs',
    needs: [],
    alone: false,
    timeoutMs: 5 * minute,
    run: () => check('eslint', 'eslint/bin/eslint.js', ['.', '--max-warnings', '0'], 5 * minute),
  },
  format: {
    tests: '.prettierrc.json',
    needs: [],
    alone: false,
    timeoutMs: 3 * minute,
    run: () => check('prettier', 'prettier/bin/prettier.cjs', ['--check', '--log-level', 'warn', '.'], 3 * minute),
  },
  unit: vitestLayer('unit', { timeoutMs: 5 * minute }),
  webview: vitestLayer('webview', { timeoutMs: 5 * minute }),
  architecture: vitestLayer('architecture', { timeoutMs: 5 * minute, needs: ['package'] }),
  conformance: vitestLayer('conformance', { timeoutMs: 8 * minute, needs: ['cli'], alone: true }),
  integration: moduleLayer('integration', 'test/integration/**/*.test.ts', ['vscode', 'chromium', 'package']),
  e2e: moduleLayer('e2e', 'test/e2e/**/*.e2e.ts', ['vscode', 'chromium', 'cli', 'package']),
};

/** @type {Record<Need, {title: string, get: (log: Log) => Promise<unknown>}>} */
const needs = {
  cli: { title: 'Claude Code, the pinned version', get: log => ensureCli(undefined, log) },
  vscode: { title: 'VS Code', get: log => ensureVscode(log) },
  chromium: {
    title: 'Chromium',
    get: async log => {
      // Found with the person's own home; the tests run in an empty one.
      process.env['HANDRAIL_CHROMIUM'] = await ensureChromium(log);
    },
  },
  package: {
    title: 'Build and package',
    get: log => packageExtension({ log, out: path.join(root, '.build', 'handrail.vsix') }),
  },
};

/** @param {readonly string[]} argv @returns {{chosen: string[], args: string[]}} */
function readArguments(argv) {
  const chosen = argv.filter(word => word in layers);
  const args = argv.filter(word => !(word in layers));
  if (args.length > 0 && chosen.length !== 1)
    throw new Fault(`There is no layer ${args[0]}: choose from ${Object.keys(layers).join(', ')}.`);
  return { chosen: chosen.length > 0 ? chosen : Object.keys(layers), args };
}

/**
 * @param {string} name
 * @param {Layer} layer
 * @param {Context} context
 * @returns {Promise<LayerResult>}
 */
async function runLayer(name, layer, context) {
  const from = Date.now();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const late = new Promise((_, reject) => {
    const limit = () => reject(new Fault(`It took longer than ${layer.timeoutMs / minute} minutes.`));
    timer = setTimeout(limit, layer.timeoutMs + minute / 6);
  });
  /** @type {LayerResult} */
  let result;
  try {
    result = /** @type {LayerResult} */ (await Promise.race([layer.run(context), late]));
    if (result.passed + result.failed === 0) result = failure(name, `No test ran: is there none in ${layer.tests}?`);
  } catch (error) {
    result = failure(name, explain(error));
  } finally {
    clearTimeout(timer);
  }
  report(name, result, Date.now() - from);
  return result;
}

/** @param {string} title @param {string} message @returns {LayerResult} */
const failure = (title, message) => ({ passed: 0, failed: 1, failures: [{ title, message }] });

/** @param {unknown} error @returns {string} */
function explain(error) {
  const fault = asFault(error);
  if (fault) return fault.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** @param {string} name @param {LayerResult} result @param {number} ms */
function report(name, { passed, failed, failures }, ms) {
  const counts = failed > 0 ? `${passed} passed, ${failed} failed` : `${passed} passed`;
  const lines = [`${failed > 0 ? '✗' : '✓'} ${name.padEnd(14)}${counts.padEnd(26)}${seconds(ms)}`];
  for (const item of failures) {
    const { title, message } = typeof item === 'string' ? { title: item, message: '' } : item;
    lines.push(`    ✗ ${title}`, ...message.split('\n').map(line => `      ${line}`));
  }
  console.log(lines.join('\n'));
}

/**
 * @param {readonly string[]} names
 * @returns {Promise<Map<Need, string>>} what could not be had, and why
 */
async function prepare(names) {
  /** @type {Map<Need, string>} */
  const missing = new Map();
  const wanted = new Set(names.flatMap(name => layers[name]?.needs ?? []));
  for (const need of wanted) {
    const from = Date.now();
    const { title, get } = needs[need];
    try {
      await get(line => console.log(`    ${line}`));
      console.log(`✓ ${title} (${seconds(Date.now() - from)})`);
    } catch (error) {
      missing.set(need, explain(error));
      console.log(`✗ ${title}: ${explain(error)}`);
    }
  }
  return missing;
}

/** Says every while what is still going on, so that silence is never a riddle. @param {Map<string, number>} running */
function heartbeat(running) {
  return setInterval(() => {
    const list = [...running].map(([name, from]) => `${name} ${Math.round((Date.now() - from) / 1000)} s`);
    if (list.length > 0) console.log(`  … ${list.join(', ')}`);
  }, 20_000);
}

/** @param {readonly string[]} argv @returns {Promise<LayerResult[]>} */
async function runAll(argv) {
  const { chosen, args } = readArguments(argv);
  fs.mkdirSync(artifacts, { recursive: true });
  const missing = await prepare(chosen);
  enterCleanEnvironment();
  /** @type {Map<string, number>} */
  const running = new Map();
  const timer = heartbeat(running);
  /** @type {LayerResult[]} */
  const results = [];
  /** @param {string} name */
  const one = async name => {
    const layer = layers[name];
    if (!layer) return;
    const lack = layer.needs.map(need => missing.get(need)).find(reason => reason !== undefined);
    if (lack !== undefined) {
      const result = failure(name, `It could not run: ${lack}`);
      report(name, result, 0);
      results.push(result);
      return;
    }
    if (layer.alone) console.log(`• ${name} …`);
    running.set(name, Date.now());
    results.push(await runLayer(name, layer, { root, artifacts, args, log: line => console.log(`    ${line}`) }));
    running.delete(name);
  };
  const queue = chosen.filter(name => !layers[name]?.alone);
  const worker = async () => {
    for (let name = queue.shift(); name !== undefined; name = queue.shift()) await one(name);
  };
  await Promise.all([worker(), worker()]);
  for (const name of chosen.filter(item => layers[item]?.alone)) await one(name);
  clearInterval(timer);
  return results;
}

await program(async ({ log, elapsed }) => {
  /** @type {LayerResult[]} */
  let results;
  try {
    await bootstrap(log);
    results = await runAll(process.argv.slice(2));
  } catch (error) {
    console.log(`✗ ${explain(error)}`);
    results = [failure('npm test', explain(error))];
  }
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  console.log(`\nin ${elapsed()}`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed > 0 ? 1 : 0;
}, process.stdout);
