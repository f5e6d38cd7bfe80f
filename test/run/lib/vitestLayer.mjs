// Runs one vitest project and counts its tests from the JSON report.
import fs from 'node:fs';
import path from 'node:path';
import { run } from './processes.mjs';

/** @typedef {{passed: number, failed: number, failures: {title: string, message: string}[]}} LayerResult */
/** @typedef {(line: string) => void} Log */

/**
 * @typedef {object} Report part of vitest's JSON report
 * @property {{name: string, status: string, message?: string, assertionResults: {status: string, fullName: string, failureMessages?: string[]}[]}[]} testResults
 */

/**
 * @param {string} project
 * @param {{root: string, log: Log, artifacts: string, args: readonly string[], live: boolean, timeoutMs: number}} options
 * @returns {Promise<LayerResult>}
 */
export async function runVitest(project, { root, log, artifacts, args, live, timeoutMs }) {
  const report = path.join(artifacts, `${project}-results.json`);
  fs.rmSync(report, { force: true });
  const vitest = path.join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const reporters = ['--reporter=json', `--outputFile.json=${report}`, `--reporter=${live ? 'verbose' : 'dot'}`];
  const result = await run(process.execPath, [vitest, 'run', '--project', project, ...reporters, ...args], {
    cwd: root,
    what: `The layer ${project}`,
    timeoutMs,
    ...(live ? { onLine: log } : {}),
  });
  return readReport(root, report, result);
}

/**
 * Everything but a test that ran and passed is a failure: also a file that cannot be loaded, and a test that is skipped.
 * @param {string} root
 * @param {string} file
 * @param {{code: number | null, stdout: string, stderr: string}} outcome
 * @returns {LayerResult}
 */
function readReport(root, file, { code, stdout, stderr }) {
  const printed = `${stdout}\n${stderr}`.trim();
  /** @type {Report} */
  const report = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : { testResults: [] };
  let passed = 0;
  /** @type {LayerResult['failures']} */
  const failures = [];
  for (const { name, status, message, assertionResults } of report.testResults) {
    const place = path.relative(root, name);
    const before = failures.length;
    for (const test of assertionResults) {
      if (test.status === 'passed') passed += 1;
      else if (test.status === 'failed')
        failures.push({ title: `${place} › ${test.fullName}`, message: (test.failureMessages ?? []).join('\n') });
      else failures.push({ title: `${place} › ${test.fullName}`, message: `It did not run (${test.status}).` });
    }
    if (status === 'failed' && failures.length === before)
      failures.push({ title: place, message: message || 'The file could not be run.' });
  }
  if (code !== 0 && failures.length === 0 && passed > 0)
    failures.push({ title: 'The run as a whole', message: `vitest ended with exit code ${String(code)}.\n${printed}` });
  if (code !== 0 && failures.length === 0 && !/No test files found/i.test(printed))
    failures.push({ title: 'The run as a whole', message: printed || `vitest ended with exit code ${String(code)}.` });
  return { passed, failed: failures.length, failures };
}
